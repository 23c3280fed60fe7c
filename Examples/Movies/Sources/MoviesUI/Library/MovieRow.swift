#if canImport(SwiftUI)
  import MoviesCore
  import SwiftUI

  /// A movie in a list.
  struct MovieRow: View {
    let movie: Movie

    var body: some View {
      HStack {
        VStack(alignment: .leading) {
          Text(movie.title).font(.headline)
          Text("\(movie.director), \(String(movie.year))").font(.subheadline).foregroundStyle(.secondary)
        }
        Spacer()
        FavouriteButton(movie: movie)
      }
    }
  }
#endif
