import CBenchmarkSupport
import Foundation
import Synchronization

/// Another thread that repeats a call, and the longest time that one of its calls took.
final class LongestWait: Sendable {
  // Atomic numbers and no lock: the thread must wait for nothing but what its call waits for.
  private let calls = Atomic(0)
  private let longestNanoseconds = Atomic(0)
  private let isFinished = Atomic(false)
  private let done = DispatchSemaphore(value: 0)

  /// Starts to repeat a call on a thread of its own.
  init(of call: @escaping @Sendable () -> Void) {
    Thread { [self] in
      benchmark_use_processor(1)
      while !isFinished.load(ordering: .relaxed) {
        // Where the system took the processor from this thread, the time says nothing about the call. The counts are read outside
        // of the time, because a system call is where the system most often takes the processor.
        let preemptions = benchmark_preemptions()
        let start = ContinuousClock.now
        call()
        let end = ContinuousClock.now
        if benchmark_preemptions() == preemptions {
          longestNanoseconds.max(Int((end - start).nanoseconds), ordering: .relaxed)
        }
        calls.add(1, ordering: .releasing)
      }
      done.signal()
    }.start()
  }

  /// Returns the longest time in nanoseconds that a call took during an operation.
  func during(_ operation: () -> Void) -> Double {
    waitForCalls()
    longestNanoseconds.store(0, ordering: .relaxed)
    operation()
    waitForCalls()
    return Double(longestNanoseconds.load(ordering: .relaxed))
  }

  /// Ends the thread and waits for its end.
  func finish() {
    isFinished.store(true, ordering: .relaxed)
    done.wait()
  }

  /// Waits for the end of a call that began after this.
  private func waitForCalls() {
    let first = calls.load(ordering: .acquiring)
    while calls.load(ordering: .acquiring) < first + 2 { sched_yield() }
  }
}
