import Peapod

/// A class instance that a pod keeps, remembered without keeping it.
struct TrackedInstance {
  private(set) weak var object: AnyObject?
  let typeName: String

  /// The providers that gave it; the one that built it first, then those that passed it on.
  let providers: [ProviderInfo]

  init(_ object: AnyObject, providers: [ProviderInfo]) {
    self.object = object
    self.providers = providers
    typeName = String(describing: type(of: object))
  }

  var description: String {
    "The \(typeName) of \(providers.map(\.labelAndPlace).joined(separator: ", and of "))"
  }
}
