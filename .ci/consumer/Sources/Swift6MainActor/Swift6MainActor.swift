import Peapod
import PeapodUI

protocol Store {
  func load() -> [String]
}
final class LiveStore: Store {
  func load() -> [String] { ["live"] }
}
final class MockStore: Store {
  func load() -> [String] { ["mock"] }
}
final class Row {
  let title: String
  init(title: String) { self.title = title }
}
final class List {
  let rows: [Row]
  init(_ store: any Store, row: (String) -> Row) { rows = store.load().map(row) }
}
nonisolated struct Settings: Sendable {
  var prefix = "- "
}

nonisolated let settingsProvider = Provider { _ in Settings() }
let storeProvider = MainActorProvider<any Store> { _ in LiveStore() }
let rowProvider = MainActorProvider.family(scope: .alwaysCreateNew) { (pod, title: String) in
  Row(title: pod.resolve(settingsProvider).prefix + title)
}
let listProvider = MainActorProvider { pod in List(pod.resolve(storeProvider), row: pod.factory(rowProvider)) }

@main struct Swift6MainActor {
  static func main() {
    let pod = Pod()
    precondition(pod.resolve(listProvider).rows.map(\.title) == ["- live"])
    pod.overrideProvider(storeProvider, withValue: MockStore())
    precondition(pod.resolve(listProvider).rows.map(\.title) == ["- mock"])
    pod.removeAllOverrides()
    print("Swift 6, main actor: \(pod.resolve(listProvider).rows.map(\.title))")
  }
}
