/// The result of `prepare`: how long it took, and which builders took longest.
public struct Preparation: Sendable {
  /// One provider of the critical path.
  public struct Step: Sendable {
    /// The provider that was built.
    public var provider: ProviderInfo
    /// The duration of its builder, without the time in which the builder resolved dependencies.
    public var exclusiveDuration: Duration
  }

  /// The time from the call to its return.
  public var duration: Duration
  /// The chain of dependencies that took longest.
  ///
  /// The first step is the dependency that was built first, and the last step is a prepared provider. It contains only
  /// providers whose builds ended during the call and whose instances are still cached at its end. So it is empty if every
  /// prepared instance was cached before.
  public var criticalPath: [Step]
}
