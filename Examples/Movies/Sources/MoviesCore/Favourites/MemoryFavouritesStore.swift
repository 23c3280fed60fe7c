import Synchronization

/// Favourites that are forgotten: for previews and tests.
package final class MemoryFavouritesStore: FavouritesStore {
  private let favourites: Mutex<Set<Movie.ID>>

  package init(_ favourites: Set<Movie.ID> = []) {
    self.favourites = Mutex(favourites)
  }

  package func load() -> Set<Movie.ID> {
    favourites.withLock { $0 }
  }

  package func save(_ favourites: Set<Movie.ID>) {
    self.favourites.withLock { $0 = favourites }
  }
}
