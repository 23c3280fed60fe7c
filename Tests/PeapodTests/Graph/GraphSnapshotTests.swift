import Foundation
import Peapod
import Testing

/// Rule 28: what a snapshot of the graph holds.
@Suite struct GraphSnapshotTests {
  private struct Site: Sendable {
    let setting = Provider("setting") { _ in "setting" }
    let store: Provider<Part>
    let page: Provider<Part>
    let fresh: Provider<Part>

    init() {
      let setting = setting
      let store = Provider("store", scope: OwnedScope()) { Part($0.resolve(setting)) }
      let page = Provider("page") { Part("page", [$0.resolve(store)]) }
      self.store = store
      self.page = page
      fresh = Provider("fresh", scope: .alwaysCreateNew) { Part("fresh", [$0.resolve(page), $0.resolve(store)]) }
    }
  }

  @Test("R28 the graph has a node for each provider that was asked for, in the order of declaration")
  func nodes() throws {
    let site = Site()
    let pod = Pod("shop")
    #expect(pod.graph.nodes.isEmpty)
    _ = pod.resolve(site.fresh)
    let graph = pod.graph
    #expect(graph.name == "shop")
    #expect(graph.nodes.map(\.provider.name) == ["setting", "store", "page", "fresh"])
    let places = graph.nodes.map { ($0.provider.fileID, $0.provider.line) }
    #expect(places.allSatisfy { $0.0 == "PeapodTests/GraphSnapshotTests.swift" })
    #expect(places.map(\.1) == places.map(\.1).sorted())
    let store = try #require(graph.nodes.first { $0.provider.name == "store" })
    #expect(store.id == site.store.id)
    #expect(store.provider.valueType.contains("Part"))
    #expect(store.provider.scope.contains("OwnedScope"))
    #expect(store.isCached && !store.isOverridden)
    #expect(store.buildCount == 1)
  }

  @Test("R28 edges say who asked for whom, each once")
  func edges() {
    let site = Site()
    let pod = Pod()
    for _ in 0..<3 { _ = pod.resolve(site.fresh) }
    let graph = pod.graph
    #expect(graph.dependencies(of: site.fresh).map(\.name) == ["store", "page"])
    #expect(graph.dependencies(of: site.setting).isEmpty)
    #expect(graph.dependents(of: site.store).map(\.name) == ["page", "fresh"])
    #expect(graph.dependents(of: site.fresh).isEmpty)
    #expect(graph.edges.count == 4)
    #expect(Set(graph.edges).count == 4)
    #expect(graph.edges.allSatisfy { !$0.isDeferred })
  }

  @Test("R28 cached, overridden and built again show in the nodes")
  func states() throws {
    let site = Site()
    let pod = Pod()
    func node(_ provider: Provider<Part>) throws -> ProviderGraph.Node {
      try #require(pod.graph.nodes.first { $0.id == provider.id })
    }
    _ = pod.resolve(site.page)
    pod.clearCachedInstances(forScope: OwnedScope())
    #expect(try !node(site.store).isCached)
    #expect(try node(site.page).isCached)
    _ = pod.resolve(site.store)
    #expect(try node(site.store).buildCount == 2)
    pod.overrideProvider(site.store) { _ in Part("mock") }
    #expect(try node(site.store).isOverridden)
    #expect(try !node(site.page).isOverridden)
    #expect(try !node(site.page).isCached)
    _ = pod.resolve(site.page)
    #expect(try node(site.page).isCached)
    pod.removeAllOverrides()
    #expect(try !node(site.store).isOverridden)
    #expect(try node(site.page).isCached)
    pod.dispose()
    #expect(pod.graph.nodes.allSatisfy { !$0.isCached })
  }

  @Test("R28 what was cleared stays in the graph after a failed attempt to build it again, and keeps its count")
  func buildCountAfterFailure() throws {
    struct Refused: Error {}
    let fails = Locked(false)
    let build: @Sendable (Pod) throws -> Part = { _ in
      if fails.withLock({ $0 }) { throw Refused() }
      return Part("part")
    }
    for provider in [ThrowingProvider(scope: OwnedScope(), build), ThrowingProvider(scope: WeakScope(), build)] {
      let pod = Pod()
      fails.withLock { $0 = false }
      _ = try pod.resolve(provider)
      pod.clearCachedInstances(forScope: OwnedScope())
      fails.withLock { $0 = true }
      #expect(throws: Refused.self) { try pod.resolve(provider) }
      #expect(pod.graph.nodes.map(\.buildCount) == [1])
      fails.withLock { $0 = false }
      _ = try pod.resolve(provider)
      #expect(pod.graph.nodes.map(\.buildCount) == [2])
    }
  }

