import Observation
import Peapod

/// A search in a list of movies.
@MainActor
@Observable
package final class MovieSearch {
  package var query = ""
  /// The genre to show; all if there is none.
  package var genre: String?
  package var showsFavouritesOnly = false
  private let favourites: Favourites

  package init(favourites: Favourites) {
    self.favourites = favourites
  }

  /// The movies in which every word of the query occurs, in the title, the director or the year.
  package func results(in library: MovieLibrary) -> [Movie] {
    let words = query.folded.split(whereSeparator: \.isWhitespace)
    return library.movies.filter { movie in
      if let genre, !movie.genres.contains(genre) { return false }
      if showsFavouritesOnly, !favourites.contains(movie) { return false }
      let text = "\(movie.title) \(movie.director) \(movie.year)".folded
      return words.allSatisfy { text.contains($0) }
    }
  }
}

/// Each list has a search of its own, which lasts as long as its view.
package let movieSearchProvider = MainActorProvider("search", scope: .alwaysCreateNew) { pod in
  MovieSearch(favourites: pod.resolve(favouritesProvider))
}
