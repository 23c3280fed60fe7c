import Foundation
import Peapod
import PeapodSystem
import PeapodUI

final class Database: Sendable {
  let name: String
  init(name: String) { self.name = name }
}
struct RequestScope: ProviderScope {
  var requiresOwner: Bool { true }
}
final class Session: Sendable {
  let user: String
  init(user: String) { self.user = user }
}
@MainActor final class Model {
  let session: Session
  init(_ session: Session) { self.session = session }
}

let databaseProvider = AsyncProvider { _ in
  await Task.yield()
  return Database(name: "notes")
} onDispose: { database in
  await Task.yield()
  print("closed \(database.name)")
}
let userProvider = Provider { _ in "nobody" }
let sessionProvider = Provider(scope: RequestScope()) { pod in Session(user: pod.resolve(userProvider)) }
let noteProvider = Provider.family { (pod, id: Int) in "note \(id)" }
let modelProvider = MainActorProvider { pod in Model(pod.resolve(sessionProvider)) }

func serve(_ user: String, from pod: Pod, with database: Database) async throws -> String {
  try await pod.withChild(
    owning: [RequestScope()], configure: { $0.overrideProvider(userProvider, withValue: user) }
  ) { request in
    let shared = try await request.resolve(databaseProvider)
    precondition(shared === database)
    return await request.resolve(modelProvider).session.user
  }
}

struct Ticket {
  @Injected(.uuid) var uuid
  @LazyInjected(.date) var date
}

func checkSystem() async throws {
  let pod = Pod()
  try await pod.resolve(.clock).sleep(for: .zero)
  pod.useDeterministicSystem(now: .distantPast, seed: 1)
  let clock = ManualClock()
  pod.overrideProvider(.clock, withValue: clock)
  let reminder = Task { try await pod.resolve(.clock).sleep(for: .seconds(3600)) }
  await clock.run()
  try await reminder.value
  precondition(clock.now.offset == .seconds(3600))
  var random = pod.resolve(.random)
  precondition(random.next() == RandomSource.seeded(1).next())
  precondition((1...6).contains(Int.random(in: 1...6, using: &random)))
  let ticket = Pod.$current.withValue(pod) { Ticket() }
  precondition(ticket.uuid() == UUID(uuidString: "00000000-0000-0000-0000-000000000000"))
  precondition(ticket.date.now == .distantPast)
  pod.removeOverrideProvider(.date)
  precondition(pod.resolve(.date).now > .distantPast)
}

@main struct Swift6 {
  static func main() async throws {
    try await checkSystem()
    let pod = Pod()
    let database = try await pod.resolve(databaseProvider)
    precondition(pod.cachedInstance(of: databaseProvider) === database)
    precondition(pod.resolve(noteProvider(3)) == "note 3")
    async let one = serve("Ada", from: pod, with: database)
    async let two = serve("Grace", from: pod, with: database)
    let users = try await [one, two]
    precondition(users == ["Ada", "Grace"])
    let other = pod.withOverrides({ $0.overrideProvider(userProvider, withValue: "Alan") }) {
      pod.resolve(userProvider)
    }
    precondition(other == "Alan" && pod.resolve(userProvider) == "nobody")
    precondition(pod.graph.dot().contains("digraph"))
    await pod.shutdown()
    print("Swift 6: \(users)")
  }
}
