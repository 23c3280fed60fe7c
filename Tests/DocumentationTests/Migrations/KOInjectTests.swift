// snippet: KOInject declare
import Peapod
// end
import Testing

// snippet: KOInject declare
private final class APIClient: Sendable {}
private struct Game: Hashable, Sendable { let name: String }
private final class GameDetails: Sendable {
  let game: Game
  let client: APIClient
  init(game: Game, client: APIClient) {
    self.game = game
    self.client = client
  }
}

private let apiClientProvider = Provider { _ in APIClient() }
private let gameDetailsProvider = Provider.family(scope: .alwaysCreateNew) { (pod, game: Game) in
  GameDetails(game: game, client: pod.resolve(apiClientProvider))
}
// end

// snippet: KOInject lazy
private final class DatabaseClient: Sendable {
  let path: String
  init(path: String) { self.path = path }
  func append(_ text: String) { print("\(path): \(text)") }
}

private let databaseClientProvider = Provider.family { (pod, path: String) in DatabaseClient(path: path) }

private struct Recorder: Sendable {
  let database: Lazy<DatabaseClient>

  func record(_ text: String) {
    database.value.append(text)
    database.dispose()
  }
}

private let recorderProvider = Provider.family(scope: .alwaysCreateNew) { (pod, path: String) in
  Recorder(database: pod.lazy(databaseClientProvider(path)))
}
// end

// snippet: KOInject isolated
private struct Billing: Sendable {
  let client: PerUse<DatabaseClient>
  func pay(_ amount: Int) { client.use { $0.append("paid \(amount)") } }
}

private let billingProvider = Provider { pod in
  Billing(client: pod.perUse(databaseClientProvider("billing")))
}
// end

@Suite("Migrating from KOInject", .transcript)
struct KOInjectTests {
  @Test("Arguments, lazy and isolated use, dispose")
  func basics() throws {
    // snippet: KOInject use
    let pod = Pod()
    print(pod.resolve(gameDetailsProvider(Game(name: "Chess"))).game.name)
    pod.resolve(recorderProvider("log")).record("started")
    pod.resolve(billingProvider).pay(5)
    pod.dispose()
    // end
    try expectOutput(of: "KOInject use")
  }
}
