// A view waits for asynchronous providers and members of families, and offers another attempt.
// modes: 5 6 5-main-actor 6-main-actor 6-approachable
import Peapod
import PeapodUI
import SwiftUI

nonisolated struct Library: Sendable { var titles: [String] }

nonisolated let libraryProvider = AsyncProvider { _ in Library(titles: ["Metropolis"]) }
nonisolated let coverProvider = AsyncProvider.family { (pod, title: String) in title.uppercased() }

struct LibraryView: View {
  @Environment(\.dismiss) private var dismiss

  var body: some View {
    AsyncResolve(libraryProvider) { phase in
      switch phase {
      case .loading:
        ProgressView()
      case .value(let library):
        ForEach(library.titles, id: \.self) { title in
          AsyncResolve(coverProvider(title)) { cover in
            Text(verbatim: cover.value ?? title)
          }
        }
      case .failure(let error, let retry):
        Text(verbatim: "\(error)")
        Button("Try again", action: retry)
        Button("Go back") { dismiss() }
      }
    }
    AsyncResolve(libraryProvider) { phase, reload in
      Text(verbatim: phase.value?.titles.first ?? "").task { await reload() }
    }
  }
}
