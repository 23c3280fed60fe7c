#if canImport(SwiftUI)
  import MoviesCore
  import Peapod
  import PeapodUI
  import SwiftUI

  /// The first screen: the library, once it is read.
  struct MovieBrowser: View {
    @Resolve(movieSourceProvider, following: true) private var source

    var body: some View {
      NavigationStack {
        AsyncResolve(libraryProvider) { phase in
          switch phase {
          case .loading:
            ProgressView("Reading the library")
          case .value(let library):
            MovieList(library: library)
          case .failure(_, let retry):
            ContentUnavailableView {
              Label("The library cannot be read", systemImage: "film.stack")
            } actions: {
              Button("Try again", action: retry)
            }
          }
        }
        // Another source has another library.
        .id(source)
        .navigationTitle("Movies")
        .navigationDestination(for: Movie.self) { MoviePage(movie: $0) }
      }
    }
  }

  #Preview("Samples", traits: .previews) {
    MovieBrowser()
  }

  #Preview("No movies", traits: .previews) {
    MovieBrowser().childPod { $0.overrideProvider(movieStoreProvider) { _ in ListedMovies([]) } }
  }

  #Preview("Failure", traits: .pod { $0.overrideProvider(libraryProvider) { _ in throw MovieNotFound(id: 0) } }) {
    MovieBrowser()
  }
#endif
