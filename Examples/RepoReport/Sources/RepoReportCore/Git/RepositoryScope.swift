import Peapod

/// The scope of the instances that belong to one repository: its path, its mail map, the reader of its log.
///
/// Each repository is reported on in a child pod that owns this scope. Because an owner is required, nothing of one
/// repository can end up in the pod that all of them share.
struct RepositoryScope: ProviderScope {
  var children: [any ProviderScope] { [AnalysisScope()] }
  var requiresOwner: Bool { true }
}

extension ProviderScope where Self == RepositoryScope {
  static var repository: Self { Self() }
}
