import Peapod
import Testing

/// Rule 19: what a child pod shares with its parents, and what it builds again.
@Suite struct ChildSharingTests {
  @Test("R19 R25 a builder that shares a graph-scoped instance of a child builds for the child")
  func graphInstanceOfChild() {
    let base = Provider { _ in 0 }
    let shared = Provider(scope: .graph) { [$0.resolve(base)] }
    let first = Provider { $0.resolve(shared) }
    let second = Provider { $0.resolve(shared) }
    let top = Provider { $0.resolve(first) + $0.resolve(second) }
    let root = Pod("root")
    let child = root.makeChild { $0.overrideProvider(base, withValue: 1) }
    #expect(child.resolve(top) == [1, 1])
    #expect(root.resolve(second) == [0])
    #expect(root.resolve(top) == [0, 0])
  }

  @Test("R19 what is built from a child's override is built again in the child alone", arguments: ProviderKind.allCases)
  func overrideRebuildsDependents(_ kind: ProviderKind) async throws {
    let root = Pod("root")
    let dep = Plant.leaf(kind, "dep")
    let middle = dep.dependent("middle")
    let p = middle.dependent("p")
    let ofRoot = try await p.resolve(in: root)
    let child = root.makeChild("child") { dep.override(in: $0, label: "mock") }
    let ofChild = try await p.resolve(in: child)
    #expect(ofChild.recipe == "p(middle(mock))")
    #expect(ofRoot.recipe == "p(middle(dep))")
    #expect(try await p.resolve(in: child) === ofChild)
    #expect(try await p.resolve(in: root) === ofRoot)
    #expect(try await middle.resolve(in: child) === ofChild.parts[0])
  }

  @Test(
    "R15 R19 a child's override leaves the parent what a dependent in the child was built from",
    arguments: ProviderKind.allCases)
  func partsOfParentStay(_ kind: ProviderKind) async throws {
    let root = Pod("root")
    let dep = Plant.leaf(kind, "dep")
    let middle = dep.dependent("middle")
    let p = middle.dependent("p", scope: OwnedScope())
    let child = root.makeChild("child", owning: [OwnedScope()])
    let ofRoot = try await middle.resolve(in: root)
    let first = try await p.resolve(in: child)
    dep.override(in: child, label: "mock")
    #expect(try await p.resolve(in: child).recipe == "p(middle(mock))")
    #expect(try await middle.resolve(in: root) === ofRoot)
    dep.removeOverride(in: child)
    #expect(try await p.resolve(in: child) === first)
  }

  @Test("R19 a child that resolves first leaves the parent to build its own", arguments: ProviderKind.allCases)
  func childFirst(_ kind: ProviderKind) async throws {
    let root = Pod("root")
    let dep = Plant.leaf(kind, "dep")
    let p = dep.dependent("p")
    let child = root.makeChild { dep.override(in: $0, label: "mock") }
    let ofChild = try await p.resolve(in: child)
    #expect(!p.isCached(in: root))
    let ofRoot = try await p.resolve(in: root)
    #expect(ofRoot.recipe == "p(dep)")
    #expect(ofChild.recipe == "p(mock)")
    #expect(try await p.resolve(in: child) === ofChild)
  }

  @Test("R19 empty pods below an overriding child share the child's instance", arguments: ProviderKind.allCases)
  func emptyLevels(_ kind: ProviderKind) async throws {
    let root = Pod("root")
    let dep = Plant.leaf(kind, "dep")
    let built = Counter()
    let p = dep.dependent("p", built: built)
    let ofRoot = try await p.resolve(in: root)
    let child = root.makeChild("child") { dep.override(in: $0, label: "mock") }
    let lowest = child.makeChild("empty").makeChild("lowest")
    let seen = try await p.resolve(in: lowest)
    #expect(seen.recipe == "p(mock)")
    #expect(try await p.resolve(in: child) === seen)
    #expect(try await p.resolve(in: child.makeChild()) === seen)
    #expect(seen !== ofRoot)
    #expect(built.value == 2)
  }

