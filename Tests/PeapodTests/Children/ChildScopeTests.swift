import Peapod
import Testing

/// Rule 20: to whom a scope belongs, and whom a clear reaches.
@Suite struct ChildScopeTests {
  @Test(
    "R20 a scope belongs to the nearest pod upwards that owns it, else to the root", arguments: ProviderKind.allCases)
  func nearestOwner(_ kind: ProviderKind) async throws {
    let root = Pod("root")
    let p = Plant.leaf(kind, "p", scope: OwnedScope())
    let top = p.dependent("top", scope: OwnedScope())
    let empty = root.makeChild("empty")
    let owner = empty.makeChild("owner", owning: [OwnedScope()])
    let below = owner.makeChild("below")
    let inner = below.makeChild("inner", owning: [OwnedScope()])

    let ofOwner = try await top.resolve(in: below)
    #expect(try await top.resolve(in: owner) === ofOwner)
    #expect(try await p.resolve(in: owner) === ofOwner.parts[0])
    let ofRoot = try await top.resolve(in: empty)
    #expect(ofRoot !== ofOwner)
    #expect(try await top.resolve(in: root) === ofRoot)
    let ofInner = try await top.resolve(in: inner)
    #expect(ofInner !== ofOwner && ofInner !== ofRoot)
    #expect(ofInner.parts[0] !== ofOwner.parts[0])
  }

  @Test("R20 a scope owned by a child is cleared there alone", arguments: ProviderKind.allCases)
  func clearedInOwnerAlone(_ kind: ProviderKind) async throws {
    let root = Pod("root")
    let p = Plant.leaf(kind, "p", scope: OwnedScope())
    let child = root.makeChild(owning: [OwnedScope()])
    let sibling = root.makeChild(owning: [OwnedScope()])
    let before = (
      try await p.resolve(in: root), try await p.resolve(in: child), try await p.resolve(in: sibling)
    )
    child.clearCachedInstances(forScope: OwnedScope())
    #expect(p.isCached(in: root) && p.isCached(in: sibling) && !p.isCached(in: child))
    #expect(try await p.resolve(in: root) === before.0)
    #expect(try await p.resolve(in: sibling) === before.2)
    #expect(try await p.resolve(in: child) !== before.1)
  }

  @Test("R20 clearing in the root leaves the pods that own the scope alone")
  func clearInRoot() {
    let root = Pod("root")
    let p = Provider(scope: OwnedScope()) { _ in Part("p") }
    let child = root.makeChild(owning: [OwnedScope()])
    let below = child.makeChild()
    let ofChild = below.resolve(p)
    let ofRoot = root.resolve(p)
    root.clearCachedInstances(forScope: OwnedScope())
    #expect(below.resolve(p) === ofChild)
    #expect(root.resolve(p) !== ofRoot)
  }

