/// The error of a provider that cannot be built because it needs itself.
///
/// Throwing and asynchronous providers throw it; the other kinds stop the program with the same text.
public struct ProviderCycleError: Error, CustomStringConvertible {
  /// The providers on the cycle in the order in which they ask; the first is also the last.
  public var path: [ProviderInfo]

  /// All providers on the cycle with their places, and how to break it.
  public var description: String { Failure.cycle(path) }
}
