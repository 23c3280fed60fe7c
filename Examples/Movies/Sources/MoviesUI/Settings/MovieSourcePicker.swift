#if canImport(SwiftUI)
  import MoviesCore
  import Peapod
  import PeapodUI
  import SwiftUI

  /// The settings: where the movies come from.
  struct MovieSourcePicker: View {
    @Environment(\.pod) private var pod
    @Resolve(movieSourceProvider, following: true) private var source

    var body: some View {
      let (pod, source) = (pod, source)
      Picker("Movies", selection: Binding(get: { source }, set: { pod.useMovies(from: $0) })) {
        ForEach(MovieSource.allCases, id: \.self) { Text(verbatim: $0.rawValue).tag($0) }
      }
    }
  }

  #Preview(traits: .previews) {
    MovieSourcePicker()
  }
#endif
