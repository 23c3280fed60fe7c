import Peapod

/// What belongs to one request: its identifier, its logger, its user, and all that is built from these.
///
/// Each request is answered in a child pod that owns this scope. Because an owner is required, nothing of one user can
/// end up in the pod that all requests share.
struct RequestScope: ProviderScope {
  var requiresOwner: Bool { true }
}

extension ProviderScope where Self == RequestScope {
  static var request: Self { Self() }
}
