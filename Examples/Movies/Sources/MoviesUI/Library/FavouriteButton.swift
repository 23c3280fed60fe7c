#if canImport(SwiftUI)
  import MoviesCore
  import PeapodUI
  import SwiftUI

  /// Makes a movie a favourite: wherever it is shown, for all views share one model.
  struct FavouriteButton: View {
    let movie: Movie
    @Resolve(favouritesProvider) private var favourites

    var body: some View {
      Button {
        favourites.toggle(movie)
      } label: {
        Image(systemName: favourites.contains(movie) ? "star.fill" : "star")
      }
      .buttonStyle(.borderless)
      .accessibilityLabel("Favourite")
    }
  }
#endif
