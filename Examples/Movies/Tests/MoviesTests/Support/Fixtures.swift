import MoviesCore
import Peapod
import PeapodTesting
import Testing

/// Movies that a test lists.
struct ListedMovies: MovieStore {
  var list: [Movie] = [.metropolis, .alien, .bladeRunner, .amelie]

  func movies() async -> [Movie] { list }
}

extension Movie {
  static let metropolis = Movie(
    id: 1, title: "Metropolis", year: 1927, director: "Fritz Lang", genres: ["Science Fiction", "Drama"])
  static let alien = Movie(
    id: 2, title: "Alien", year: 1979, director: "Ridley Scott", genres: ["Science Fiction", "Thriller"])
  static let bladeRunner = Movie(
    id: 3, title: "Blade Runner", year: 1982, director: "Ridley Scott", genres: ["Science Fiction", "Thriller"])
  static let amelie = Movie(
    id: 4, title: "Amélie", year: 2001, director: "Jean-Pierre Jeunet", genres: ["Comedy"])
}

extension Trait where Self == PodTrait {
  /// A pod with four movies, whose favourites leave no file behind.
  static var movies: Self {
    .pod {
      $0.overrideProvider(movieStoreProvider) { _ in ListedMovies() }
      $0.overrideProvider(favouritesStoreProvider) { _ in MemoryFavouritesStore([Movie.alien.id]) }
      // Not every test needs both.
      $0.allowUnresolvedOverride(movieStoreProvider, favouritesStoreProvider)
    }
  }
}
