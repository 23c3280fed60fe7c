import Peapod

/// The scope of the instances that belong to one reading of a repository's history.
///
/// It is a child of `RepositoryScope`. After a clear, the next report reads the history again. The instances of the
/// repository itself stay cached.
struct AnalysisScope: ProviderScope {
  var requiresOwner: Bool { true }
}

extension ProviderScope where Self == AnalysisScope {
  static var analysis: Self { Self() }
}