  @Test("R19 an untouched provider resolved first in a child lives in the root", arguments: ProviderKind.allCases)
  func untouchedLivesInRoot(_ kind: ProviderKind) async throws {
    let root = Pod("root")
    let unrelated = Plant.leaf(kind, "unrelated")
    let built = Counter()
    let p = Plant.leaf(kind, "dep").dependent("p", built: built)
    var seen: Part?
    do {
      let child = root.makeChild { unrelated.override(in: $0, label: "mock") }
      let lowest = child.makeChild()
      seen = try await p.resolve(in: lowest)
    }
    #expect(p.isCached(in: root))
    #expect(try await p.resolve(in: root) === seen)
    #expect(built.value == 1)
  }

  @Test("R19 an instance lives in the outermost pod of the chain that would build it the same way")
  func outermostPod() {
    let root = Pod("root")
    let a = Provider { _ in Part("a") }
    let b = Provider { _ in Part("b") }
    let ofA = Provider { Part("ofA", [$0.resolve(a)]) }
    let ofB = Provider { Part("ofB", [$0.resolve(b)]) }
    let ofBoth = Provider { Part("ofBoth", [$0.resolve(ofB), $0.resolve(ofA)]) }
    let neither = Provider { _ in Part("neither") }
    let upper = root.makeChild { $0.overrideProvider(a) { _ in Part("A") } }
    let lower = upper.makeChild { $0.overrideProvider(b) { _ in Part("B") } }
    let bottom = lower.makeChild()

    let both = bottom.resolve(ofBoth)
    #expect(both.recipe == "ofBoth(ofB(B),ofA(A))")
    #expect(lower.resolve(ofBoth) === both)
    #expect(upper.resolve(ofA) === both.parts[1])
    #expect(bottom.resolve(neither) === root.resolve(neither))

    #expect(upper.resolve(ofBoth).recipe == "ofBoth(ofB(b),ofA(A))")
    #expect(upper.resolve(ofB) === root.resolve(ofB))
    #expect(root.resolve(ofBoth).recipe == "ofBoth(ofB(b),ofA(a))")
    #expect(lower.resolve(ofBoth) === both)
  }

  @Test("R19 sibling children never see each other's instances", arguments: ProviderKind.allCases)
  func siblings(_ kind: ProviderKind) async throws {
    let root = Pod("root")
    let dep = Plant.leaf(kind, "dep")
    let p = dep.dependent("p")
    let q = Plant.leaf(kind, "q", scope: OwnedScope())
    let first = root.makeChild(owning: [OwnedScope()]) { dep.override(in: $0, label: "first") }
    let second = root.makeChild(owning: [OwnedScope()]) { dep.override(in: $0, label: "second") }
    for _ in 0..<2 {
      #expect(try await p.resolve(in: first).recipe == "p(first)")
      #expect(try await p.resolve(in: second).recipe == "p(second)")
    }
    #expect(try await q.resolve(in: first) !== q.resolve(in: second))
    #expect(try await p.resolve(in: root).recipe == "p(dep)")
  }

  @Test("R19 a child's own override of a provider wins over building it again", arguments: ProviderKind.allCases)
  func manualOverrideWins(_ kind: ProviderKind) async throws {
    let root = Pod("root")
    let dep = Plant.leaf(kind, "dep")
    let built = Counter()
    let p = dep.dependent("p", built: built)
    let top = p.dependent("top")
    let child = root.makeChild {
      dep.override(in: $0, label: "mock")
      p.override(in: $0, label: "own")
    }
    #expect(try await p.resolve(in: child).recipe == "own")
    #expect(try await top.resolve(in: child).recipe == "top(own)")
    #expect(try await p.resolve(in: child.makeChild()).recipe == "own")
    #expect(built.value == 0)
  }

  @Test("R19 an override that the parent gets later reaches the child", arguments: ProviderKind.allCases)
  func laterParentOverride(_ kind: ProviderKind) async throws {
    let root = Pod("root")
    let dep = Plant.leaf(kind, "dep")
    let other = Plant.leaf(kind, "other")
    let p = dep.dependent("p")
    let q = other.dependent("q")
    let child = root.makeChild { other.override(in: $0, label: "OTHER") }
    let lower = child.makeChild()
    let before = try await p.resolve(in: lower)
    let untouched = try await q.resolve(in: lower)
    dep.override(in: root, label: "DEP")
    #expect(try await p.resolve(in: lower).recipe == "p(DEP)")
    #expect(try await p.resolve(in: child) === p.resolve(in: root))
    #expect(try await q.resolve(in: lower) === untouched)
    dep.removeOverride(in: root)
    #expect(try await p.resolve(in: child) === before)
  }

