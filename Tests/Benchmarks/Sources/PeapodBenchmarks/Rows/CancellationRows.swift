import Peapod

extension Row {
  /// How the time to cancel all waiters of one async build depends on their number.
  static var cancellations: [Row] {
    [
      Row(
        "cancel all waiters of one async build", "per waiter of 10,000", against: "per waiter of 1,000", limit: 2,
        sizes: (10_000, 1_000), subject: cancelWaiters(10_000), baseline: cancelWaiters(1_000))
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
    let start = ContinuousClock.now
    for waiter in shuffled { waiter.cancel() }
    for waiter in waiters {
      guard await waiter.value else { fatalError("a canceled waiter received something other than CancellationError") }
    }
    let time = ContinuousClock.now - start
    ending.finish()
    return time
  }
}
