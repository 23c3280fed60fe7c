import Foundation
import Peapod
import Testing

/// Rule 34: the difference of two graphs, and graphs that were written and read.
@Suite struct GraphDifferenceTests {
  private struct Site: Sendable {
    let setting = Provider("setting") { _ in Part("setting") }
    let store: Provider<Part>
    let page: Provider<Part>

    init(storeScope: some ProviderScope = SingletonScope(), isDeferred: Bool = false) {
      let setting = setting
      let store = Provider("store", scope: storeScope) { Part("store", [$0.resolve(setting)]) }
      self.store = store
      page = Provider("page") { pod in
        if isDeferred {
          _ = pod.lazy(store)
          return Part("page")
        }
        return Part("page", [pod.resolve(store)])
      }
    }
  }

  /// The graph as another process would read it.
  private func decoded(_ graph: ProviderGraph) throws -> ProviderGraph {
    try JSONDecoder().decode(ProviderGraph.self, from: JSONEncoder().encode(graph))
  }

  @Test("R34 equal graphs have no difference, whatever was built again")
  func equal() {
    let site = Site(storeScope: OwnedScope())
    let pod = Pod()
    _ = pod.resolve(site.page)
    let earlier = pod.graph
    pod.clearCachedInstances(forScope: OwnedScope())
    _ = pod.resolve(site.store)
    let difference = pod.graph.difference(from: earlier)
    #expect(difference.isEmpty)
    #expect(difference.description == "no difference")
  }

