/// The error of `prepare`: the first error of a builder, with the provider of that builder.
public struct PreparationError: Error, CustomStringConvertible {
  /// The provider whose builder threw: a prepared provider, or a dependency.
  public var provider: ProviderInfo
  /// The error that the builder threw.
  public var underlyingError: any Error

  /// The name and place of the provider, and the error.
  public var description: String {
    "Peapod: \(provider.name) (\(provider.fileID):\(provider.line)) could not be prepared: \(underlyingError)"
  }
}
