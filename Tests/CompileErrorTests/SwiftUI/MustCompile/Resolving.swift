// A view resolves providers of both kinds and members of families, and binds to models.
// modes: 5 6 5-main-actor 6-main-actor 6-approachable
import Observation
import Peapod
import PeapodUI
import SwiftUI

@MainActor @Observable
final class SearchModel {
  var query = ""
  var options = Options()
}

struct Options: Sendable {
  var isExact = false
}

nonisolated struct Greeting: Sendable { let text: String }

@MainActor
protocol Clock { var time: String { get } }

@MainActor
final class WallClock: Clock { let time = "noon" }

nonisolated let searchProvider = MainActorProvider(scope: .alwaysCreateNew) { _ in SearchModel() }
nonisolated let clockProvider = MainActorProvider<any Clock> { _ in WallClock() }
nonisolated let greetingProvider = Provider.family { (pod, name: String) in Greeting(text: name) }
nonisolated let historyProvider = MainActorProvider.family(scope: .weak) { (pod, id: Int) in SearchModel() }

struct SearchView: View {
  @Resolve(searchProvider) private var search
  @Resolve(clockProvider) private var clock
  @Resolve private var greeting: Greeting
  @Resolve private var history: SearchModel
  @Resolve(searchProvider, following: true) private var followed
  @Resolve(greetingProvider("all"), following: true) private var common

  init(name: String, id: Int) {
    _greeting = Resolve(greetingProvider(name))
    _history = Resolve(historyProvider(id))
  }

  var body: some View {
    Text(verbatim: greeting.text + clock.time)
    TextField("Search", text: $search.query)
    Toggle("Exact", isOn: $search.options.isExact)
    TextField("History", text: $history.query)
    TextField("Followed", text: $followed.query)
    Text(verbatim: common.text)
    Button("Clear") { search.query = "" }
    Text(verbatim: search.query).task { search.query = await last() }
  }

  private func last() async -> String { history.query }
}
