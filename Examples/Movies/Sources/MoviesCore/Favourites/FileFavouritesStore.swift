import Foundation

/// Favourites in a file of JSON.
package struct FileFavouritesStore: FavouritesStore {
  let file: URL

  package init(file: URL) {
    self.file = file
  }

  package func load() throws -> Set<Movie.ID> {
    // Before the first favourite there is no file.
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    return try JSONDecoder().decode(Set<Movie.ID>.self, from: Data(contentsOf: file))
  }

  package func save(_ favourites: Set<Movie.ID>) throws {
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try JSONEncoder().encode(favourites.sorted()).write(to: file, options: .atomic)
  }
}
