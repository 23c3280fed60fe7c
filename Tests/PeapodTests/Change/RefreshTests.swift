import Peapod
import Testing

@Suite("R31: refresh")
struct RefreshTests {
  private struct SessionScope: ProviderScope {}

  /// `top` depends on `middle`, which depends on `base`; `other` on nothing.
  private struct Graph {
    let disposed = Log(of: String.self)
    let base: Provider<Tracked>
    let middle: Provider<Tracked>
    let top: Provider<Tracked>
    let other: Provider<Tracked>

    init(scope: some ProviderScope = SingletonScope()) {
      let disposed = disposed
      let base = Provider("base", scope: scope, { _ in Tracked() }, onDispose: { _ in disposed.append("base") })
      let middle = Provider(
        "middle", { pod in Tracked(keeping: [pod.resolve(base)]) }, onDispose: { _ in disposed.append("middle") })
      self.base = base
      self.middle = middle
      top = Provider(
        "top", { pod in Tracked(keeping: [pod.resolve(middle)]) }, onDispose: { _ in disposed.append("top") })
      other = Provider("other", { _ in Tracked() }, onDispose: { _ in disposed.append("other") })
    }
  }

  @Test("R31 The instance and all that was built from it are disposed once, dependents first; the rest stays")
  func dependents() {
    let graph = Graph()
    let pod = Pod()
    let (top, other) = (pod.resolve(graph.top), pod.resolve(graph.other))
    let middle = pod.resolve(graph.middle)
    pod.refresh(graph.base)
    #expect(graph.disposed.entries == ["top", "middle", "base"])
    #expect(!pod.isCached(graph.base) && !pod.isCached(graph.middle) && !pod.isCached(graph.top))
    #expect(pod.resolve(graph.other) === other)
    #expect(pod.resolve(graph.top) !== top)
    #expect(pod.resolve(graph.middle) !== middle)
    #expect(graph.disposed.count == 3)
  }

  @Test("R31 What a dependent was built from stays")
  func dependencies() {
    let graph = Graph()
    let pod = Pod()
    let (top, base) = (pod.resolve(graph.top), pod.resolve(graph.base))
    pod.refresh(graph.middle)
    #expect(graph.disposed.entries == ["top", "middle"])
    #expect(pod.resolve(graph.base) === base && pod.resolve(graph.top) !== top)
  }

  @Test("R31 Without an instance nothing is built or disposed")
  func nothing() {
    let graph = Graph()
    let pod = Pod()
    pod.refresh(graph.base)
    let other = pod.resolve(graph.other)
    pod.refresh(graph.base)
    #expect(graph.disposed.count == 0 && pod.resolve(graph.other) === other && !pod.isCached(graph.base))
  }

  @Test("R31 Every kind of provider is refreshed, and families")
  @MainActor
  func kinds() async throws {
    let pod = Pod()
    let throwing = ThrowingProvider { _ in Tracked() }
    let async = AsyncProvider { _ in Tracked() }
    let onMain = MainActorProvider { _ in Tracked() }
    let family = Provider.family { (_, number: Int) in Tracked() }
    let dependent = Provider { pod in Tracked(keeping: [pod.resolve(family(1))]) }
    let (first, second, third) = (try pod.resolve(throwing), try await pod.resolve(async), pod.resolve(onMain))
    pod.refresh(throwing)
    pod.refresh(async)
    pod.refresh(onMain)
    #expect(try pod.resolve(throwing) !== first)
    #expect(try await pod.resolve(async) !== second)
    #expect(pod.resolve(onMain) !== third)
    let (one, two, holder) = (pod.resolve(family(1)), pod.resolve(family(2)), pod.resolve(dependent))
    pod.refresh(family(2))
    #expect(pod.resolve(family(1)) === one && pod.resolve(family(2)) !== two && pod.resolve(dependent) === holder)
    pod.refresh(family)
    #expect(!pod.isCached(family(1)) && !pod.isCached(family(2)) && !pod.isCached(dependent))
  }