  @Test("R28 the graph of a child shows what the child shares again after a cleared override of its own")
  func clearedOverrideOfChild() throws {
    let dependency = Provider { _ in 1 }
    let provider = Provider { $0.resolve(dependency) }
    let root = Pod()
    _ = root.resolve(provider)
    let child = root.makeChild()
    child.overrideProvider(provider) { _ in 2 }
    _ = child.resolve(provider)
    child.clearCachedInstance(of: provider)
    child.removeOverrideProvider(provider)
    #expect(child.isCached(provider))
    #expect(child.graph.nodes.allSatisfy { $0.isCached })
    #expect(child.graph.edges.count == 1)
  }

  @Test(
    "R28 the graph of a child shows what the child shares, although the child has a record or a hidden instance",
    arguments: [true, false])
  func sharedAgain(isDisposed: Bool) throws {
    let dependency = Provider("dependency") { _ in 1 }
    let provider = Provider("provider") { $0.resolve(dependency) }
    let root = Pod("root")
    let child = root.makeChild("child") { $0.overrideProvider(dependency, withValue: 2) }
    #expect(child.resolve(provider) == 2)
    if isDisposed {
      child.dispose()
      child.removeOverrideProvider(dependency)
    } else {
      root.overrideProvider(provider) { _ in 3 }
    }
    #expect(child.resolve(provider) == (isDisposed ? 1 : 3))
    let node = try #require(child.graph.nodes.first { $0.id == provider.id })
    #expect(node.isCached && node.buildCount == 1)
    // Nothing of the provider belongs to the child.
    #expect(root.graph.children[0].nodes.allSatisfy { $0.id != provider.id || isDisposed })
  }

  @Test("R15 R28 an override of what was cleared has a build count of its own")
  func buildCountOfOverride() throws {
    let site = Site()
    let pod = Pod()
    _ = pod.resolve(site.store)
    pod.clearCachedInstances(forScope: OwnedScope())
    pod.overrideProvider(site.store) { _ in Part("mock") }
    _ = pod.resolve(site.store)
    #expect(pod.graph.nodes.first { $0.id == site.store.id }?.buildCount == 1)
    pod.removeAllOverrides()
    _ = pod.resolve(site.store)
    #expect(pod.graph.nodes.first { $0.id == site.store.id }?.buildCount == 2)
  }

  @Test("R28 children of one name whose nodes differ only in an override or an edge have an order")
  func equalNames() {
    let site = Site()
    let changes: [(Pod) -> Void] = [
      { $0.overrideProvider(site.setting) { _ in "one" } },
      { $0.overrideProvider(site.setting, withValue: "two") },
      { _ in },
    ]
    func diagram(_ changes: [(Pod) -> Void]) -> String {
      let root = Pod("root")
      let children = changes.map { change in
        let child = root.makeChild("child", owning: [OwnedScope()])
        _ = child.resolve(site.fresh)
        change(child)
        return child
      }
      return withExtendedLifetime(children) { root.graph.mermaid() }
    }
    #expect(diagram(changes) == diagram(changes.reversed()))
  }

  @Test("R28 edges of a child to nodes of the root are sorted by declaration, whichever provider was used first")
  func edgesToAncestors() {
    func diagram(isReversed: Bool) -> String {
      let makers = [
        { Provider("a", fileID: "Test", line: 1) { _ in 1 } }, { Provider("b", fileID: "Test", line: 2) { _ in 2 } },
      ]
      let made = isReversed ? Array(makers.reversed().map { $0() }.reversed()) : makers.map { $0() }
      let sum = Provider("sum", scope: OwnedScope(), fileID: "Test", line: 3) { pod in
        made.reduce(0) { $0 + pod.resolve($1) }
      }
      let root = Pod("root")
      let child = root.makeChild("child", owning: [OwnedScope()])
      _ = child.resolve(sum)
      return withExtendedLifetime(child) { root.graph.mermaid() }
    }
    #expect(diagram(isReversed: false) == diagram(isReversed: true))
  }

  @Test("R26 R28 what was asked for through a handle is a deferred edge; asked both ways it is a direct one")
  func deferredEdges() {
    final class Holder: Sendable {
      let handles: [Any & Sendable]
      init(_ handles: [Any & Sendable]) { self.handles = handles }
    }
    let pod = Pod()
    let a = Provider("a") { _ in 1 }
    let b = Provider("b") { _ in 2 }
    let c = Provider("c") { _ in 3 }
    let members = Provider.family("members") { (_: Pod, id: Int) in id }
    let holder = Provider("holder") { pod in
      Holder([pod.lazy(a), pod.factory(b), pod.lazy(c), pod.resolve(c), pod.factory(members)])
    }
    _ = pod.resolve(holder)
    let edges = pod.graph.edges.filter { $0.dependent == holder.id }
    #expect(edges.first { $0.dependency == a.id }?.isDeferred == true)
    #expect(edges.first { $0.dependency == b.id }?.isDeferred == true)
    #expect(edges.filter { $0.dependency == c.id }.map(\.isDeferred) == [false])
    #expect(pod.graph.dependencies(of: holder).map(\.name).starts(with: ["a", "b", "c"]))
    #expect(!pod.isCached(a))
  }

