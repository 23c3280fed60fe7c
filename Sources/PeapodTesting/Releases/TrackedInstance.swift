import Peapod

/// A weak reference to a class instance that a pod caches.
struct TrackedInstance {
  private(set) weak var object: AnyObject?
  let typeName: String

  /// The providers of the instance: first the provider that built it, then the providers that return the same instance.
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
