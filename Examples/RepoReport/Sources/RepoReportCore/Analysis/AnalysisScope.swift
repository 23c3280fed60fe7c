import Peapod

/// What belongs to one reading of a repository's history.
///
/// It is a child of `RepositoryScope`. Clearing it makes the next report read the history again, and keeps what is
/// known about the repository itself.
struct AnalysisScope: ProviderScope {
  var requiresOwner: Bool { true }
}

extension ProviderScope where Self == AnalysisScope {
  static var analysis: Self { Self() }
}