  @Test("R20 clearing from a grandchild reaches the owner and all pods below it but further owners")
  func clearFromGrandchild() {
    let root = Pod("root")
    let setting = Provider { _ in Part("setting") }
    let p = Provider(scope: OwnedScope()) { Part("p", [$0.resolve(setting)]) }
    let owner = root.makeChild("owner", owning: [OwnedScope()])
    let grandchild = owner.makeChild("grandchild") { $0.overrideProvider(setting) { _ in Part("GRAND") } }
    let cousin = owner.makeChild("cousin") { $0.overrideProvider(setting) { _ in Part("COUSIN") } }
    let lowest = cousin.makeChild("lowest") { $0.overrideProvider(setting) { _ in Part("LOWEST") } }
    let further = cousin.makeChild("further", owning: [OwnedScope()])
    let belowFurther = further.makeChild("below further")
    let reached = [owner, grandchild, cousin, lowest]
    let spared = [root, further, belowFurther]
    let before = reached.map { $0.resolve(p) }
    #expect(Set(before.map(ObjectIdentifier.init)).count == reached.count)
    let kept = spared.map { $0.resolve(p) }

    grandchild.clearCachedInstances(forScope: OwnedScope())

    for pod in reached { #expect(!pod.isCached(p), "\(pod.name)") }
    for (pod, instance) in zip(spared, kept) { #expect(pod.resolve(p) === instance, "\(pod.name)") }
    for (pod, instance) in zip(reached, before) { #expect(pod.resolve(p) !== instance, "\(pod.name)") }
  }

  @Test("R20 a singleton built again in a child from its scope is not cleared with that scope")
  func singletonInChildStays() {
    let root = Pod("root")
    let scoped = Provider(scope: OwnedScope()) { _ in Part("scoped") }
    let single = Provider { Part("single", [$0.resolve(scoped)]) }
    let child = root.makeChild(owning: [OwnedScope()])
    let before = child.resolve(single)
    #expect(root.resolve(single) !== before)
    child.clearCachedInstances(forScope: OwnedScope())
    #expect(child.resolve(single) === before)
    #expect(child.resolve(scoped) !== before.parts[0])
  }

  @Test("R20 owning a scope owns its children")
  func owningOwnsChildren() {
    let root = Pod("root")
    let p = Provider(scope: OwnedScope()) { _ in Part("p") }
    let child = root.makeChild(owning: [OuterScope()])
    let ofChild = child.resolve(p)
    #expect(root.resolve(p) !== ofChild)
    root.clearCachedInstances(forScope: OuterScope())
    #expect(child.resolve(p) === ofChild)
    child.clearCachedInstances(forScope: OuterScope())
    #expect(child.resolve(p) !== ofChild)
  }

  @Test("R20 a scope that is a value is owned by its value")
  func hashableScope() {
    struct Floor: ProviderScope, Hashable { var number: Int }
    let root = Pod("root")
    let first = Provider(scope: Floor(number: 1)) { _ in Part("first") }
    let second = Provider(scope: Floor(number: 2)) { _ in Part("second") }
    let child = root.makeChild(owning: [Floor(number: 1)])
    #expect(child.resolve(first) !== root.resolve(first))
    #expect(child.resolve(second) === root.resolve(second))
  }

  @Test("R20 clearing one provider in a child drops the instance that the child sees")
  func clearOneProvider() {
    let root = Pod("root")
    let setting = Provider { _ in Part("setting") }
    let p = Provider { Part("p", [$0.resolve(setting)]) }
    let child = root.makeChild { $0.overrideProvider(setting) { _ in Part("SETTING") } }
    let ofRoot = root.resolve(p)
    let ofChild = child.resolve(p)
    child.clearCachedInstance(of: p)
    #expect(child.resolve(p) !== ofChild)
    #expect(root.resolve(p) === ofRoot)
  }

  @Test("R3 R19 a transient in a child is built from the child's overrides")
  func transientInChild() {
    let root = Pod("root")
    let setting = Provider { _ in Part("setting") }
    let fresh = Provider(scope: .alwaysCreateNew) { Part("fresh", [$0.resolve(setting)]) }
    let p = Provider { Part("p", [$0.resolve(fresh)]) }
    let child = root.makeChild { $0.overrideProvider(setting) { _ in Part("SETTING") } }
    #expect(child.resolve(p).recipe == "p(fresh(SETTING))")
    #expect(root.resolve(p).recipe == "p(fresh(setting))")
    let one = child.resolve(fresh)
    #expect(one !== child.resolve(fresh))
  }

  @Test("R5 R20 a clear in a child does not reach its parent where the weak answer is deallocated")
  func deallocatedWeakAnswer() {
    let root = Pod("root")
    let part = Provider { _ in Part("part") }
    root.overrideProvider(part, scope: .weak) { Part("weak", [$0.resolve(part)]) }
    let original = root.resolve(part).parts[0]
    let child = root.makeChild("child")
    child.clearCachedInstance(of: part)
    #expect(root.resolve(part).parts[0] === original)
    // The answer is there: it is cleared where it lives, with the original.
    let answer = child.resolve(part)
    child.clearCachedInstance(of: part)
    #expect(root.resolve(part) !== answer)
    #expect(root.resolve(part).parts[0] !== original)
  }

  @Test("R5 R19 a weak instance is shared by a child that does not change it")
  func weakInChild() {
    let root = Pod("root")
    let setting = Provider { _ in Part("setting") }
    let weak = Provider(scope: .weak) { Part("weak", [$0.resolve(setting)]) }
    let plain = root.makeChild()
    let held = plain.resolve(weak)
    #expect(root.resolve(weak) === held)
    let changed = root.makeChild { $0.overrideProvider(setting) { _ in Part("SETTING") } }
    let other = changed.resolve(weak)
    #expect(other.recipe == "weak(SETTING)")
    #expect(changed.resolve(weak) === other)
    #expect(root.resolve(weak) === held)
  }

  @Test("R20 a lookup of a cached instance needs no owner of the scope")
  func lookupWithoutOwner() {
    struct AccountScope: ProviderScope { var requiresOwner: Bool { true } }
    let account = Provider("account", scope: AccountScope()) { _ in Part("account") }
    let root = Pod("root")
    #expect(root.cachedInstance(of: account) == nil)
    let child = root.makeChild(owning: [AccountScope()])
    #expect(child.cachedInstance(of: account) == nil)
    let instance = child.resolve(account)
    #expect(child.cachedInstance(of: account) === instance)
  }
}
