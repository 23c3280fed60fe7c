import Synchronization

/// A clock on which a sleep takes no time: the sleep moves the clock forward and returns.
///
/// ```swift
/// pod.overrideProvider(.clock, withValue: ImmediateClock())
/// ```
/// The clock suits code that pauses and then continues. A loop that sleeps forever runs without a pause on this clock, so such
/// a loop needs a ``ManualClock``.
public final class ImmediateClock: Clock {
  /// A moment of the clock.
  public typealias Instant = ManualClock.Instant

  private let time = Mutex(Instant())

  /// Creates a clock whose time begins at zero.
  public init() {}

  /// The latest deadline of all sleeps so far.
  ///
  /// Before the first sleep, the time is zero.
  public var now: Instant { time.withLock { $0 } }

  /// The smallest distance between two moments: zero, because the clock is exact.
  public var minimumResolution: Duration { .zero }

  /// Moves the clock to a deadline and returns.
  ///
  /// Other tasks get an opportunity to run.
  ///
  /// - Parameters:
  ///   - deadline: The moment to move the clock to. An earlier moment than `now` does not move the clock.
  ///   - tolerance: A tolerance, which the clock ignores because it is exact.
  /// - Throws: `CancellationError` if the task is canceled.
  public nonisolated(nonsending) func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline) }
    await Task.yield()
  }
}
