// snippet: Graph declare
import Peapod
// end
// snippet: Graph observer
import Synchronization
// end
import Testing

// snippet: Graph declare
private struct SessionScope: ProviderScope {}

private struct Settings: Sendable {}
private struct Database: Sendable { let settings: Settings }
private struct Uploader: Sendable { let database: @Sendable () -> Database }
private struct Inbox: Sendable {
  let database: Database
  let uploader: Uploader
}

private let settingsProvider = Provider("settings") { _ in Settings() }
private let databaseProvider = Provider("database") { pod in
  Database(settings: pod.resolve(settingsProvider))
}
private let uploaderProvider = Provider("uploader") { pod in
  Uploader(database: pod.factory(databaseProvider))
}
private let inboxProvider = Provider("inbox", scope: SessionScope()) { pod in
  Inbox(database: pod.resolve(databaseProvider), uploader: pod.resolve(uploaderProvider))
}
// end

// snippet: Graph observer
private final class BuildLog: PodObserver {
  private let names = Mutex<[String]>([])
  var built: [String] { names.withLock { $0 } }

  func pod(_ pod: Pod, did event: PodEvent) {
    if case .build(let provider, _, _) = event {
      names.withLock { $0.append(provider.name) }
    }
  }
}
// end

@Suite("Inspecting the graph", .transcript)
struct InspectingTheGraphTests {
  @Test("A graph is read as text")
  func text() throws {
    // snippet: Graph text
    let pod = Pod("App")
    _ = pod.resolve(inboxProvider)
    print(pod.graph)
    // end
    try expectOutput(of: "Graph text")

    // snippet: Graph mermaid
    print(pod.graph.mermaid(), terminator: "")
    // end
    try expectOutput(of: "Graph mermaid")

    // snippet: Graph dot
    print(pod.graph.dot(), terminator: "")
    // end
    try expectOutput(of: "Graph dot")

    // snippet: Graph queries
    let graph = pod.graph
    print(graph.dependencies(of: inboxProvider).map(\.name))
    print(graph.dependents(of: settingsProvider).map(\.name))
    // end
    try expectOutput(of: "Graph queries")

    // snippet: Graph path
    let path = graph.path(from: inboxProvider, to: settingsProvider) ?? []
    print(path.map(\.name))
    // end
    try expectOutput(of: "Graph path")

    // snippet: Graph cost
    let slowest = graph.nodes.sorted { $0.exclusiveDuration > $1.exclusiveDuration }
    for node in slowest.prefix(3) {
      print(node.provider.name, node.buildCount, node.exclusiveDuration, node.inclusiveDuration)
    }
    // end
    #expect(slowest.count == 4)
    #expect(graph.costReport().contains("uploader"))
    #expect(slowest.allSatisfy { $0.buildCount == 1 && $0.inclusiveDuration >= $0.exclusiveDuration })
  }

  @Test("The difference of two graphs is read as text")
  func difference() throws {
    // snippet: Graph difference
    let otherPod = Pod("App")
    _ = otherPod.resolve(databaseProvider)
    let earlier = otherPod.graph
    _ = otherPod.resolve(inboxProvider)
    print(otherPod.graph.difference(from: earlier))
    // end
    try expectOutput(of: "Graph difference")
  }

  @Test("The picture on the page shows the nodes and edges of the DOT text")
  func picture() throws {
    let page = try MarkdownPage.article("InspectingTheGraph")
    let text = try #require(page.blocks.first { $0.language == "dot" }).text
    let file = SourceTree.articles.appending(path: "Resources/inbox-graph.svg")
    let picture = try String(contentsOf: file, encoding: .utf8)
    for arrow in text.matches(of: /(n[0-9]+) -> (n[0-9]+)/) {
      #expect(picture.contains("<title>\(arrow.1)&#45;&gt;\(arrow.2)</title>"))
    }
    for label in text.matches(of: /label="([a-z]+)\\n([^"]+)"/) {
      #expect(picture.contains(">\(label.1)</text>") && picture.contains(">\(label.2)</text>"))
    }
  }

  @Test("An observer is notified of every build")
  func observer() throws {
    // snippet: Graph observer use
    let log = BuildLog()
    let observedPod = Pod("App", observers: [log])
    _ = observedPod.resolve(inboxProvider)
    print(log.built)
    // end
    try expectOutput(of: "Graph observer use")
  }
}
