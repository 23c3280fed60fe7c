/// How much of something is allowed: so much at once, and so much in the long run.
public struct Rate: Hashable, Sendable {
  /// How many in the long run.
  public var perSecond: Double
  /// How many at once, after a pause.
  public var burst: Double

  /// Makes a rate.
  ///
  /// - Parameters:
  ///   - perSecond: How many in the long run.
  ///   - burst: How many at once, after a pause.
  public init(perSecond: Double, burst: Double) {
    self.perSecond = perSecond
    self.burst = burst
  }
}
