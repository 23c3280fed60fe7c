import Peapod

/// Where the movies of the library come from: the choice of the settings screen.
///
/// The settings screen overrides the provider. Everything that was built from the former choice is hidden then, and returns with the choice.
package enum MovieSource: String, CaseIterable, Sendable {
  case samples = "Sample movies"
  case nothing = "No movies"
}

package let movieSourceProvider = Provider("movie source") { _ in MovieSource.samples }

extension Pod {
  /// Switches the source of the movies.
  ///
  /// The library, and every view that follows the source, changes with it.
  package func useMovies(from source: MovieSource) {
    switch source {
    case .samples: removeOverrideProvider(movieSourceProvider)
    case .nothing: overrideProvider(movieSourceProvider, withValue: source)
    }
  }
}