  @Test("R15 R19 what a child built is set aside by an override of its parent and comes back")
  func childInstanceComesBack() {
    let root = Pod("root")
    let a = Provider { _ in Part("a") }
    let b = Provider { _ in Part("b") }
    let p = Provider { Part("p", [$0.resolve(a), $0.resolve(b)]) }
    let child = root.makeChild { $0.overrideProvider(b) { _ in Part("B") } }
    let before = child.resolve(p)
    root.overrideProvider(a) { _ in Part("A") }
    #expect(child.resolve(p).recipe == "p(A,B)")
    #expect(root.resolve(p).recipe == "p(A,b)")
    root.removeOverrideProvider(a)
    #expect(child.resolve(p) === before)
    #expect(root.resolve(p).recipe == "p(a,b)")
  }

  @Test("R15 R19 removing a child's override gives back the parent's instance", arguments: ProviderKind.allCases)
  func removeInChild(_ kind: ProviderKind) async throws {
    let root = Pod("root")
    let dep = Plant.leaf(kind, "dep")
    let census = Census()
    let p = dep.dependent("p", in: census)
    let ofRoot = try await p.resolve(in: root)
    let child = root.makeChild { dep.override(in: $0, label: "mock") }
    #expect(try await p.resolve(in: child) !== ofRoot)
    #expect(census.alive == 2)
    dep.removeOverride(in: child)
    #expect(try await p.resolve(in: child) === ofRoot)
    await eventually("the child's instance goes") { census.alive == 1 }
    dep.override(in: child, label: "again")
    #expect(try await p.resolve(in: child).recipe == "p(again)")
  }

  @Test("R17 R19 a child's decorator wraps the very instance of its parent", arguments: ProviderKind.allCases)
  func decorator(_ kind: ProviderKind) async throws {
    let root = Pod("root")
    let dep = Plant.leaf(kind, "dep")
    let p = dep.dependent("p")
    let ofRoot = try await p.resolve(in: root)
    let child = root.makeChild { p.decorate(in: $0, label: "child") }
    let grandchild = child.makeChild { p.decorate(in: $0, label: "grandchild") }
    let seen = try await p.resolve(in: grandchild)
    #expect(seen.recipe == "grandchild(child(p(dep)))")
    #expect(seen.parts[0] === (try await p.resolve(in: child)))
    #expect(seen.parts[0].parts[0] === ofRoot)
    #expect(try await p.resolve(in: root) === ofRoot)
  }

  @Test("R19 an override in a parent is built again where a child overrides what it asks for")
  func parentOverrideRebuilt() {
    let root = Pod("root")
    let setting = Provider { _ in Part("setting") }
    let p = Provider { _ in Part("p") }
    root.overrideProvider(p) { Part("override", [$0.resolve(setting)]) }
    let ofRoot = root.resolve(p)
    let child = root.makeChild { $0.overrideProvider(setting) { _ in Part("SETTING") } }
    #expect(child.resolve(p).recipe == "override(SETTING)")
    #expect(root.resolve(p) === ofRoot)
    #expect(root.makeChild().resolve(p) === ofRoot)
  }

  @Test("R19 deferred dependencies count: what holds a lazy or a factory is built again")
  func deferredDependencies() {
    final class Holder: Sendable {
      let lazy: Lazy<Part>
      let make: @Sendable () -> Part
      init(_ lazy: Lazy<Part>, _ make: @escaping @Sendable () -> Part) {
        self.lazy = lazy
        self.make = make
      }
    }
    let root = Pod("root")
    let a = Provider { _ in Part("a") }
    let b = Provider { _ in Part("b") }
    let holder = Provider { Holder($0.lazy(a), $0.factory(b)) }
    let ofRoot = root.resolve(holder)
    for overridden in [a, b] {
      let child = root.makeChild { $0.overrideProvider(overridden) { _ in Part("mock") } }
      let ofChild = child.resolve(holder)
      #expect(ofChild !== ofRoot)
      #expect([ofChild.lazy.value.recipe, ofChild.make().recipe].contains("mock"))
    }
    #expect(ofRoot.lazy.value.recipe == "a")
    #expect(ofRoot.make().recipe == "b")
  }

