import Foundation

/// A moment, to the millisecond, so that it is the same in memory, in the database and in JSON.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Milliseconds since the beginning of 1970, in universal time.
  public let milliseconds: Int64

  /// Makes a moment from milliseconds since the beginning of 1970.
  ///
  /// - Parameter milliseconds: How many have passed since then.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Makes a moment from a date; what is less than a millisecond is cut off.
  ///
  /// - Parameter date: The date.
  public init(_ date: Date) {
    milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded(.down))
  }

  /// Returns a later moment.
  func adding(_ duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    return Timestamp(milliseconds: milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }

  /// Whether one moment is before another.
  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}

extension Timestamp: CustomStringConvertible {
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  /// The moment as in `2026-01-31T12:00:00.000Z`.
  public var description: String {
    // Half a millisecond more, because the style cuts off what a binary fraction may lack.
    Date(timeIntervalSince1970: (Double(milliseconds) + 0.5) / 1000).formatted(Self.style)
  }
}

extension Timestamp: Encodable {
  /// Writes the moment as text.
  ///
  /// - Parameter encoder: Where to write it.
  /// - Throws: The error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
