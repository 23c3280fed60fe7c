// snippet: Child declare
import Peapod
// end
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

// snippet: Child owner
private struct AccountScope: ProviderScope {
  var requiresOwner: Bool { true }
}

private final class Inbox: Sendable {}

private let inboxProvider = Provider(scope: AccountScope()) { _ in Inbox() }
// end

// snippet: Child inner
private let userProvider = Provider { _ in "nobody" }
private let themeProvider = Provider { _ in "light" }
private let pageProvider = Provider { pod in "\(pod.resolve(userProvider)) in \(pod.resolve(themeProvider))" }
private let darkPageProvider = Provider { pod in
  pod.withChild(configure: { $0.overrideProvider(themeProvider, withValue: "dark") }) { $0.resolve(pageProvider) }
}
// end

@Suite("Child pods", .transcript)
struct ChildPodsTests {
  private let root = Pod()

  @Test("A child has its own dependents of its override and shares everything else")
  func sharing() throws {
    // snippet: Child sharing
    let root = Pod("root")
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

  @Test("Each owner has its own instances of the scope")
  func owners() throws {
    // snippet: Child owner use
    let ada = root.makeChild("Ada", owning: [AccountScope()])
    let bob = root.makeChild("Bob", owning: [AccountScope()])
    print(ada.resolve(inboxProvider) === bob.resolve(inboxProvider))
    // end
    try expectOutput(of: "Child owner use")
  }

  @Test("A scope that requires an owner is refused where no pod owns it")
  func owner() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Pod().resolve(inboxProvider)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("AccountScope"))
  }

  @Test("A scope is cleared in the pod that owns it, from any descendant")
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

  @Test("A released child disposes its instances")
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

  @Test("Pod.current is the child inside withChild")
  func current() throws {
    // snippet: Child current
    root.withChild("import") { _ in print(Pod.current.name) }
    // end
    try expectOutput(of: "Child current")
  }

  @Test("An override reaches an instance that was built through an inner pod")
  func inner() throws {
    // snippet: Child inner use
    print(root.resolve(darkPageProvider))
    root.overrideProvider(userProvider, withValue: "Ada")
    print(root.resolve(darkPageProvider))
    // end
    try expectOutput(of: "Child inner use")
  }
}
