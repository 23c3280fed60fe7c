import Peapod
import Testing

/// Rules 15, 19 and 27: an instance that was built with an inner pod lives in the highest pod that would build it
/// identically, is hidden by an override, returns afterwards, and is disposed once.
@Suite struct InnerPodSharingTests {
  private let site = Site()
  private let population = Population()

  /// A provider of instances that are built from a text that an inner pod gives.
  private func provider(
    _ inner: InnerPod, owning: [any ProviderScope] = [], disposed: Counter? = nil,
    configure: @escaping @Sendable (Pod) -> Void, from lower: Provider<String>
  ) -> Provider<Tracked> {
    let (site, population) = (site, population)
    return Provider("tracked") { pod in
      population.make(
        keeping: [
          inner.use(of: pod, owning: owning, keeper: site.keeper, configure: configure) { $0.resolve(lower) }
        ])
    } onDispose: { _ in
      disposed?.increment()
    }
  }

  private func text(_ tracked: Tracked) -> String? { tracked.parts.first as? String }

  @Test(
    "R19 the changes of the inner pod are constant: they do not keep an instance in a child",
    arguments: InnerPod.allCases)
  func constantChanges(_ inner: InnerPod) {
    let site = site
    let shared = provider(inner, configure: site.darken, from: site.theme)
    let root = Pod("root")
    let ada = site.request("Ada", of: root)
    let bob = site.request("Bob", of: root)
    let instance = ada.resolve(shared)
    #expect(text(instance) == "dark")
    #expect(bob.resolve(shared) === instance)
    #expect(root.resolve(shared) === instance)
    #expect(root.isCached(shared))
    root.overrideProvider(site.theme, withValue: "gray")
    #expect(root.resolve(shared) === instance)
    ada.overrideProvider(site.theme, withValue: "gray")
    #expect(ada.resolve(shared) === instance)
  }

  @Test("R19 an inner pod that overrides what the requests override hides it", arguments: InnerPod.allCases)
  func hiddenByInner(_ inner: InnerPod) {
    let site = site
    let system = provider(inner, configure: { $0.overrideProvider(site.user, withValue: "system") }, from: site.page)
    let root = Pod("root")
    let (ada, bob) = (site.request("Ada", of: root), site.request("Bob", of: root))
    let instance = ada.resolve(system)
    #expect(text(instance) == "system in light")
    #expect(bob.resolve(system) === instance)
    #expect(root.resolve(system) === instance)
    root.overrideProvider(site.theme, withValue: "gray")
    #expect(text(root.resolve(system)) == "system in gray")
    #expect(text(ada.resolve(system)) == "system in gray")
    root.removeOverrideProvider(site.theme)
    #expect(ada.resolve(system) === instance)
  }

  @Test("R15 R19 R27 an override hides the instance, and its removal returns it", arguments: InnerPod.allCases)
  func returns(_ inner: InnerPod) {
    let site = site
    let disposed = Counter()
    let dark = provider(inner, disposed: disposed, configure: site.darken, from: site.page)
    let root = Pod("root")
    let original = root.resolve(dark)
    let ada = site.request("Ada", of: root)
    let ofAda = ada.resolve(dark)
    for _ in 0..<3 {
      root.overrideProvider(site.user, withValue: "Eve")
      #expect(text(root.resolve(dark)) == "Eve in dark")
      #expect(root.resolve(dark) === root.resolve(dark))
      #expect(ada.resolve(dark) === ofAda)
      root.removeOverrideProvider(site.user)
      #expect(root.resolve(dark) === original)
      #expect(ada.resolve(dark) === ofAda)
    }
    #expect(disposed.value == 3)
    ada.removeOverrideProvider(site.user)
    #expect(ada.resolve(dark) === original)
    #expect(disposed.value == 4)
  }

  @Test("R19 each request has one instance, which its own descendants share", arguments: InnerPod.allCases)
  func descendants(_ inner: InnerPod) {
    let site = site
    let dark = provider(inner, configure: site.darken, from: site.page)
    let root = Pod("root")
    let ada = site.request("Ada", of: root)
    let below = ada.makeChild("below").makeChild("lower", owning: [OwnedScope()])
    let instance = below.resolve(dark)
    #expect(text(instance) == "Ada in dark")
    #expect(ada.resolve(dark) === instance)
    #expect(ada.isCached(dark))
    #expect(!root.isCached(dark))
    let other = below.makeChild("other") { $0.overrideProvider(site.theme, withValue: "gray") }
    #expect(other.resolve(dark) === instance)
  }

  @Test("R20 R21 R27 a released request disposes its instance; the root's stays", arguments: InnerPod.allCases)
  func released(_ inner: InnerPod) {
    let site = site
    let disposed = Counter()
    let dark = provider(inner, disposed: disposed, configure: site.darken, from: site.page)
    let root = Pod("root")
    let original = root.resolve(dark)
    let before = population.live
    do {
      let ada = site.request("Ada", of: root)
      #expect(ada.resolve(dark) !== original)
    }
    _ = site.keeper.drain()
    #expect(disposed.value == 1)
    #expect(population.live == before)
    #expect(root.resolve(dark) === original)
    root.dispose()
    #expect(disposed.value == 2)
  }

  @Test("R4 R19 clearing what an inner pod used does not reach what was built from it", arguments: InnerPod.children)
  func cleared(_ inner: InnerPod) {
    let population = population
    let site = site
    let draft = Provider("draft", scope: OwnedScope()) { _ in "draft" }
    let editor = Provider("editor") { pod in
      population.make(
        keeping: [inner.use(of: pod, owning: [OwnedScope()], keeper: site.keeper) { $0.resolve(draft) }])
    }
    let root = Pod("root")
    let child = root.makeChild("child", owning: [OwnedScope()])
    let instance = child.resolve(editor)
    #expect(root.resolve(editor) === instance)
    root.clearCachedInstances(forScope: OwnedScope())
    child.clearCachedInstances(forScope: OwnedScope())
    #expect(root.resolve(editor) === instance)
    #expect(root.graph.captiveDependencies.isEmpty)
  }

  @Test("R27 the instance is disposed before the shared instances that it got through its inner child")
  func order() {
    let log = Log<String>()
    let (site, population) = (site, population)
    let store = Provider("store") { _ in
      population.make()
    } onDispose: { _ in
      log.append("store")
    }
    let view = Provider("view", scope: OwnedScope()) {
      population.make(keeping: [$0.resolve(store)])
    } onDispose: { _ in
      log.append("view")
    }
    let editor = Provider("editor") { pod in
      population.make(
        keeping: [InnerPod.withChild.use(of: pod, owning: [OwnedScope()], keeper: site.keeper) { $0.resolve(view) }])
    } onDispose: { _ in
      log.append("editor")
    }
    let root = Pod("root")
    _ = root.resolve(editor)
    #expect(log.drain() == ["view"])
    root.dispose()
    #expect(log.drain() == ["editor", "store"])
  }

  @Test("R15 R28 the graph of the builder's pod shows what was resolved through the inner child")
  func drawn() {
    let site = site
    let dark = provider(.withChild, configure: site.darken, from: site.page)
    let root = Pod("root")
    _ = root.resolve(dark)
    let edges = root.graph.edges
    var found: Set<ProviderID> = [dark.id]
    while true {
      let next = found.union(edges.filter { found.contains($0.dependent) }.map(\.dependency))
      if next == found { break }
      found = next
    }
    #expect(found.contains(site.user.id))
  }
}
