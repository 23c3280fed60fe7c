#if canImport(SwiftUI)
  import MoviesCore

  /// The movies of a preview.
  struct ListedMovies: MovieStore {
    private let list: [Movie]

    init(_ list: [Movie]) {
      self.list = list
    }

    func movies() async -> [Movie] { list }
  }
#endif