  @Test("R28 reading what is cached inside a build is an edge too")
  func cachedInstanceEdge() {
    let pod = Pod()
    let a = Provider("a") { _ in 1 }
    let reader = Provider("reader") { $0.cachedInstance(of: a) ?? 0 }
    #expect(pod.resolve(a) + pod.resolve(reader) == 2)
    #expect(pod.graph.dependencies(of: reader).map(\.name) == ["a"])
    pod.overrideProvider(a, withValue: 5)
    #expect(pod.resolve(reader) != 1)
  }

  @Test("R15 R19 R28 a builder that finds nothing cached depends on what it asked for", arguments: [true, false])
  func missingInstanceEdge(isAsync: Bool) async throws {
    let root = Pod("root")
    let a = Provider("a") { _ in "root" }
    let later = AsyncProvider("later") { _ in "root" }
    let reader = Provider("reader") { pod in
      (isAsync ? pod.cachedInstance(of: later) : pod.cachedInstance(of: a)) ?? "none"
    }
    #expect(root.resolve(reader) == "none")
    #expect(root.graph.edges.map(\.isDeferred) == [true])
    #expect(root.graph.dependencies(of: reader).map(\.name) == [isAsync ? "later" : "a"])
    #expect(!root.isCached(a) && !root.isCached(later))
    // What a child has of its own, its reader finds.
    let child = root.makeChild { child in
      child.overrideProvider(a) { _ in "child" }
      child.overrideProvider(later) { _ in "child" }
    }
    _ = (child.resolve(a), try await child.resolve(later))
    #expect(child.resolve(reader) == "child")
    #expect(root.resolve(reader) == "none")
    // Nor does what the child finds first come to live in the root.
    let fresh = Pod("fresh")
    let other = fresh.makeChild { child in
      child.overrideProvider(a) { _ in "child" }
      child.overrideProvider(later) { _ in "child" }
    }
    #expect(other.resolve(reader) == "none")
    #expect(!fresh.isCached(reader))
  }