  @Test("R31 Deferred dependencies count: the holder of a Lazy, of a factory and of a PerUse is disposed")
  func deferred() {
    let base = Provider { _ in Tracked() }
    let family = Provider.family { (_, number: Int) in Tracked() }
    let withLazy = Provider { pod in Holder(pod.lazy(base)) }
    let withFactory = Provider { pod in Holder(pod.factory(base)) }
    let withPerUse = Provider { pod in Holder(pod.perUse(base)) }
    let withFamily = Provider { pod in Holder(pod.factory(family)) }
    let pod = Pod()
    for isUsed in [false, true] {
      _ = (pod.resolve(withLazy), pod.resolve(withFactory), pod.resolve(withPerUse), pod.resolve(withFamily))
      if isUsed { _ = (pod.resolve(base), pod.resolve(family(1))) }
      pod.refresh(base)
      #expect(!pod.isCached(withLazy) && !pod.isCached(withFactory) && !pod.isCached(withPerUse), "used: \(isUsed)")
      #expect(pod.isCached(withFamily))
      pod.refresh(family)
      #expect(!pod.isCached(withFamily))
    }
    let holder = pod.resolve(withFamily)
    _ = pod.resolve(family(1))
    pod.refresh(family(1))
    #expect(pod.resolve(withFamily) !== holder)
  }

  @Test("R31 Through a deferred dependency the refresh reaches the holder's dependents")
  func throughDeferred() {
    let base = Provider { _ in Tracked() }
    let middle = Provider { pod in Tracked(keeping: [pod.resolve(base)]) }
    let holder = Provider { pod in Holder(pod.lazy(middle)) }
    let top = Provider { pod in Holder(pod.resolve(holder)) }
    let pod = Pod()
    _ = (pod.resolve(top), pod.resolve(middle))
    pod.refresh(base)
    #expect(!pod.isCached(holder) && !pod.isCached(top))
  }

  @Test("R31 Hidden originals stay hidden and cached, and overrides stay")
  func hiddenOriginal() {
    let graph = Graph()
    let pod = Pod()
    let (base, top) = (pod.resolve(graph.base), pod.resolve(graph.top))
    let builds = Counter()
    pod.overrideProvider(graph.base) { _ in
      builds.increment()
      return Tracked()
    }
    let (override, overriddenTop) = (pod.resolve(graph.base), pod.resolve(graph.top))
    pod.refresh(graph.base)
    #expect(pod.resolve(graph.base) !== override && pod.resolve(graph.top) !== overriddenTop)
    #expect(builds.value == 2)
    pod.removeOverrideProvider(graph.base)
    #expect(pod.resolve(graph.base) === base && pod.resolve(graph.top) === top)
  }

  @Test("R15 R31 A hidden original does not return with a dependency that a refresh disposed")
  func hiddenDependent() {
    let (base, other) = (Provider { _ in Tracked() }, Provider { _ in Tracked() })
    let disposed = Counter()
    let dependent = Provider {
      pod in
      Tracked(keeping: [pod.resolve(base), pod.resolve(other)])
    } onDispose: { _ in
      disposed.increment()
    }
    let holder = Provider { pod in Holder(pod.factory(other)) }
    let never = Provider { _ in Tracked() }
    let deferring = Provider { pod in Holder(pod.factory(never)) }
    let late = Provider { pod in
      _ = pod.resolve(deferring)
      return Tracked(keeping: [pod.resolve(other)])
    }
    let pod = Pod()
    let originalLate = pod.resolve(late)
    let elsewhere = Provider { _ in Tracked(keeping: [pod.resolve(dependent)]) }
    let second = Pod()
    let (original, originalHolder) = (pod.resolve(dependent), pod.resolve(holder))
    _ = second.resolve(elsewhere)
    pod.overrideProvider(other) { _ in Tracked() }
    pod.refresh(base)
    pod.refresh(other)
    pod.refresh(never)
    #expect(disposed.value == 0)
    pod.removeOverrideProvider(other)
    #expect(disposed.value == 1)
    #expect(pod.resolve(dependent) !== original && pod.resolve(holder) === originalHolder)
    #expect(pod.resolve(late) !== originalLate)
    #expect(second.resolve(elsewhere) === second.resolve(elsewhere))
  }

