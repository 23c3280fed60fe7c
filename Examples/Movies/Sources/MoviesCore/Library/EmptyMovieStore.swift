/// A store without movies.
package struct EmptyMovieStore: MovieStore {
  package init() {}

  package func movies() async -> [Movie] { [] }
}
