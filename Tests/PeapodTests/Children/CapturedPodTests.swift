import Peapod
import Testing

/// Rule 19: a pod that a builder captured is, once the build is over, the pod in which its instance lives.
@Suite struct CapturedPodTests {
  /// Keeps the pod that its builder was given.
  private final class Keeper: Sendable {
    let pod: Pod
    let dep: Part?
    init(_ pod: Pod, _ dep: Part? = nil) {
      self.pod = pod
      self.dep = dep
    }
  }

  @Test("R19 after a build through a child that changes nothing, the captured pod is the root")
  func capturedPodIsRoot() {
    let root = Pod("root")
    let setting = Provider { _ in Part("setting") }
    let scoped = Provider(scope: OwnedScope()) { _ in Part("scoped") }
    let keeper = Provider { Keeper($0) }
    let child = root.makeChild("child", owning: [OwnedScope()]) {
      $0.overrideProvider(setting) { _ in Part("SETTING") }
    }
    let kept = child.makeChild("lowest").resolve(keeper)
    #expect(kept.pod.name == "root")
    #expect(kept.pod.parent == nil)
    #expect(kept.pod.isCached(keeper))
    #expect(kept.pod.resolve(keeper) === kept)
    #expect(kept.pod.resolve(setting) === root.resolve(setting))
    #expect(kept.pod.resolve(scoped) === root.resolve(scoped))
    #expect(kept.pod.resolve(scoped) !== child.resolve(scoped))
    #expect(child.resolve(setting).recipe == "SETTING")
  }

  @Test("R19 after a build from what a child changes, the captured pod is the child")
  func capturedPodIsChild() {
    let root = Pod("root")
    let setting = Provider { _ in Part("setting") }
    let other = Provider { _ in Part("other") }
    let keeper = Provider { Keeper($0, $0.resolve(setting)) }
    let child = root.makeChild("child") {
      $0.overrideProvider(setting) { _ in Part("SETTING") }
      $0.overrideProvider(other) { _ in Part("CHILD") }
    }
    let lowest = child.makeChild("lowest") { $0.overrideProvider(other) { _ in Part("LOWEST") } }
    let kept = lowest.resolve(keeper)
    #expect(kept.pod.name == "child")
    #expect(kept.pod.parent?.name == "root")
    #expect(kept.pod.resolve(keeper) === kept)
    #expect(kept.pod.resolve(other).recipe == "CHILD")
    #expect(lowest.resolve(other).recipe == "LOWEST")
    #expect(root.resolve(keeper).pod.name == "root")
  }

  @Test("R19 what a builder asks its pod for counts, whatever it asks another one for", arguments: [false, true])
  func askedOfBoth(asksItsOwnFirst: Bool) {
    let root = Pod("root")
    let setting = Provider("setting", scope: .graph) { _ in "plain" }
    let other = Provider("other") { _ in 1 }
    let part = Provider("part") { pod in "part of \(pod.resolve(setting))" }
    let whole = Provider("whole") { pod in
      let first = asksItsOwnFirst ? pod.resolve(setting) : root.resolve(part)
      let second = asksItsOwnFirst ? root.resolve(part) : pod.resolve(setting)
      return "\(first), \(second)"
    }
    _ = root.makeChild("first") { $0.overrideProvider(other, withValue: 2) }.resolve(whole)
    let child = root.makeChild("second") { $0.overrideProvider(setting, withValue: "other") }
    #expect(child.resolve(whole) == (asksItsOwnFirst ? "other, part of plain" : "part of plain, other"))
    #expect(root.resolve(whole) == (asksItsOwnFirst ? "plain, part of plain" : "part of plain, plain"))
  }

  @Test(
    "R10 R19 what a child's builder asks the root itself for is the root's, whatever the child overrides",
    arguments: [false, true])
  func askedOfTheRoot(isKeptAlready: Bool) {
    let root = Pod("root")
    let setting = Provider("setting") { _ in Part("setting") }
    let keeper = Provider("keeper") { Keeper($0, $0.resolve(setting)) }
    let whole = Provider("whole") { [Keeper($0, $0.resolve(setting)), root.resolve(keeper)] }
    if isKeptAlready { _ = root.resolve(keeper) }
    let child = root.makeChild("child") { $0.overrideProvider(setting) { _ in Part("SETTING") } }
    let kept = child.resolve(whole)
    #expect(kept.map(\.pod.name) == ["child", "root"])
    #expect(kept.map { $0.dep?.recipe } == ["SETTING", "setting"])
    #expect(root.resolve(keeper) === kept[1])
    #expect(child.resolve(keeper) !== kept[1])
    #expect(child.resolve(whole)[0] === kept[0])
  }

