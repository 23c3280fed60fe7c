import Foundation
import MoviesCore
import Peapod
import PeapodTesting
import Testing

@MainActor
@Suite("Favourites", .movies, .strict)
struct FavouritesTests {
  private struct DiskIsFull: Error {}

  private struct FullStore: FavouritesStore {
    func load() throws -> Set<Movie.ID> { [Movie.metropolis.id] }
    func save(_ favourites: Set<Movie.ID>) throws { throw DiskIsFull() }
  }

  private let pod = Pod.current

  @Test("a movie becomes a favourite and is none any more, and the store knows")
  func toggling() throws {
    let favourites = pod.resolve(favouritesProvider)
    #expect(favourites.contains(.alien))
    favourites.toggle(.alien)
    favourites.toggle(.amelie)
    #expect(!favourites.contains(.alien))
    #expect(favourites.contains(.amelie))
    #expect(try pod.resolve(favouritesStoreProvider).load() == [Movie.amelie.id])
  }

  @Test("all views share one model")
  func sharing() {
    #expect(pod.resolve(favouritesProvider) === pod.resolve(favouritesProvider))
  }

  @Test("they are there at the next start")
  func file() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "movies-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    pod.overrideProvider(favouritesStoreProvider) { _ in
      FileFavouritesStore(file: folder.appending(path: "deep/Favourites.json"))
    }
    pod.resolve(favouritesProvider).toggle(.metropolis)
    pod.dispose()
    #expect(pod.resolve(favouritesProvider).contains(.metropolis))
    #expect(!pod.resolve(favouritesProvider).contains(.alien))
  }

  @Test("a store that cannot be written is a problem, and the favourite stays until the end")
  func writing() {
    pod.overrideProvider(favouritesStoreProvider) { _ in FullStore() }
    let favourites = pod.resolve(favouritesProvider)
    #expect(favourites.problem == nil)
    favourites.toggle(.alien)
    #expect(favourites.problem is DiskIsFull)
    #expect(favourites.contains(.alien) && favourites.contains(.metropolis))
  }

  @Test("a store that cannot be read is a problem")
  func reading() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "movies-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("no list".utf8).write(to: file)
    pod.overrideProvider(favouritesStoreProvider) { _ in FileFavouritesStore(file: file) }
    #expect(pod.resolve(favouritesProvider).problem is DecodingError)
  }
}
