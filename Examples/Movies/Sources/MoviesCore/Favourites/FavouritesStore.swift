import Foundation
import Peapod

/// A store of the favourites between two runs of the app.
package protocol FavouritesStore: Sendable {
  func load() throws -> Set<Movie.ID>
  func save(_ favourites: Set<Movie.ID>) throws
}

package let favouritesStoreProvider = Provider<any FavouritesStore>("favourites store") { _ in
  let files = FileManager.default
  let folder = files.urls(for: .applicationSupportDirectory, in: .userDomainMask).first ?? files.temporaryDirectory
  return FileFavouritesStore(file: folder.appending(path: "Movies/Favourites.json"))
}
