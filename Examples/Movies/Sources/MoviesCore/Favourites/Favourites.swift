import Observation
import Peapod

/// The favourites of the user: one model, which all views share.
@MainActor
@Observable
package final class Favourites {
  /// The error of the last read or write, if there was one.
  package private(set) var problem: (any Error)?
  private var ids: Set<Movie.ID> = []
  private let store: any FavouritesStore

  package init(store: any FavouritesStore) {
    self.store = store
    do { ids = try store.load() } catch { problem = error }
  }

  package func contains(_ movie: Movie) -> Bool { ids.contains(movie.id) }

  /// Makes a movie a favourite, or no longer one.
  package func toggle(_ movie: Movie) {
    if ids.remove(movie.id) == nil { ids.insert(movie.id) }
    do {
      try store.save(ids)
      problem = nil
    } catch {
      problem = error
    }
  }
}

package let favouritesProvider = MainActorProvider("favourites") { pod in
  Favourites(store: pod.resolve(favouritesStoreProvider))
}