  @Test("R28 durations tell what a build took with and without what it resolved")
  func durations() throws {
    let pod = Pod()
    // Time that passes is what is measured here; how much more passes does not matter.
    @Sendable func work(_ milliseconds: Double) { Thread.sleep(forTimeInterval: milliseconds / 1_000) }
    let slow = Provider("slow") { _ in work(40) }
    let outer = Provider("outer") { pod in
      pod.resolve(slow)
      work(10)
    }
    let quick = Provider("quick") { pod in pod.resolve(outer) }
    pod.resolve(quick)
    var times: [String: (inclusive: Duration, exclusive: Duration)] = [:]
    for node in pod.graph.nodes { times[node.provider.name] = (node.inclusiveDuration, node.exclusiveDuration) }
    let (s, o, q) = try (#require(times["slow"]), #require(times["outer"]), #require(times["quick"]))
    #expect(s.exclusive >= .milliseconds(40))
    #expect(s.inclusive == s.exclusive)
    #expect(o.inclusive >= .milliseconds(50))
    #expect(o.exclusive >= .milliseconds(10))
    #expect(o.exclusive <= o.inclusive - s.inclusive + .milliseconds(5))
    #expect(q.inclusive >= o.inclusive)
    #expect(q.exclusive <= q.inclusive - o.inclusive + .milliseconds(5))
  }

  @Test("R28 async builds have durations without the time of what they await")
  func asyncDurations() async throws {
    let pod = Pod()
    let slow = AsyncProvider("slow") { _ in try await Task.sleep(for: .milliseconds(40)) }
    let outer = AsyncProvider("outer") { pod in try await pod.resolve(slow) }
    try await pod.resolve(outer)
    let nodes = pod.graph.nodes
    #expect(nodes[0].exclusiveDuration >= .milliseconds(40))
    #expect(nodes[1].inclusiveDuration >= nodes[0].inclusiveDuration)
    #expect(nodes[1].exclusiveDuration < nodes[1].inclusiveDuration - .milliseconds(30))
  }

  @Test("R28 R33 the time until an async builder continues after its dependency is no time of the builder")
  func lateContinuation() async throws {
    let pod = Pod()
    let isBusy = Locked(false)
    @Sendable func block() { Thread.sleep(forTimeInterval: 0.1) }
    let quick = AsyncProvider("quick") { _ in
      Task { @MainActor in
        isBusy.withLock { $0 = true }
        block()
      }
      while !isBusy.withLock({ $0 }) { await Task.yield() }
    }
    let outer = AsyncProvider("outer") { @MainActor pod in try await pod.resolve(quick) }
    try await pod.resolve(outer)
    let node = try #require(pod.graph.nodes.first { $0.provider.name == "outer" })
    #expect(node.inclusiveDuration >= .milliseconds(90))
    #expect(node.exclusiveDuration <= node.inclusiveDuration - .milliseconds(70))
  }

  @Test("R20 R28 the graph of a child shows as cached only what the child shares")
  func scopeOfChild() {
    let session = Provider("session", scope: OwnedScope()) { _ in Part("session") }
    let page = Provider("page") { Part("page", [$0.resolve(session)]) }
    let root = Pod()
    let child = root.makeChild(owning: [OwnedScope()])
    _ = root.resolve(page)
    #expect(!child.isCached(session))
    #expect(child.graph.nodes.filter(\.isCached).isEmpty)
    #expect(root.graph.nodes.filter(\.isCached).count == 2)
  }

  @Test("R22 R28 a member that only a deferred dependency names is marked as overridden by an override of its family")
  func overriddenFamily() {
    let family = Provider.family("member") { (_, number: Int) in number }
    let holder = Provider("holder") { pod in Part("holder \(pod.lazy(family(1)).value)") }
    let lazyHolder = Provider("lazy") { pod in pod.lazy(family(2)) }
    let root = Pod()
    _ = (root.resolve(holder), root.resolve(lazyHolder))
    root.overrideProvider(family) { _, _ in 0 }
    #expect(root.graph.nodes.filter { $0.provider.name.hasPrefix("member(") && !$0.isOverridden }.isEmpty)
  }

  @Test(
    "R22 R28 a cached member is marked when its family is overridden, in its pod and in a child",
    arguments: [true, false])
  func overriddenFamilyOfMember(isInChild: Bool) {
    let family = Provider.family("member") { (_, number: Int) in number }
    let user = Provider("user") { pod in pod.resolve(family(1)) }
    let root = Pod("root")
    let pod = isInChild ? root.makeChild("child") : root
    _ = root.resolve(user)
    pod.overrideProvider(family) { _, _ in 0 }
    let members = pod.graph.nodes.filter { $0.provider.name == "member(1)" }
    #expect(members.map(\.isOverridden) == [true])
    #expect(members.map(\.buildCount) == [0])
    #expect(isInChild || root.makeChild("other").graph.nodes.count { $0.provider.name == "member(1)" } == 1)
  }

  @Test("R22 R28 the tree of a pod shows a child's member once that an override of the family hides")
  func hiddenMemberOfChild() {
    let setting = Provider("setting") { _ in 1 }
    let family = Provider.family("member") { (pod, number: Int) in pod.resolve(setting) + number }
    let root = Pod("root")
    let child = root.makeChild("child") { $0.overrideProvider(setting, withValue: 2) }
    #expect(child.resolve(family(1)) == 3)
    root.overrideProvider(family) { _, _ in 0 }
    #expect(child.graph.nodes.count { $0.provider.name == "member(1)" } == 1)
    let all = root.graph.nodes + root.graph.children.flatMap(\.nodes)
    #expect(all.count { $0.provider.name == "member(1)" } == 1)
  }

  @Test("R28 child pods show what lives in them")
  func children() throws {
    let site = Site()
    let root = Pod("root")
    let child = root.makeChild("child") { $0.overrideProvider(site.setting, withValue: "CHILD") }
    let lower = child.makeChild("lower", owning: [OwnedScope()])
    _ = root.resolve(site.page)
    _ = child.resolve(site.page)
    _ = lower.resolve(site.store)
    let graph = root.graph
    let ofChild = try #require(graph.children.first)
    #expect(graph.children.map(\.name) == ["child"])
    #expect(ofChild.children.map(\.name) == ["lower"])
    #expect(Set(ofChild.nodes.map(\.provider.name)) == ["setting", "store", "page"])
    #expect(ofChild.nodes.first { $0.id == site.setting.id }?.isOverridden == true)
    #expect(graph.nodes.first { $0.id == site.setting.id }?.isOverridden == false)
    #expect(ofChild.children[0].nodes.map(\.provider.name) == ["store"])
    #expect(child.graph.children.map(\.name) == ["lower"])
    #expect(child.graph.dependencies(of: site.page).map(\.name) == ["store"])
  }
}
