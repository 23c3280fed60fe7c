import Foundation

/// A source of the current date.
///
/// ```swift
/// let createdAt = pod.resolve(.date).now
/// pod.overrideProvider(.date, withValue: .constant(Date(timeIntervalSince1970: 0)))
/// ```
public struct DateSource: Sendable {
  private let read: @Sendable () -> Date

  /// Creates a source that reads the date from a closure.
  ///
  /// - Parameter now: The closure that returns the current date. Any thread may call the closure.
  public init(_ now: @escaping @Sendable () -> Date) { read = now }

  /// The current date.
  public var now: Date { read() }
}

extension DateSource {
  /// The date of the system's clock.
  public static let system = DateSource { Date() }

  /// Returns a source whose date never changes.
  ///
  /// - Parameter date: The date of the source.
  /// - Returns: The source.
  public static func constant(_ date: Date) -> DateSource { DateSource { date } }
}
