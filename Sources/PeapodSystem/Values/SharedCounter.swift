import Synchronization

/// A counter that any thread may use.
final class SharedCounter: Sendable {
  private let count: Atomic<UInt64>
  private let step: UInt64

  /// Creates a counter.
  ///
  /// - Parameters:
  ///   - start: The first number.
  ///   - step: The distance between two numbers. The numbers wrap around.
  init(from start: UInt64 = 0, step: UInt64 = 1) {
    count = Atomic(start)
    self.step = step
  }

  /// Returns a number and moves on to the next number.
  func next() -> UInt64 { count.wrappingAdd(step, ordering: .relaxed).oldValue }
}
