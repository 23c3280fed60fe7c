/// The error for a dependency cycle.
///
/// Throwing and async providers throw this error. The other kinds stop the program with the same message.
public struct ProviderCycleError: Error, CustomStringConvertible {
  /// The providers of the cycle in the order in which they resolve each other.
  ///
  /// The first provider is also the last.
  public var path: [ProviderInfo]

  /// The message: every provider of the cycle with its place, and how to break the cycle.
  public var description: String { Failure.cycle(path) }
}
