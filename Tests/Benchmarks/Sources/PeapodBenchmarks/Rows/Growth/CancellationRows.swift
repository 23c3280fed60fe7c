import Foundation
import Peapod

extension Row {
  /// How the time to cancel all waiters of one async build depends on their number.
  ///
  /// Ten times as many tasks fill caches that fewer tasks leave empty: waiters written by hand took up to 2.4 times as long each.
  /// A cost of O(n) for each waiter would be nearly 10 times.
  static var cancellations: [Row] {
    [
      Row(
        "cancel all waiters of one async build", "per waiter of 20,000", against: "per waiter of 2,000", limit: 3,
        sizes: (20_000, 2_000), subject: cancelWaiters(20_000), baseline: cancelWaiters(2_000))
    ]
  }

  /// Cancels waiters in random order and waits until each has received its error.
  private static func cancelWaiters(_ size: Int) -> Workload {
    Workload(measuringItself: { @MainActor count in
      var time = Duration.zero
      for _ in 0..<count { time += await timeOfCanceling(size) }
      return time
    })
  }

  @MainActor private static func timeOfCanceling(_ size: Int) async -> Duration {
    let pod = Pod()
    let (gate, ending) = AsyncStream.makeStream(of: Void.self)
    let provider = AsyncProvider { _ in
      for await _ in gate {}
      return Service()
    }
    var started = 0
    let waiters = (0..<size).map { _ in
      // A resolve runs in the isolation of its caller until it waits. So a task that has started on the main actor is a waiter
      // when the main actor runs other code.
      Task { @MainActor in
        started += 1
        do {
          consume(try await pod.resolve(provider))
          return false
        } catch {
          return error is CancellationError
        }
      }
    }
    while started < size { await Task.yield() }
    let shuffled = waiters.shuffled()
    // The time of the processor: the tasks run on the main thread, which a busy neighbor would interrupt.
    let start = clock()
    for waiter in shuffled { waiter.cancel() }
    for waiter in waiters {
      guard await waiter.value else { fatalError("a canceled waiter received something other than CancellationError") }
    }
    let time = Duration.seconds(Double(clock() - start) / Double(CLOCKS_PER_SEC))
    ending.finish()
    return time
  }
}
