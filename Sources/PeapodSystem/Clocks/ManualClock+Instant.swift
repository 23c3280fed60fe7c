extension ManualClock {
  /// A moment of a controllable clock, as the time since the clock was made.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public let offset: Duration

    /// Creates a moment.
    ///
    /// - Parameter offset: The time since the clock was made.
    public init(offset: Duration = .zero) { self.offset = offset }

    /// Returns a later moment, or an earlier moment for a negative duration.
    ///
    /// - Parameter duration: The distance to the returned moment.
    /// - Returns: The moment.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns the time from this moment to another.
    ///
    /// - Parameter other: The other moment.
    /// - Returns: The time, which is negative if the other moment is earlier.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether the left moment is earlier.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }
}