  @Test("R19 a pod captured by an instance of an owned scope is the owner")
  func capturedPodIsOwner() {
    let root = Pod("root")
    let keeper = Provider(scope: OwnedScope()) { Keeper($0) }
    let child = root.makeChild("child", owning: [OwnedScope()])
    #expect(child.makeChild("lowest").resolve(keeper).pod.name == "child")
    #expect(root.resolve(keeper).pod.name == "root")
  }

  @Test("R19 a captured pod of each kind follows its instance", arguments: ProviderKind.allCases)
  func everyKind(_ kind: ProviderKind) async throws {
    let root = Pod("root")
    let setting = Provider { _ in Part("setting") }
    let changed = Provider { _ in Part("changed") }
    let child = root.makeChild("child") { $0.overrideProvider(changed) { _ in Part("CHANGED") } }
    for (needed, home) in [(setting, "root"), (changed, "child")] {
      let kept: Keeper
      switch kind {
      case .plain:
        kept = child.resolve(Provider { Keeper($0, $0.resolve(needed)) })
      case .throwing:
        kept = try child.resolve(ThrowingProvider { Keeper($0, $0.resolve(needed)) })
      case .async:
        kept = try await child.resolve(
          AsyncProvider { pod in
            await Task.yield()
            return Keeper(pod, pod.resolve(needed))
          })
      case .main:
        let provider = MainActorProvider { Keeper($0, $0.resolve(needed)) }
        kept = await MainActor.run { child.resolve(provider) }
      }
      #expect(kept.pod.name == home)
      #expect(kept.pod.resolve(changed).recipe == (home == "root" ? "changed" : "CHANGED"))
    }
  }

  @Test("R19 the pod that an async builder captured leads to the instance before its caller goes on")
  func settledBeforeCaller() async throws {
    let (root, setting) = (Pod("root"), Provider { _ in Part("setting") })
    let child = root.makeChild("child") { $0.overrideProvider(Provider { _ in 0 }, withValue: 1) }
    let keeper = AsyncProvider { pod in
      await Task.yield()
      return Keeper(pod, pod.resolve(setting))
    }
    for _ in 0..<200 {
      #expect(try await child.resolve(keeper).pod.name == "root")
      root.clearCachedInstance(of: keeper)
    }
  }

  @Test("R19 a captured pod's children and handles resolve where the instance lives")
  func handlesOfCapturedPod() {
    let root = Pod("root")
    let setting = Provider { _ in Part("setting") }
    let keeper = Provider { Keeper($0) }
    let child = root.makeChild("child") { $0.overrideProvider(setting) { _ in Part("SETTING") } }
    let kept = child.resolve(keeper)
    #expect(kept.pod.lazy(setting).value === root.resolve(setting))
    #expect(kept.pod.factory(setting)() === root.resolve(setting))
    let below = kept.pod.makeChild("below")
    #expect(below.parent?.name == "root")
    #expect(below.resolve(setting) === root.resolve(setting))
    kept.pod.overrideProvider(setting) { _ in Part("ROOT") }
    #expect(root.resolve(setting).recipe == "ROOT")
    #expect(child.resolve(setting).recipe == "SETTING")
  }

  @Test("R10 R19 a builder that asks the root by name gets what the root has")
  func builderAsksRoot() {
    let root = Pod("root")
    let setting = Provider { _ in Part("setting") }
    let p = Provider { _ in Part("p", [root.resolve(setting)]) }
    let child = root.makeChild { $0.overrideProvider(setting) { _ in Part("SETTING") } }
    let ofRoot = root.resolve(setting)
    #expect(child.resolve(p).parts[0] === ofRoot)
    #expect(root.resolve(p).parts[0] === ofRoot)
  }

  @Test("R10 R15 an override in a captured root pod reaches what another pod built from it")
  func overrideInCapturedRoot() {
    let (own, captured) = (Pod("own"), Pod("captured"))
    let child = own.makeChild()
    let setting = Provider { _ in "original" }
    let top = Provider { _ in "top of \(captured.resolve(setting))" }
    let above = Provider { pod in "above \(pod.resolve(top))" }
    #expect(child.resolve(above) == "above top of original")
    captured.overrideProvider(setting, withValue: "override")
    #expect(own.resolve(top) == "top of override")
    #expect(child.resolve(above) == "above top of override")
    #expect(own.resolve(above) == "above top of override")
    captured.removeOverrideProvider(setting)
    #expect(own.resolve(top) == "top of original")
    #expect(child.resolve(above) == "above top of original")
    captured.dispose()
    #expect(own.resolve(above) == "above top of original")
  }
}
