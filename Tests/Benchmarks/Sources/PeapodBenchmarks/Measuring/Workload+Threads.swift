import CBenchmarkSupport
import Foundation
import Synchronization

extension Workload {
  /// Makes a workload of loops that start together, each on a thread of its own; it takes until the last one ends.
  static func onThreads(_ bodies: [@Sendable (_ count: Int) -> Void]) -> Workload {
    onThreads(preparing: bodies.map { body in { count in { body(count) } } })
  }

  /// Makes a workload of loops that start together, each on a thread of its own, when each has prepared what it needs.
  ///
  /// The workload takes until the last loop ends. It does not measure how the loops release what they prepared. Each loop
  /// runs once before it is measured, because a new thread gets its part of the heap page by page as it first uses it.
  static func onThreads(preparing bodies: [@Sendable (_ count: Int) -> () -> Void]) -> Workload {
    Workload(measuringItself: { count in
      await withCheckedContinuation { continuation in
        let crew = Crew(size: bodies.count) { continuation.resume(returning: $0) }
        for (index, body) in bodies.enumerated() {
          let thread = Thread {
            benchmark_use_processor(Int64(index))
            body(1)()
            crew.run { body(count) }
          }
          thread.stackSize = 16 << 20
          thread.start()
        }
      }
    })
  }

  /// Makes a workload that measures itself on a thread whose stack is deep enough for a chain of 10,000 builders.
  ///
  /// It runs once before it is measured: a new thread gets its stack and its part of the heap from the system page by page as it
  /// first uses them, and what is measured once in a thread would bear all of that, where what is measured often bears little.
  static func onLargeStack(measuringItself time: @escaping @Sendable (_ count: Int) -> Duration) -> Workload {
    Workload(measuringItself: { count in
      await withCheckedContinuation { continuation in
        let thread = Thread {
          _ = time(1)
          continuation.resume(returning: time(count))
        }
        thread.stackSize = 512 << 20
        thread.start()
      }
    })
  }

  /// Threads that start their work at the same moment.
  private final class Crew: Sendable {
    private struct Log {
      var start: ContinuousClock.Instant?
      var end: ContinuousClock.Instant?
      var finished = 0
    }

    private let size: Int
    private let ready = Atomic(0)
    private let log = Mutex(Log())
    private let completion: @Sendable (Duration) -> Void

    init(size: Int, completion: @escaping @Sendable (Duration) -> Void) {
      self.size = size
      self.completion = completion
    }

    /// Runs one thread's work together with the others.
    ///
    /// The last thread that has released its work completes the crew.
    func run(_ prepare: () -> () -> Void) {
      measure(prepare())
      let duration: Duration? = log.withLock { log in
        log.finished += 1
        return log.finished == size ? log.end! - log.start! : nil
      }
      if let duration { completion(duration) }
    }

    private func measure(_ work: () -> Void) {
      ready.add(1, ordering: .acquiringAndReleasing)
      while ready.load(ordering: .acquiring) < size {}
      let start = ContinuousClock.now
      work()
      let end = ContinuousClock.now
      log.withLock { log in
        log.start = min(log.start ?? start, start)
        log.end = max(log.end ?? end, end)
      }
    }
  }
}
