#if canImport(SwiftUI)
  import MoviesCore
  import Peapod
  import PeapodUI
  import SwiftUI

  /// A movie, and others like it.
  struct MoviePage: View {
    let movie: Movie

    var body: some View {
      List {
        Section {
          Text(movie.summary)
          HStack {
            Text("\(movie.director), \(String(movie.year)), \(movie.minutes) minutes")
            Spacer()
            FavouriteButton(movie: movie)
          }
        }
        Section("More like this") {
          AsyncResolve(movieDetailsProvider(movie.id)) { phase in
            switch phase {
            case .loading:
              ProgressView()
            case .value(let details):
              ForEach(details.similar) { movie in
                NavigationLink(value: movie) { MovieRow(movie: movie) }
              }
            case .failure(_, let retry):
              Button("Try again", action: retry)
            }
          }
        }
      }
      .navigationTitle(movie.title)
    }
  }

  #Preview(traits: .previews) {
    MoviePage(movie: Movie(id: 1, title: "Metropolis", year: 1927, director: "Fritz Lang", genres: ["Drama"]))
  }
#endif
