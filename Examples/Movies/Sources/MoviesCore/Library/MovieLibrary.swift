import Foundation
import Peapod

/// All movies, by title.
package struct MovieLibrary: Sendable {
  package let movies: [Movie]
  /// Every genre that a movie has, by name.
  package let genres: [String]
  private let moviesByID: [Movie.ID: Movie]

  package init(_ movies: [Movie]) {
    self.movies = movies.sorted { ($0.title.folded, $0.year, $0.id) < ($1.title.folded, $1.year, $1.id) }
    genres = Set(movies.flatMap(\.genres)).sorted()
    moviesByID = Dictionary(movies.map { ($0.id, $0) }) { first, _ in first }
  }

  package subscript(id: Movie.ID) -> Movie? { moviesByID[id] }

  /// The movies that share the most genres with one, at most five, and none that shares nothing.
  package func movies(similarTo movie: Movie) -> [Movie] {
    let others = movies.filter { $0.id != movie.id }
    let ranked = others.map { (movie: $0, shared: Set($0.genres).intersection(movie.genres).count) }
      .filter { $0.shared > 0 }
      .sorted { ($1.shared, abs($0.movie.year - movie.year)) < ($0.shared, abs($1.movie.year - movie.year)) }
    return ranked.prefix(5).map(\.movie)
  }
}

/// Read once, however many views wait for it.
package let libraryProvider = AsyncProvider("library") { pod in
  MovieLibrary(try await pod.resolve(movieStoreProvider).movies())
}

extension String {
  /// The text without what is different only in case or in accents.
  var folded: String { folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil) }
}
