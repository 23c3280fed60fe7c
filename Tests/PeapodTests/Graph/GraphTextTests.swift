import Foundation
import Peapod
import Testing

/// The tree, the cost report, and `Codable`.
@Suite struct GraphTextTests {
  private struct Site: Sendable {
    let setting = Provider("setting", scope: OwnedScope()) { _ in "setting" }
    let slow: Provider<Part>
    let screen: MainActorProvider<Part>
    let store: AsyncProvider<Part>

    init() {
      let setting = setting
      let slow = Provider("slow") { pod in
        Thread.sleep(forTimeInterval: 0.03)
        return Part(pod.resolve(setting))
      }
      self.slow = slow
      screen = MainActorProvider("screen") { pod in
        Thread.sleep(forTimeInterval: 0.01)
        _ = pod.factory(setting)
        return Part("screen", [pod.resolve(slow)])
      }
      store = AsyncProvider("store") { Part("store", [$0.resolve(slow)]) }
    }

    /// Builds what there is to see; the child is seen for as long as it is held.
    func build(in pod: Pod) async throws -> Pod {
      _ = try await pod.resolve(store)
      await MainActor.run { _ = pod.resolve(screen) }
      let child = pod.makeChild("child") { $0.overrideProvider(setting, withValue: "child") }
      _ = child.resolve(slow)
      pod.overrideProvider(store) { _ in Part("mock") }
      return child
    }
  }

