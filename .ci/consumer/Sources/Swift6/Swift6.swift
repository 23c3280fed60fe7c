import Peapod
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

@main struct Swift6 {
  static func main() async throws {
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