  @Test("R31 A constant override stays, and its dependents are cleared")
  func constant() {
    let graph = Graph()
    let pod = Pod()
    let value = Tracked()
    pod.overrideProvider(graph.base, withValue: value)
    let middle = pod.resolve(graph.middle)
    pod.refresh(graph.base)
    #expect(pod.resolve(graph.base) === value && pod.resolve(graph.middle) !== middle)
    #expect(graph.disposed.entries == ["middle"])
  }

  @Test("R31 The refresh acts where the instance lives, and in the descendants of that pod")
  func whereItLives() {
    let setting = Provider { _ in 0 }
    let base = Provider { _ in Tracked() }
    let own = Provider { pod in
      _ = pod.resolve(setting)
      return Tracked(keeping: [pod.resolve(base)])
    }
    let pod = Pod()
    let children = (1...2).map { number in pod.makeChild { $0.overrideProvider(setting, withValue: number) } }
    let shared = pod.resolve(base)
    let instances = children.map { $0.resolve(own) }
    children[0].refresh(base)
    #expect(pod.resolve(base) !== shared)
    #expect(children[0].resolve(own) !== instances[0] && children[1].resolve(own) !== instances[1])
    let (first, second) = (children[0].resolve(own), children[1].resolve(own))
    children[0].refresh(own)
    #expect(children[0].resolve(own) !== first && children[1].resolve(own) === second)
  }

  @Test("R31 A child's own override is refreshed in the child")
  func childOverride() {
    let base = Provider { _ in Tracked() }
    let pod = Pod()
    let child = pod.makeChild { $0.overrideProvider(base) { _ in Tracked() } }
    let (outer, inner) = (pod.resolve(base), child.resolve(base))
    child.refresh(base)
    #expect(pod.resolve(base) === outer && child.resolve(base) !== inner)
  }

  @Test("R31 A scoped instance and a weak instance are refreshed too")
  func scopes() {
    let pod = Pod()
    let scoped = Provider(scope: SessionScope()) { _ in Tracked() }
    let weak = Provider(scope: .weak) { _ in Tracked() }
    let (first, second) = (pod.resolve(scoped), pod.resolve(weak))
    pod.refresh(scoped)
    pod.refresh(weak)
    #expect(pod.resolve(scoped) !== first && pod.resolve(weak) !== second)
  }

  @Test("R31 Refreshing a transient disposes what was built from it")
  func transient() {
    let pod = Pod()
    let base = Provider("base", scope: .alwaysCreateNew) { _ in Tracked() }
    let top = Provider("top") { pod in Tracked(keeping: [pod.resolve(base)]) }
    let first = pod.resolve(top)
    pod.refresh(base)
    #expect(pod.resolve(top) !== first)
  }

  @Test("R31 A refresh through a child reaches the dependents in the parent, although the provider has no instance")
  func throughChild() {
    let transient = Provider(scope: .alwaysCreateNew) { _ in Tracked() }
    let cleared = Provider(scope: SessionScope()) { _ in Tracked() }
    let unused = Provider { _ in Tracked() }
    let members = Provider.family { (_: Pod, _: Int) in Tracked() }
    let holders = [
      Provider { pod in Tracked(keeping: [pod.resolve(transient)]) },
      Provider { pod in Tracked(keeping: [pod.resolve(cleared)]) },
      Provider { pod in Tracked(keeping: [pod.lazy(unused)]) },
      Provider { pod in
        _ = pod.factory(members)
        return Tracked()
      },
    ]
    let root = Pod("root")
    let child = root.makeChild("child")
    let refreshes: [() -> Void] = [
      { child.refresh(transient) }, { child.refresh(cleared) }, { child.refresh(unused) }, { child.refresh(members) },
    ]
    for (holder, refresh) in zip(holders, refreshes) {
      let first = child.resolve(holder)
      root.clearCachedInstances(forScope: SessionScope())
      refresh()
      #expect(child.resolve(holder) !== first)
    }
  }

