import Peapod

/// The scope of the instances that belong to one request: its identifier, its logger and its user.
///
/// Each request is answered in a child pod that owns this scope. Because an owner is required, the pod that all requests
/// share never caches an instance of this scope.
struct RequestScope: ProviderScope {
  var requiresOwner: Bool { true }
}

extension ProviderScope where Self == RequestScope {
  static var request: Self { Self() }
}
