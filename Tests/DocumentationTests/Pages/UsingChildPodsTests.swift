import Peapod
import Testing

// snippet: Child declare
private final class Database: Sendable {}
private final class Logger: Sendable {
  let prefix: String
  init(prefix: String) { self.prefix = prefix }
}
private final class Importer: Sendable {
  let database: Database
  let logger: Logger
  init(database: Database, logger: Logger) {
    self.database = database
    self.logger = logger
  }
}

private let databaseProvider = Provider { _ in Database() }
private let loggerProvider = Provider { _ in Logger(prefix: "app") }
private let importerProvider = Provider { pod in
  Importer(database: pod.resolve(databaseProvider), logger: pod.resolve(loggerProvider))
}
// end

// snippet: Child request
private struct RequestScope: ProviderScope {
  var requiresOwner: Bool { true }
}

private struct User: Sendable { let name: String }
private final class Basket: Sendable {
  let user: User
  let database: Database
  init(user: User, database: Database) {
    self.user = user
    self.database = database
  }
}

private let userProvider = Provider<User>("user", scope: RequestScope()) { _ in
  fatalError("each request sets its user")
}
private let basketProvider = Provider(scope: RequestScope()) { pod in
  Basket(user: pod.resolve(userProvider), database: pod.resolve(databaseProvider))
}
// end

// snippet: Child handler
private func handle(_ name: String, in root: Pod) async -> String {
  await root.withChild("request", owning: [RequestScope()]) {
    $0.overrideProvider(userProvider, withValue: User(name: name))
  } operation: { request in
    await Task.yield()
    return "basket of \(request.resolve(basketProvider).user.name)"
  }
}
// end

@Suite("Using child pods", .transcript)
struct UsingChildPodsTests {
  private let root = Pod()

  @Test("What is built from an override lives in the child, everything else is shared")
  func sharing() throws {
    // snippet: Child sharing
    let child = root.makeChild("nightly") {
      $0.overrideProvider(loggerProvider) { _ in Logger(prefix: "nightly") }
    }
    let own = child.resolve(importerProvider)
    let shared = root.resolve(importerProvider)
    print(own === shared)
    print(own.logger.prefix, shared.logger.prefix)
    print(own.database === shared.database)
    // end
    try expectOutput(of: "Child sharing")
  }

  @Test("A child that changes nothing shares everything")
  func untouched() {
    let child = root.makeChild()
    #expect(child.resolve(importerProvider) === root.resolve(importerProvider))
    #expect(child.parent === root)
  }

  @Test("Each request has its own instances of the scope that it owns")
  func requests() async throws {
    // snippet: Child requests
    async let ada = handle("Ada", in: root)
    async let bob = handle("Bob", in: root)
    print(await ada, await bob, separator: ", ")
    // end
    try expectOutput(of: "Child requests")
  }

  @Test("A scope that requires an owner is refused where no pod owns it")
  func owner() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Pod().resolve(basketProvider)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("RequestScope"))
  }

  @Test("A scope is cleared in the pod that owns it, from any pod below")
  func clearing() throws {
    // snippet: Child clearing
    struct TabScope: ProviderScope {}
    let draftProvider = Provider("draft", scope: TabScope()) { _ in Logger(prefix: "draft") }

    let tab = root.makeChild("tab", owning: [TabScope()])
    let otherTab = root.makeChild("other tab", owning: [TabScope()])
    _ = tab.resolve(draftProvider)
    _ = otherTab.resolve(draftProvider)

    tab.makeChild("sheet").clearCachedInstances(forScope: TabScope())
    print(tab.isCached(draftProvider), otherTab.isCached(draftProvider))
    // end
    try expectOutput(of: "Child clearing")
  }

  @Test("A child that goes disposes what it kept")
  func end() throws {
    // snippet: Child end
    struct TaskScope: ProviderScope {}
    let fileProvider = Provider("file", scope: TaskScope()) { _ in
      "log.txt"
    } onDispose: { file in
      print("closed \(file)")
    }

    root.withChild(owning: [TaskScope()]) { child in
      print("writing \(child.resolve(fileProvider))")
    }
    // end
    try expectOutput(of: "Child end")
  }

  @Test("Pod.current is the pod at work inside withChild")
  func current() throws {
    // snippet: Child current
    root.withChild("import") { _ in print(Pod.current.name) }
    // end
    try expectOutput(of: "Child current")
  }
}