  @Test("R28 the tree shows each provider below those that ask for it, and the child pods")
  func tree() async throws {
    let site = Site()
    let pod = Pod("shop")
    let child = try await site.build(in: pod)
    defer { withExtendedLifetime(child) {} }
    let text = pod.graph.description
    let lines = text.split(separator: "\n")
    #expect(lines[0].contains("shop"))
    for name in ["setting", "slow", "screen", "store", "child"] { #expect(text.contains(name), "\(name)") }
    func depth(_ name: String) -> Int? {
      lines.first { $0.trimmingCharacters(in: .whitespaces).hasPrefix(name) }?.prefix { $0 == " " }.count
    }
    #expect(try #require(depth("slow")) > #require(depth("screen")))
    #expect(text.contains("GraphTextTests.swift:"))
  }

  @Test("R28 the tree shows pods below pods, and what they share")
  func nestedPods() {
    let setting = Provider("setting") { _ in "setting" }
    let pod = Pod("shop")
    _ = pod.resolve(setting)
    let child = pod.makeChild("child")
    let page = Provider("page", scope: OwnedScope()) { $0.resolve(setting) }
    let grandchild = child.makeChild("grandchild", owning: [OwnedScope()])
    _ = grandchild.resolve(page)
    let lines = pod.graph.description.split(separator: "\n").map(String.init)
    #expect(lines[0] == "shop")
    #expect(lines[1].hasPrefix("  setting ["))
    #expect(lines[2] == "  pod child")
    #expect(lines[3] == "    pod grandchild")
    #expect(lines[4].hasPrefix("      page ["))
    #expect(lines[5].hasPrefix("        setting ["))
    #expect(lines[5].hasSuffix("(shared)"))
    #expect(lines.count == 6)
    let rows = pod.graph.costReport().split(separator: "\n")
    #expect(rows.contains { $0.contains("page (") && $0.hasSuffix("in grandchild") })
    #expect(rows.contains { $0.contains("setting (") && $0.hasSuffix(")") })
    withExtendedLifetime((child, grandchild, setting, page)) {}
  }

  @Test("R28 a tree with loops through handles and a very deep one come to an end")
  func difficultTrees() {
    let back = Locked<Provider<Int>?>(nil)
    let a = Provider("a") { pod in
      _ = pod.factory(back.withLock { $0! })
      return 1
    }
    let b = Provider("b") { $0.resolve(a) }
    back.withLock { $0 = b }
    let pod = Pod()
    _ = pod.resolve(b)
    #expect(pod.graph.description.contains("a"))
    #expect(pod.graph.description.contains("b"))

    var last = Provider("deep0") { _ in 0 }
    for index in 1..<500 {
      let lower = last
      last = Provider("deep\(index)") { $0.resolve(lower) + 1 }
    }
    #expect(pod.resolve(last) == 499)
    #expect(pod.graph.description.contains("deep0 "))
    #expect(MermaidOutline(pod.graph.mermaid()).mistakes == [])
  }

  @Test("R28 the cost report is sorted by exclusive time, with shares, builds and the main actor's part")
  func costReport() async throws {
    let site = Site()
    let pod = Pod("shop")
    _ = try await pod.resolve(site.store)
    await MainActor.run { _ = pod.resolve(site.screen) }
    let report = pod.graph.costReport()
    let lines = report.split(separator: "\n").map(String.init)
    func row(_ name: String) throws -> Int { try #require(lines.firstIndex { $0.contains("\(name) (") }) }
    // Whatever the machine did meanwhile, the order is that of the durations that the graph tells.
    let byTime = pod.graph.nodes.sorted { $0.exclusiveDuration > $1.exclusiveDuration }.compactMap(\.provider.name)
    #expect(try byTime.map { try row($0) } == byTime.map { try row($0) }.sorted())
    #expect(try row("slow") < row("setting"))
    for name in ["slow", "screen", "store", "setting"] { #expect(try lines[row(name)].contains("%")) }
    let shares = lines.compactMap { $0.firstMatch(of: /(\d+) ?%/).flatMap { Int($0.1) } }
    #expect(shares.count == 4)
    #expect((97...103).contains(shares.reduce(0, +)))
    #expect(shares == shares.sorted(by: >))
    // What ran on the main actor is told apart from what did not.
    func cells(_ name: String) throws -> [Substring] {
      try lines[row(name)].prefix { $0 != "(" }.split(separator: " ").filter { $0.wholeMatch(of: /[\d.]+/) == nil }
    }
    #expect(try cells("screen").dropLast() != cells("slow").dropLast())
    #expect(Pod().graph.costReport().split(separator: "\n").count <= 2)
  }

  @Test("R28 a graph survives coding, with everything that is drawn of it")
  func codable() async throws {
    let site = Site()
    let pod = Pod("shop")
    let child = try await site.build(in: pod)
    defer { withExtendedLifetime(child) {} }
    _ = pod.resolve(Provider("captive") { $0.resolve(site.setting) })
    let graph = pod.graph
    let data = try JSONEncoder().encode(graph)
    let copy = try JSONDecoder().decode(ProviderGraph.self, from: data)
    #expect(copy.mermaid() == graph.mermaid())
    #expect(copy.dot() == graph.dot())
    #expect(copy.description == graph.description)
    #expect(copy.costReport() == graph.costReport())
    #expect(copy.edges == graph.edges)
    #expect(copy.nodes.map(\.provider) == graph.nodes.map(\.provider))
    #expect(copy.children.map(\.name) == ["child"])
    #expect(copy.dependencies(of: site.screen).map(\.name) == graph.dependencies(of: site.screen).map(\.name))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try encoder.encode(copy) == encoder.encode(graph))
  }

  @Test(
    "R28 a decoded graph has no duration that a pod cannot measure",
    arguments: [Duration.nanoseconds(-1), .seconds(Int64.max)])
  func impossibleDuration(duration: Duration) throws {
    let pod = Pod()
    _ = pod.resolve(Site().setting)
    for path in [\ProviderGraph.Node.inclusiveDuration, \.exclusiveDuration] {
      var graph = pod.graph
      graph.nodes[0][keyPath: path] = duration
      let data = try JSONEncoder().encode(graph)
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(ProviderGraph.self, from: data) }
    }
  }

  @Test("R28 the cost report adds the longest durations")
  func longestDurations() throws {
    let pod = Pod()
    _ = pod.resolve(Site().setting)
    var graph = pod.graph
    graph.nodes[0].inclusiveDuration = .nanoseconds(Int64.max)
    graph.nodes[0].exclusiveDuration = .nanoseconds(Int64.max)
    graph.nodes = Array(repeating: graph.nodes[0], count: 2000)
    let copy = try JSONDecoder().decode(ProviderGraph.self, from: JSONEncoder().encode(graph))
    #expect(copy.costReport().hasSuffix("total 18446744073709551.614 ms"))
  }

  @Test(
    "R28 a decoded graph has no scope that contains itself",
    arguments: [["A": "A"], ["A": "B", "B": "C", "C": "B"]])
  func scopeWithinItself(parents: [String: String]) throws {
    func decode(_ parents: [String: String]) throws -> ProviderGraph {
      let values = try JSONSerialization.jsonObject(with: JSONEncoder().encode(Pod().graph)) as? [String: Any]
      var graph = try #require(values)
      graph["parentScopes"] = parents
      return try JSONDecoder().decode(ProviderGraph.self, from: JSONSerialization.data(withJSONObject: graph))
    }
    #expect(throws: DecodingError.self) { try decode(parents) }
    #expect(throws: Never.self) { try decode(["A": "B", "B": "C", "D": "B"]) }
  }

  @Test("R28 what is known of a provider survives coding and keeps its identity")
  func infoCodable() throws {
    let pod = Pod()
    let user = Provider.family("user") { (_: Pod, id: Int) in id }
    let providers = [Provider("first") { _ in 1 }, Provider { _ in 2 }, user(1), user(2)]
    for provider in providers { _ = pod.resolve(provider) }
    let infos = pod.graph.nodes.map(\.provider)
    let copies = try JSONDecoder().decode([ProviderInfo].self, from: JSONEncoder().encode(infos))
    #expect(copies == infos)
    #expect(Set(copies.map(\.id)).count == 4)
    #expect(infos.contains { $0.name == "first" && $0.scope.contains("Singleton") })
  }
}
