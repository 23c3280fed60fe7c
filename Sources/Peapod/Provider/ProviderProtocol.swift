/// What the four kinds of provider have in common.
///
/// Pods take providers through this protocol where the kind does not matter, as in ``Pod/isCached(_:)``. It is not meant
/// to be adopted by other types.
public protocol ProviderProtocol<Value>: Sendable, Hashable, Identifiable, CustomStringConvertible {
  /// The type of what the provider describes.
  associatedtype Value

  /// The identity of the provider: two declarations have two, copies of one have the same.
  var id: ProviderID { get }
}
