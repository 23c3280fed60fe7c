// snippet: Server declare
import Peapod
// end
import Testing

// snippet: Server declare
private struct RequestScope: ProviderScope {
  var requiresOwner: Bool { true }
}

private final class Database: Sendable {}

private let databaseProvider = Provider { _ in Database() }
// end

// snippet: Server family
private struct User: Hashable, Sendable { let name: String }

private final class Basket: Sendable {
  let user: User
  let database: Database

  init(user: User, database: Database) {
    self.user = user
    self.database = database
  }
}

private let basketProvider = Provider.family(scope: RequestScope()) { (pod, user: User) in
  Basket(user: user, database: pod.resolve(databaseProvider))
}
// end

// snippet: Server handler
private func handle(_ user: User, in root: Pod) async -> String {
  await root.withChild("request", owning: [RequestScope()]) { request in
    await Task.yield()
    return "basket of \(request.resolve(basketProvider(user)).user.name)"
  }
}
// end

// snippet: Server default
private let visitorProvider = Provider("visitor", scope: RequestScope()) { _ in User(name: "guest") }
private let greetingProvider = Provider(scope: RequestScope()) { pod in
  "Hello, \(pod.resolve(visitorProvider).name)."
}
// end

// snippet: Server prepared
private final class Connection: Sendable {
  static func open() async throws -> Connection { Connection() }
  func close() async {}
}

private struct Orders: Sendable { let connection: Connection }

private let connectionProvider = AsyncProvider { _ in
  try await Connection.open()
} onDispose: { connection in
  await connection.close()
}
private let ordersProvider = Provider { pod in Orders(connection: pod.prepared(connectionProvider)) }

extension Pod {
  func prepared<Value>(_ provider: AsyncProvider<Value>) -> Value {
    guard let instance = cachedInstance(of: provider) else {
      fatalError("\(provider) has no cached instance in the pod \(name): call `prepare` in this pod first")
    }
    return instance
  }
}
// end

@Suite("Servers", .transcript)
struct ServersTests {
  @Test("Each request has its own instances of the request scope")
  func requests() async throws {
    // snippet: Server requests
    let root = Pod("server")
    async let ada = handle(User(name: "Ada"), in: root)
    async let bob = handle(User(name: "Bob"), in: root)
    print(await ada, await bob, separator: ", ")
    // end
    try expectOutput(of: "Server requests")
  }

  @Test("A child overrides a value that has a default")
  func defaults() throws {
    let root = Pod("server")
    // snippet: Server default use
    let guest = root.makeChild("guest", owning: [RequestScope()])
    let member = root.makeChild("member", owning: [RequestScope()]) {
      $0.overrideProvider(visitorProvider, withValue: User(name: "Eve"))
    }
    print(guest.resolve(greetingProvider), member.resolve(greetingProvider))
    // end
    try expectOutput(of: "Server default use")
  }

  @Test("A handler configures the child of its request")
  func handler() async throws {
    let root = Pod("server")
    // snippet: Server configure
    let answer = await root.withChild("member", owning: [RequestScope()]) {
      $0.overrideProvider(visitorProvider, withValue: User(name: "Flo"))
    } operation: { request async in
      request.resolve(greetingProvider)
    }
    print(answer)
    // end
    try expectOutput(of: "Server configure")
  }

  @Test("The root refuses to cache an instance of the request scope")
  func root() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Pod("server").resolve(basketProvider(User(name: "Ada")))
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("RequestScope") && text.contains("server"))
  }
}
