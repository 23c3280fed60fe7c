import Foundation

/// Movies in a file of JSON.
package struct JSONMovieStore: MovieStore {
  let file: URL

  package init(file: URL) {
    self.file = file
  }

  package func movies() async throws -> [Movie] {
    try JSONDecoder().decode([Movie].self, from: Data(contentsOf: file))
  }
}
