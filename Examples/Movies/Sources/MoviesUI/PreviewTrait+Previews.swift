#if canImport(SwiftUI)
  import MoviesCore
  import Peapod
  import PeapodUI
  import SwiftUI

  extension PreviewTrait where T == Preview.ViewTraits {
    /// A pod for a preview, in which favourites leave no file behind.
    @MainActor static var previews: Self {
      .pod { $0.overrideProvider(favouritesStoreProvider) { _ in MemoryFavouritesStore([1, 18]) } }
    }
  }
#endif