  @Test("R15 R19 R25 what was built from an instance for one use is built again where that is overridden")
  func usedDependencies() {
    let root = Pod("root")
    let setting = Provider { _ in 1 }
    let part = Provider { pod in pod.resolve(setting) }
    let whole = Provider { pod in pod.withFreshInstance(of: part) { $0 + 10 } }
    #expect(root.resolve(whole) == 11)
    for overridden in [part, setting] {
      let child = root.makeChild { $0.overrideProvider(overridden, withValue: 2) }
      #expect(child.resolve(whole) == 12)
      #expect(root.resolve(whole) == 11)
      root.overrideProvider(overridden, withValue: 3)
      #expect(root.resolve(whole) == 13)
      #expect(child.resolve(whole) == 12)
      root.removeOverrideProvider(overridden)
      #expect(root.resolve(whole) == 11)
    }
  }

  @Test("R25 R28 what is recorded of instances for one use does not grow with the uses")
  func recordsOfUses() {
    let root = Pod("root")
    let setting = Provider(scope: OwnedScope()) { _ in 1 }
    let part = Provider { pod in pod.resolve(setting) }
    let whole = Provider { pod in pod.withFreshInstance(of: part) { $0 + 10 } }
    let page = Provider(scope: .alwaysCreateNew) { pod in pod.withFreshInstance(of: part) { $0 + 20 } }
    func use() {
      #expect(root.resolve(whole) == 11)
      #expect(root.resolve(page) == 21)
      root.clearCachedInstance(of: whole)
      #expect(root.resolve(whole) == 11)
      #expect(root.resolve(page) == 21)
    }
    use()
    root.clearCachedInstances(forScope: OwnedScope())
    use()
    let (nodes, edges) = (root.graph.nodes.count, root.graph.edges.count)
    for isClearing in [false, true, true] {
      for _ in 0..<20 {
        if isClearing { root.clearCachedInstances(forScope: OwnedScope()) }
        use()
      }
      #expect(root.graph.nodes.count == nodes)
      #expect(root.graph.edges.count == edges)
    }
  }

  @Test("R19 what was built from many things is shared with a child unless that overrides one of them")
  func manyDependencies() {
    // More than there are bits to tell them apart.
    let root = Pod("root")
    let parts = (0..<130).map { number in Provider { _ in number } }
    let whole = Provider { pod in Part("\(parts.reduce(0) { $0 + pod.resolve($1) })") }
    let ofRoot = root.resolve(whole)
    let others = (0..<130).map { number in Provider { _ in number } }
    for (part, other) in zip(parts, others) {
      #expect(root.makeChild { $0.overrideProvider(other, withValue: 0) }.resolve(whole) === ofRoot)
      let child = root.makeChild { $0.overrideProvider(part) { _ in 1_000 } }
      #expect(child.resolve(whole) !== ofRoot)
      _ = root.resolve(other)
      #expect(root.makeChild { $0.overrideProvider(other, withValue: 0) }.resolve(whole) === ofRoot)
    }
  }

  @Test("R19 what a builder asked of another pod first and then of its own is followed as its own")
  func askedTwice() {
    let root = Pod("root")
    let (part, other) = (Provider { _ in "part" }, Provider { _ in 1 })
    let helper = root.makeChild("helper") { $0.overrideProvider(other, withValue: 2) }
    let whole = Provider { [unowned helper] pod in Part(helper.resolve(part) + " and " + pod.resolve(part)) }
    let ofRoot = root.resolve(whole)
    let child = root.makeChild("child") { $0.overrideProvider(part, withValue: "of child") }
    #expect(child.resolve(whole).recipe == "part and of child")
    #expect(root.resolve(whole) === ofRoot)
    withExtendedLifetime(helper) {}
  }

