import MoviesCore
import MoviesUI
import Peapod

/// The app; where there is no SwiftUI, a program that prints the movies in which all of its arguments occur.
@main
enum Movies {
  #if canImport(SwiftUI)
    static func main() {
      MoviesApp.main()
    }
  #else
    @MainActor
    static func main() async throws {
      let library = try await Pod.shared.resolve(libraryProvider)
      let search = Pod.shared.resolve(movieSearchProvider)
      search.query = CommandLine.arguments.dropFirst().joined(separator: " ")
      for movie in search.results(in: library) {
        print("\(movie.title) (\(movie.year)), \(movie.director)")
      }
    }
  #endif
}
