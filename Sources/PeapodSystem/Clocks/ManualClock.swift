import Synchronization

/// A clock that stands still until a test advances it.
///
/// ```swift
/// let clock = ManualClock()
/// pod.overrideProvider(.clock, withValue: clock)
/// let reminder = Task { try await pod.resolve(.clock).sleep(for: .seconds(3600)) }
/// await clock.advance(by: .seconds(3600))
/// try await reminder.value
/// ```
/// Sleepers wake one at a time, in the order of their deadlines. Sleepers with one deadline wake in the order of their
/// arrival. ``advance(by:)`` says how far a woken task runs before the next sleeper wakes.
public final class ManualClock: Clock {
  let state = Mutex(SleeperQueue())
  let turns = Mutex(TurnQueue())

  /// Creates a clock whose time begins at zero.
  public init() {}

  /// The time to which the clock was advanced.
  ///
  /// A task that wakes reads its own deadline as `now`.
  public var now: Instant { state.withLock { $0.now } }

  /// The smallest distance between two moments: zero, because the clock is exact.
  public var minimumResolution: Duration { .zero }

  /// The number of tasks that sleep on the clock.
  public var sleeperCount: Int { state.withLock { $0.count } }

  /// Suspends the task until the clock is advanced to a deadline.
  ///
  /// A deadline that has come already does not suspend the task.
  ///
  /// - Parameters:
  ///   - deadline: The moment at which the task wakes.
  ///   - tolerance: A tolerance, which the clock ignores because it is exact.
  /// - Throws: `CancellationError` as soon as the task is canceled.
  public nonisolated(nonsending) func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    guard let place = state.withLock({ $0.makePlace(until: deadline) }) else { return }
    let task = TaskIdentity.current
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        begin(SleeperQueue.Sleeper(place: place, task: task, continuation: $0))
      }
    } onCancel: {
      state.withLock { $0.remove(place) }?.continuation.resume(throwing: CancellationError())
    }
    state.withLock { $0.noteReturn(of: task) }
  }

  private func begin(_ sleeper: SleeperQueue.Sleeper) {
    // A cancellation sets the flag before its handler takes the lock, so either this code reads the flag, or the
    // handler finds the sleeper.
    let end: Result<Void, any Error>? = state.withLock {
      if Task.isCancelled { return .failure(CancellationError()) }
      return $0.add(sleeper) ? nil : .success(())
    }
    if let end { sleeper.continuation.resume(with: end) }
  }
}
