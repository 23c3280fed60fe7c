import Foundation
import Synchronization

/// A source of UUIDs.
///
/// A call of the source returns the next UUID:
/// ```swift
/// let uuid = pod.resolve(.uuid)
/// let id = uuid()
/// ```
public struct UUIDSource: Sendable {
  private let next: @Sendable () -> UUID

  /// Creates a source that takes its UUIDs from a closure.
  ///
  /// - Parameter next: The closure that returns the next UUID. Any thread may call the closure.
  public init(_ next: @escaping @Sendable () -> UUID) { self.next = next }

  /// Returns the next UUID.
  public func callAsFunction() -> UUID { next() }
}

extension UUIDSource {
  /// The system's random UUIDs.
  public static let system = UUIDSource { UUID() }

  /// A new source that counts up: its first UUID is all zeros, and its second UUID ends in 1.
  ///
  /// Each access returns a source that begins at zero. Copies of that source continue one sequence.
  public static var incrementing: UUIDSource {
    let count = SharedCounter()
    return UUIDSource {
      let bytes = withUnsafeBytes(of: count.next().bigEndian, Array.init)
      return UUID(
        uuid: (
          0, 0, 0, 0, 0, 0, 0, 0, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]
        ))
    }
  }

  /// Returns a source whose UUID is always the same.
  ///
  /// - Parameter uuid: The UUID of the source.
  /// - Returns: The source.
  public static func constant(_ uuid: UUID) -> UUIDSource { UUIDSource { uuid } }
}
