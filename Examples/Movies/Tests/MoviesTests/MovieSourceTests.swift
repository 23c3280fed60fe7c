import MoviesCore
import Peapod
import PeapodTesting
import Testing

@Suite("The source of the movies", .pod)
struct MovieSourceTests {
  private let pod = Pod.current

  @Test("the settings switch the library, and the samples return as they were")
  func switching() async throws {
    #expect(try await pod.resolve(libraryProvider).movies.count == 22)
    pod.useMovies(from: .nothing)
    #expect(try await pod.resolve(libraryProvider).movies.isEmpty)
    pod.useMovies(from: .samples)
    #expect(pod.isCached(libraryProvider))
    #expect(try await pod.resolve(libraryProvider).movies.count == 22)
  }

  @Test("what follows the source gets each choice, and what does not depend on it stays")
  @MainActor
  func following() async throws {
    let favourites = pod.resolve(favouritesProvider)
    var sources = pod.updates(of: movieSourceProvider).makeAsyncIterator()
    #expect(await sources.next() == .samples)
    pod.useMovies(from: .nothing)
    #expect(await sources.next() == .nothing)
    pod.useMovies(from: .nothing)
    pod.useMovies(from: .samples)
    #expect(await sources.next() == .samples)
    #expect(pod.resolve(favouritesProvider) === favourites)
  }

  @Test("the app prepares its library and its models at the start")
  @MainActor
  func preparing() async throws {
    let preparation = try await pod.prepareMovies()
    #expect(pod.isCached(libraryProvider) && pod.isCached(favouritesProvider) && pod.isCached(sessionProvider))
    #expect(!preparation.criticalPath.isEmpty)
  }
}