  @Test("R31 A refresh through a child leaves what the child does not share, and reaches its own")
  func unsharedByChild() {
    let setting = Provider { _ in Tracked() }
    let base = Provider { Tracked(keeping: [$0.resolve(setting)]) }
    let members = Provider.family { (pod: Pod, _: Int) in Tracked(keeping: [pod.resolve(setting)]) }
    let root = Pod("root")
    let child = root.makeChild { $0.overrideProvider(setting) { _ in Tracked() } }
    let (shared, member) = (root.resolve(base), root.resolve(members(1)))
    child.refresh(base)
    let own = child.resolve(members(1))
    child.refresh(members)
    #expect(root.resolve(base) === shared)
    #expect(root.resolve(members(1)) === member)
    #expect(child.resolve(members(1)) !== own)
  }

  @Test("R22 R31 A refresh of a family reaches what was built from members whose arguments are not hashable")
  func unhashableMembers() {
    struct Raw: Sendable { let value: Int }
    let members = Provider.family(scope: .alwaysCreateNew) { (_: Pod, _: Raw) in Tracked() }
    let holder = Provider { pod in Tracked(keeping: [pod.resolve(members(Raw(value: 1)))]) }
    let pod = Pod()
    let first = pod.resolve(holder)
    pod.refresh(members)
    #expect(pod.resolve(holder) !== first)
  }

  @Test("R31 A build in progress that used the instance counts as built before: not cached, disposed once")
  func duringBuild() async throws {
    let (started, gate) = (Gate(), Gate())
    let disposed = Counter()
    let base = Provider { _ in Tracked() }
    let top = Provider(
      "top",
      { pod in
        let base = pod.resolve(base)
        started.open()
        gate.wait()
        return Tracked(keeping: [base])
      }, onDispose: { _ in disposed.increment() })
    let pod = Pod()
    let worker = Worker { pod.resolve(top) }
    await started.pass()
    pod.refresh(base)
    gate.open()
    let former = try await worker.value()
    #expect(!pod.isCached(top) && disposed.value == 1)
    #expect(pod.resolve(top) !== former)
  }

  @Test("R31 A build of the provider itself in progress is not cached")
  func duringOwnBuild() async throws {
    let gate = AsyncGate()
    let disposed = Counter()
    let provider = AsyncProvider(
      "provider",
      { _ in
        await gate.wait()
        return Tracked()
      }, onDispose: { _ in disposed.increment() })
    let pod = Pod()
    let task = Task { try await pod.resolve(provider) }
    await eventually("the build runs") { gate.arrived == 1 }
    pod.refresh(provider)
    gate.open()
    let former = try await task.value
    await eventually("the instance is disposed") { disposed.value == 1 }
    #expect(try await pod.resolve(provider) !== former)
  }

  @Test("R31 A builder may refresh, and a disposal closure too")
  func fromUserCode() {
    let base = Provider { _ in Tracked() }
    let dependent = Provider { pod in
      let value = pod.resolve(base)
      pod.refresh(base)
      return Tracked(keeping: [value])
    }
    let pod = Pod()
    _ = pod.resolve(dependent)
    #expect(!pod.isCached(dependent) && !pod.isCached(base))
  }

  @Test("R31 A refreshed instance is released")
  func released() {
    let population = Population()
    let base = Provider { _ in population.make() }
    let top = Provider { pod in population.make(keeping: [pod.resolve(base)]) }
    let pod = Pod()
    _ = pod.resolve(top)
    pod.refresh(base)
    #expect(population.live == 0)
  }

  @Test("R31 A refresh of a family through a child treats each member by itself, in whatever order")
  func membersByThemselves() {
    let setting = Provider { _ in 1 }
    let root = Pod()
    // The first twenty have no instance, but dependents in the root. The child does not share the others.
    let members = Provider.family(scope: SessionScope()) { (pod: Pod, number: Int) -> Tracked in
      if number >= 100 { _ = pod.resolve(setting) }
      return Tracked()
    }
    let users = (0..<20).map { number in Provider { pod in Tracked(keeping: [pod.resolve(members(number))]) } }
    let first = users.map { root.resolve($0) }
    root.clearCachedInstances(of: members)
    for number in 100..<120 { _ = root.resolve(members(number)) }
    root.makeChild { $0.overrideProvider(setting, withValue: 2) }.refresh(members)
    #expect(zip(users, first).allSatisfy { root.resolve($0) !== $1 })
  }
}

/// Holds what a builder gives it.
private final class Holder: Sendable {
  let content: any Sendable
  init(_ content: any Sendable) { self.content = content }
}
