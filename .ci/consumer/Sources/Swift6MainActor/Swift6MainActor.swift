import Foundation
import Peapod
import PeapodSystem
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

struct Ticket {
  @Injected(.uuid) var uuid
  @LazyInjected(.date) var date
}

final class Reminder {
  private let clock: any Clock<Duration>
  private(set) var isRinging = false
  init(_ clock: any Clock<Duration>) { self.clock = clock }
  func start() {
    Task {
      try await clock.sleep(for: .seconds(3600))
      isRinging = true
    }
  }
}
let reminderProvider = MainActorProvider { pod in Reminder(pod.resolve(.clock)) }

func checkSystem() async {
  let pod = Pod()
  pod.useDeterministicSystem(now: .distantPast, seed: 1)
  let clock = ManualClock()
  pod.overrideProvider(.clock, withValue: clock)
  pod.overrideProvider(.date, withValue: DateSource { .distantFuture })
  let reminder = pod.resolve(reminderProvider)
  reminder.start()
  await clock.advance(by: .seconds(3600))
  precondition(reminder.isRinging)
  let ticket = Pod.$current.withValue(pod) { Ticket() }
  precondition(ticket.uuid() == UUID(uuidString: "00000000-0000-0000-0000-000000000000"))
  precondition(ticket.date.now == .distantFuture)
}

@main struct Swift6MainActor {
  static func main() async {
    await checkSystem()
    let pod = Pod()
    precondition(pod.resolve(listProvider).rows.map(\.title) == ["- live"])
    pod.overrideProvider(storeProvider, withValue: MockStore())
    precondition(pod.resolve(listProvider).rows.map(\.title) == ["- mock"])
    pod.removeAllOverrides()
    print("Swift 6, main actor: \(pod.resolve(listProvider).rows.map(\.title))")
  }
}
