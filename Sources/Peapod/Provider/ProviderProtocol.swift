/// The common interface of the four kinds of provider.
///
/// Functions take a provider through this protocol where the kind does not matter, as in ``Pod/isCached(_:)``. Do not
/// conform other types to this protocol.
public protocol ProviderProtocol<Value>: Sendable, Hashable, Identifiable, CustomStringConvertible {
  /// The type of the value.
  associatedtype Value

  /// The identity of the provider.
  ///
  /// Two declarations have different identities. Copies of a provider have the same identity.
  var id: ProviderID { get }
}
