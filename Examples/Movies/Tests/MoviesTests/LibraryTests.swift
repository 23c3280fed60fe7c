import Foundation
import MoviesCore
import Peapod
import PeapodTesting
import Testing

@Suite("The library", .movies, .strict)
struct LibraryTests {
  private let pod = Pod.current

  @Test("the sample file is in the bundle and can be read", .pod { $0.removeAllOverrides() })
  func samples() async throws {
    let library = try await pod.resolve(libraryProvider)
    #expect(library.movies.count == 22)
    #expect(Set(library.movies.map(\.id)).count == 22)
    #expect(library.movies.allSatisfy { !$0.summary.isEmpty && !$0.genres.isEmpty && $0.minutes > 60 })
    #expect(library[18]?.title == "Spirited Away")
  }

  @Test("a file of JSON is read as it was written")
  func json() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "movies-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try JSONEncoder().encode([Movie.metropolis, .amelie]).write(to: file)
    #expect(try await JSONMovieStore(file: file).movies() == [.metropolis, .amelie])
  }

  @Test("a file that is missing or is no list of movies is an error")
  func brokenFiles() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "movies-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    await #expect(throws: CocoaError.self) { try await JSONMovieStore(file: file).movies() }
    try Data(#"[{"title": "Metropolis"}]"#.utf8).write(to: file)
    await #expect(throws: DecodingError.self) { try await JSONMovieStore(file: file).movies() }
  }

  @Test("movies are listed by title, whatever their case and accents")
  func order() {
    let titles = ["Zulu", "amélie", "Élite", "Alien", "elf"]
    let library = MovieLibrary(titles.enumerated().map { Movie(id: $0, title: $1, year: 2000, director: "") })
    #expect(library.movies.map(\.title) == ["Alien", "amélie", "elf", "Élite", "Zulu"])
  }

  @Test("genres are listed once, by name")
  func genres() async throws {
    #expect(try await pod.resolve(libraryProvider).genres == ["Comedy", "Drama", "Science Fiction", "Thriller"])
  }

  @Test("the store is read once, however many ask")
  func singleFlight() async throws {
    let recorder = ResolutionRecorder(observing: pod)
    try await withThrowingTaskGroup { group in
      for _ in 0..<20 { group.addTask { try await pod.resolve(libraryProvider).movies.count } }
      for try await count in group { #expect(count == 4) }
    }
    #expect(recorder.buildCount(of: libraryProvider) == 1)
  }

  @Test("a library that could not be read is read at the next attempt")
  func nextAttempt() async throws {
    pod.overrideProvider(movieStoreProvider) { _ in JSONMovieStore(file: URL(filePath: "/no/such/file.json")) }
    await #expect(throws: CocoaError.self) { try await pod.resolve(libraryProvider) }
    pod.overrideProvider(movieStoreProvider) { _ in ListedMovies() }
    #expect(try await pod.resolve(libraryProvider).movies.count == 4)
  }

  @Test("a page shows those that share the most genres, the nearest year first")
  func similar() async throws {
    let details = try await pod.resolve(movieDetailsProvider(Movie.alien.id))
    #expect(details.movie == .alien)
    #expect(details.similar == [.bladeRunner, .metropolis])
    #expect(try await pod.resolve(movieDetailsProvider(Movie.amelie.id)).similar.isEmpty)
  }

  @Test("a movie that is not there is an error")
  func notFound() async {
    await #expect(throws: MovieNotFound(id: 99)) { try await pod.resolve(movieDetailsProvider(99)) }
  }
}
