#if canImport(SwiftUI)
  import MoviesCore
  import PeapodUI
  import SwiftUI

  /// The movies that are found.
  struct MovieList: View {
    let library: MovieLibrary
    @Resolve(movieSearchProvider) private var search
    @State private var isSigningUp = false

    var body: some View {
      let results = search.results(in: library)
      List {
        Section {
          Picker("Genre", selection: $search.genre) {
            Text("All").tag(String?.none)
            ForEach(library.genres, id: \.self) { Text($0).tag(Optional($0)) }
          }
          Toggle("Favourites only", isOn: $search.showsFavouritesOnly)
        }
        Section {
          MovieSourcePicker()
        }
        Section {
          ForEach(results) { movie in
            NavigationLink(value: movie) { MovieRow(movie: movie) }
          }
          if results.isEmpty {
            ContentUnavailableView("Nothing found", systemImage: "magnifyingglass")
          }
        }
      }
      .searchable(text: $search.query, prompt: "Title, director or year")
      .toolbar {
        ToolbarItem(placement: .primaryAction) {
          AccountButton { isSigningUp = true }
        }
      }
      .sheet(isPresented: $isSigningUp) {
        // A child pod for one attempt: the draft is disposed when SwiftUI removes the sheet.
        SignUpView().childPod(owning: [.signUp])
      }
    }
  }

  #Preview(traits: .previews) {
    NavigationStack {
      MovieList(library: MovieLibrary([Movie(id: 1, title: "Metropolis", year: 1927, director: "Fritz Lang")]))
    }
  }
#endif
