import Foundation

/// The movies that come with the app.
package struct SampleMovieStore: MovieStore {
  package init() {}

  package func movies() async throws -> [Movie] {
    guard let file = Bundle.module.url(forResource: "Movies", withExtension: "json") else {
      throw CocoaError(.fileNoSuchFile)
    }
    return try await JSONMovieStore(file: file).movies()
  }
}