  @Test("R19 R26 what a handle comes to be built from is followed, however many providers there are")
  func lateDependencies() {
    final class Holder: Sendable {
      let lazy: Lazy<Part>
      init(_ lazy: Lazy<Part>) { self.lazy = lazy }
    }
    // More than there are bits to tell them apart.
    let root = Pod("root")
    for setting in (0..<130).map({ _ in Provider { _ in "SETTING" } }) {
      let part = Provider { Part($0.resolve(setting)) }
      let holder = Provider { Holder($0.lazy(part)) }
      let child = root.makeChild { $0.overrideProvider(setting, withValue: "other") }
      _ = root.resolve(setting)
      let ofRoot = root.resolve(holder)
      // Nothing is known yet of what the handle leads to.
      _ = child.resolve(holder)
      _ = root.resolve(part)
      #expect(child.resolve(holder).lazy.value.recipe == "other")
      #expect(root.resolve(holder) === ofRoot)
    }
  }

  @Test("R25 R27 an instance for one use whose builder lets the pod go leaves nothing behind")
  func usedWhilePodEnds() {
    let population = Population()
    let owner = Locked<Pod?>(Pod("root"))
    let handle = Locked<Pod?>(nil)
    let keeper = Provider { pod in handle.withLock { $0 = pod } }
    owner.withLock { $0! }.resolve(keeper)
    do {
      let part = Provider { _ in
        owner.withLock { $0 = nil }
        return population.make()
      }
      let whole = Provider { pod in
        pod.withFreshInstance(of: part) { _ in }
        return population.make()
      }
      let stored = handle.withLock { $0! }
      _ = stored.resolve(whole)
      stored.dispose()
    }
    handle.withLock { $0 = nil }
    #expect(population.live == 0)
  }

  @Test(
    "R19 a child shares exactly what does not depend on its overrides, among many instances", arguments: [true, false])
  func manyInstances(ofRoot: Bool) {
    let (setting, other) = (Provider { _ in Part("setting") }, Provider { _ in Part("other") })
    let unrelated = Provider { _ in 1 }
    var (plain, links) = ([other], [setting])
    for _ in 1..<40 {
      let (side, below) = (plain.last!, links.last!)
      plain.append(Provider { Part("plain", [$0.resolve(side)]) })
      links.append(Provider { Part("link", [$0.resolve(side), $0.resolve(below)]) })
    }
    let root = Pod("root")
    // With overrides of its own, the parent has the instances itself.
    let parent =
      ofRoot
      ? root
      : root.makeChild("parent") {
        $0.overrideProvider(setting) { _ in Part("setting") }
        $0.overrideProvider(other) { _ in Part("other") }
      }
    _ = parent.resolve(links.last!)
    let child = parent.makeChild("child") {
      $0.overrideProvider(setting) { _ in Part("mine") }
      $0.overrideProvider(unrelated, withValue: 2)
    }
    _ = child.resolve(links.last!)
    #expect(plain.allSatisfy { child.resolve($0) === parent.resolve($0) })
    #expect(links.allSatisfy { child.resolve($0) !== parent.resolve($0) })
    child.removeOverrideProvider(setting)
    #expect(links.allSatisfy { child.resolve($0) === parent.resolve($0) })
  }

  @Test("R19 what a grandchild was seen not to share does not keep it from sharing a holder of the child")
  func holderOfChild() {
    let (base, unrelated) = (Provider { _ in Part("base") }, Provider { _ in 1 })
    var top = base
    for _ in 0..<20 {
      let below = top
      top = Provider { Part("link", [$0.resolve(below)]) }
    }
    let last = top
    let holder = Provider { pod in
      withExtendedLifetime(pod.lazy(last)) { Part("holder") }
    }
    let root = Pod("root")
    _ = root.resolve(last)
    let child = root.makeChild("child") { $0.overrideProvider(base) { _ in Part("other") } }
    let known = child.resolve(holder)
    let grandchild = child.makeChild("grandchild") { $0.overrideProvider(unrelated, withValue: 2) }
    #expect(!grandchild.isCached(last))
    #expect(grandchild.resolve(holder) === known)
  }
}
