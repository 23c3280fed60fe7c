import Peapod

extension Pod {
  /// Builds what the first screens show: the library, the favourites and the session.
  @discardableResult
  nonisolated(nonsending)
    package func prepareMovies() async throws -> Preparation
  {
    try await prepare(libraryProvider, favouritesProvider, sessionProvider)
  }
}