  @Test("R34 a difference lists added and removed providers and dependencies")
  func nodesAndEdges() {
    let site = Site()
    let pod = Pod()
    _ = pod.resolve(site.store)
    let earlier = pod.graph
    _ = pod.resolve(site.page)
    let later = pod.graph
    let added = later.difference(from: earlier)
    #expect(!added.isEmpty)
    #expect(added.addedNodes.map(\.provider.name) == ["page"])
    #expect(added.addedEdges.map { [$0.dependent.name, $0.dependency.name] } == [["page", "store"]])
    #expect(added.removedNodes.isEmpty && added.removedEdges.isEmpty && added.changedNodes.isEmpty)
    let removed = earlier.difference(from: later)
    #expect(removed.removedNodes.map(\.provider.name) == ["page"])
    let lines = removed.description.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("- page [SingletonScope] PeapodTests/GraphDifferenceTests.swift:"))
    #expect(lines[1] == "- page → store")
  }

  @Test("R34 a difference tells providers of one name in one file apart, in one process")
  func identity() {
    let (one, two) = (Provider { _ in 1 }, Provider { _ in 2 })
    let (first, second) = (Pod(), Pod())
    _ = first.resolve(one)
    _ = second.resolve(two)
    let difference = second.graph.difference(from: first.graph)
    #expect(difference.addedNodes.map(\.id) == [two.id])
    #expect(difference.removedNodes.map(\.id) == [one.id])
  }

  @Test("R34 the places tell apart the dependencies of providers that share a name")
  func ambiguousNames() {
    let number = Provider("number") { _ in 1 }
    let (one, two) = (Provider("twin") { $0.resolve(number) }, Provider("twin") { $0.resolve(number) })
    let pod = Pod()
    _ = pod.resolve(one)
    let earlier = pod.graph
    _ = pod.resolve(two)
    let text = pod.graph.difference(from: earlier).description
    #expect(text.contains("+ twin (PeapodTests/GraphDifferenceTests.swift:"))
  }

  @Test("R34 the graphs of two processes are compared by name: scopes, deferral, overrides and captive dependencies")
  func decodedGraphs() throws {
    func graph(_ site: Site, isOverridden: Bool = false) throws -> ProviderGraph {
      let pod = Pod("shop")
      if isOverridden { pod.overrideProvider(site.setting) { _ in Part("mock") } }
      _ = pod.resolve(site.store)
      _ = pod.resolve(site.page)
      // Only the later graph is read: the earlier one has the identities of this process, and other ones.
      return isOverridden ? try decoded(pod.graph) : pod.graph
    }
    let earlier = try decoded(graph(Site()))
    #expect(try graph(Site()).difference(from: earlier).isEmpty)
    #expect(
      try graph(Site(isDeferred: true)).difference(from: earlier).description == """
        - page → store
        + page → store (deferred)
        """)
    #expect(try graph(Site(), isOverridden: true).difference(from: earlier).description == "~ setting [overridden]")
    #expect(
      try graph(Site(storeScope: OwnedScope())).difference(from: earlier).description == """
        ~ store [SingletonScope → OwnedScope]
        + captive: page keeps store
        """)
  }

  @Test("R31 R34 a captive dependency on a member without a node is no difference")
  func captiveMember() {
    struct Session: ProviderScope {}
    let members = Provider.family("members", scope: Session()) { (_, number: Int) in number }
    let keeper = Provider("keeper") { $0.resolve(members(1)) }
    let pod = Pod()
    _ = pod.resolve(keeper)
    let before = pod.graph
    pod.refresh(members(1))
    #expect(pod.graph.captiveDependencies == before.captiveDependencies)
    #expect(pod.graph.difference(from: before).addedCaptiveDependencies.isEmpty)
    #expect(pod.graph.difference(from: before).removedCaptiveDependencies.isEmpty)
  }

  @Test("R34 a difference shows child pods, and only those that differ")
  func children() {
    let site = Site(storeScope: OwnedScope())
    let pod = Pod()
    let (same, other) = (pod.makeChild("same", owning: [OwnedScope()]), pod.makeChild("other", owning: [OwnedScope()]))
    for child in [same, other] { _ = child.resolve(site.store) }
    let earlier = pod.graph
    _ = other.resolve(site.page)
    let difference = pod.graph.difference(from: earlier)
    #expect(difference.children.map(\.name) == ["other"])
    #expect(difference.children.first?.addedEdges.map(\.dependency.name) == ["store"])
    #expect(difference.description.hasPrefix("pod other\n  + page ["))
    withExtendedLifetime((same, other)) {}
  }

  @Test("R34 a graph that was written and read answers as before")
  func roundTrip() throws {
    let site = Site()
    let pod = Pod("shop")
    _ = pod.resolve(site.page)
    let graph = pod.graph
    let read = try decoded(graph)
    #expect(read.difference(from: graph).isEmpty)
    #expect(read.mermaid() == graph.mermaid())
    #expect(read.description == graph.description)
    #expect(read.dependencies(of: site.page).map(\.name) == ["store"])
    #expect(read.path(from: site.page, to: site.setting)?.map(\.name) == ["page", "store", "setting"])
    let (number, text) = (Provider("number") { _ in 1 }, Provider("text") { _ in "" })
    let (one, two) = (Provider("twin") { $0.resolve(number) }, Provider("twin") { $0.resolve(text).count })
    _ = pod.resolve(one) + pod.resolve(two)
    #expect(try decoded(pod.graph).dependencies(of: one).map(\.name) == ["number"])
    #expect(try decoded(pod.graph).dependencies(of: two).map(\.name) == ["text"])
  }

  @Test("R34 a graph of another process answers by name, type and file, whatever the identities are there")
  func decodedQueries() throws {
    let (site, other) = (Site(), Site())
    let pod = Pod()
    _ = pod.resolve(other.page)
    var read = try decoded(pod.graph)
    // The other process gave its page the identity that the setting has here, and the reverse.
    let identities = [other.page.id: site.setting.id, other.store.id: site.store.id, other.setting.id: site.page.id]
    for index in read.nodes.indices { read.nodes[index].provider.id = try #require(identities[read.nodes[index].id]) }
    for index in read.edges.indices {
      read.edges[index].dependent = try #require(identities[read.edges[index].dependent])
      read.edges[index].dependency = try #require(identities[read.edges[index].dependency])
    }
    #expect(read.dependencies(of: site.page).map(\.name) == ["store"])
    #expect(read.dependencies(of: site.setting).isEmpty)
    #expect(read.dependents(of: site.setting).map(\.name) == ["store"])
    #expect(read.dependents(of: site.page).isEmpty)
    #expect(read.path(from: site.page, to: site.setting)?.map(\.name) == ["page", "store", "setting"])
    #expect(read.path(from: site.setting, to: site.page) == nil)
    // In one process, providers have identities.
    #expect(pod.graph.dependencies(of: site.page).isEmpty)
    let unknown = Provider("page") { _ in 1 }
    #expect(read.dependencies(of: unknown).isEmpty)
    #expect(read.path(from: unknown, to: site.setting) == nil)
  }

  @Test("R34 the nearest line tells providers of one name, type and file apart in a graph of another process")
  func decodedTwins() throws {
    struct Twins: Sendable {
      let first, second: Provider<Part>

      init() {
        let (one, two) = (Provider("one") { _ in Part("one") }, Provider("two") { _ in Part("two") })
        first = Provider("twin", line: 10) { Part("twin", [$0.resolve(one)]) }
        second = Provider("twin", line: 20) { Part("twin", [$0.resolve(two)]) }
      }
    }
    let (here, there) = (Twins(), Twins())
    let pod = Pod()
    _ = [pod.resolve(there.first), pod.resolve(there.second)]
    var read = try decoded(pod.graph)
    // The lines are equal, then a few lines were added above.
    for _ in 0..<2 {
      #expect(read.dependencies(of: here.first).map(\.name) == ["one"])
      #expect(read.dependencies(of: here.second).map(\.name) == ["two"])
      for index in read.nodes.indices { read.nodes[index].provider.line += 4 }
    }
  }
}
