import Peapod

/// The content of the page of a movie.
package struct MovieDetails: Sendable {
  package let movie: Movie
  package let similar: [Movie]
}

/// There is no movie with this number.
package struct MovieNotFound: Error, Equatable {
  package let id: Movie.ID

  package init(id: Movie.ID) {
    self.id = id
  }
}

/// A provider for each movie.
package let movieDetailsProvider = AsyncProvider.family("details") { (pod, id: Movie.ID) in
  let library = try await pod.resolve(libraryProvider)
  guard let movie = library[id] else { throw MovieNotFound(id: id) }
  return MovieDetails(movie: movie, similar: library.movies(similarTo: movie))
}
