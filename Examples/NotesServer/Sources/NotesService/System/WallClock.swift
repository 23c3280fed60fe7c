import Foundation

/// Tells the time, unless a test puts another clock in its place.
public struct WallClock: Sendable {
  private let date: @Sendable () -> Date

  /// Makes a clock that gets its time from a function.
  ///
  /// - Parameter date: Returns the time.
  public init(_ date: @escaping @Sendable () -> Date) {
    self.date = date
  }

  /// The clock of this machine.
  public static let system = WallClock { Date.now }

  /// The time, to the millisecond.
  public var now: Timestamp { Timestamp(date()) }
}
