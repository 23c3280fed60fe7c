import MoviesCore
import Peapod
import PeapodTesting
import Testing

@MainActor
@Suite("Searching", .movies, .strict)
struct SearchTests {
  private let pod = Pod.current

  private func titles(_ configure: (MovieSearch) -> Void) async throws -> [String] {
    let search = pod.resolve(movieSearchProvider)
    configure(search)
    return search.results(in: try await pod.resolve(libraryProvider)).map(\.title)
  }

  @Test(
    "every word has to occur in the title, the director or the year",
    arguments: [
      ("", ["Alien", "Amélie", "Blade Runner", "Metropolis"]),
      ("  ", ["Alien", "Amélie", "Blade Runner", "Metropolis"]),
      ("ali", ["Alien"]), ("AMELIE", ["Amélie"]), ("scott", ["Alien", "Blade Runner"]),
      ("scott 1982", ["Blade Runner"]),
      ("lang metro", ["Metropolis"]), ("lang 1979", []), ("jean-pierre", ["Amélie"]),
    ])
  func query(query: String, expected: [String]) async throws {
    #expect(try await titles { $0.query = query } == expected)
  }

  @Test("a genre and the favourites narrow it down")
  func filters() async throws {
    #expect(try await titles { $0.genre = "Thriller" } == ["Alien", "Blade Runner"])
    #expect(try await titles { $0.showsFavouritesOnly = true } == ["Alien"])
    let both = try await titles {
      $0.genre = "Comedy"
      $0.showsFavouritesOnly = true
    }
    #expect(both.isEmpty)
  }

  @Test("a new favourite is found at once, in every list")
  func newFavourite() async throws {
    let library = try await pod.resolve(libraryProvider)
    let lists = [pod.resolve(movieSearchProvider), pod.resolve(movieSearchProvider)]
    for list in lists { list.showsFavouritesOnly = true }
    pod.resolve(favouritesProvider).toggle(.metropolis)
    #expect(lists.map { $0.results(in: library) } == [[.alien, .metropolis], [.alien, .metropolis]])
  }

  @Test("each list has a search of its own")
  func ownSearch() {
    #expect(pod.resolve(movieSearchProvider) !== pod.resolve(movieSearchProvider))
  }
}
