import CBenchmarkSupport
import Foundation
import Synchronization

/// Another thread that repeats a call, and the longest time that one of its calls took.
final class LongestWait: Sendable {
  private struct Log {
    var calls = 0
    var longest = Duration.zero
    var isFinished = false
  }

  private let log = Mutex(Log())
  private let done = DispatchSemaphore(value: 0)

  /// Starts to repeat a call on a thread of its own.
  init(of call: @escaping @Sendable () -> Void) {
    Thread { [self] in
      var (last, preemptions) = (ContinuousClock.now, benchmark_preemptions())
      var isFinished = false
      while !isFinished {
        call()
        // The times go from the end of one call to the end of the next, so that no wait is left out. Where the system took the
        // processor from this thread, the time says nothing about the call.
        let (end, preemptionsAtEnd) = (ContinuousClock.now, benchmark_preemptions())
        let wait = preemptionsAtEnd == preemptions ? end - last : .zero
        (last, preemptions) = (end, preemptionsAtEnd)
        isFinished = log.withLock { log in
          log.calls += 1
          log.longest = max(log.longest, wait)
          return log.isFinished
        }
      }
      done.signal()
    }.start()
  }

  /// Returns the longest time that a call took during an operation.
  func during(_ operation: () -> Void) -> Duration {
    waitForCalls()
    log.withLock { $0.longest = .zero }
    operation()
    waitForCalls()
    return log.withLock { $0.longest }
  }

  /// Ends the thread and waits for its end.
  func finish() {
    log.withLock { $0.isFinished = true }
    done.wait()
  }

  /// Waits for the end of a call that began after this.
  private func waitForCalls() {
    let first = log.withLock { $0.calls }
    while log.withLock({ $0.calls }) < first + 2 { sched_yield() }
  }
}
