import Peapod
import Testing

/// Rule 27: what a pod keeps does not keep the pod, and a stored pod outlives it without harm.
@Suite(.timeLimit(.minutes(20))) struct StoredPodTests {
  /// What the clingers of a test are made of.
  private struct Materials: Sendable {
    let census: Census
    let setting: Provider<Part>
    let member: ProviderFamily<Provider<Part>, Int>

    init() {
      let census = Census()
      let setting = Provider { _ in Part("setting", in: census) }
      self.census = census
      self.setting = setting
      member = Provider.family { (pod: Pod, id: Int) in Part("\(id)", [pod.resolve(setting)], in: census) }
    }
  }

  /// Stores everything through which an instance could keep its pod alive.
  private final class Clinger: Sendable {
    let pod: Pod
    let child: Pod
    let lazy: Lazy<Part>
    let make: @Sendable () -> Part
    let makeMember: @Sendable (Int) -> Part
    let injected: Injected<Part>
    private let token: Part

    init(_ pod: Pod, _ materials: Materials) {
      self.pod = pod
      child = pod.makeChild("of clinger")
      lazy = pod.lazy(materials.setting)
      make = pod.factory(materials.setting)
      makeMember = pod.factory(materials.member)
      injected = Injected(materials.setting)
      token = Part("token", in: materials.census)
    }

    func use() {
      _ = lazy.value
      _ = make()
      _ = makeMember(1)
      _ = child.resolve(Provider { _ in 1 })
    }
  }

  private struct Plan: Sendable {
    let materials = Materials()
    let plain: Provider<Clinger>
    let throwing: ThrowingProvider<Clinger>
    let async: AsyncProvider<Clinger>
    let main: MainActorProvider<Clinger>

    var census: Census { materials.census }

    init() {
      let materials = materials
      plain = Provider { Clinger($0, materials) }
      throwing = ThrowingProvider { Clinger($0, materials) }
      async = AsyncProvider { Clinger($0, materials) }
      main = MainActorProvider { Clinger($0, materials) }
    }

    func resolve(_ kind: ProviderKind, in pod: Pod) async throws -> Clinger {
      switch kind {
      case .plain: pod.resolve(plain)
      case .throwing: try pod.resolve(throwing)
      case .async: try await pod.resolve(async)
      case .main: await MainActor.run { pod.resolve(main) }
      }
    }
  }

  @Test(
    "R27 an instance that stores its pod, a lazy and a factory goes with its root", arguments: ProviderKind.allCases)
  func goesWithRoot(_ kind: ProviderKind) async throws {
    let plan = Plan()
    weak var gone: Pod?
    do {
      let root = Pod("root")
      gone = root
      try await plan.resolve(kind, in: root).use()
      #expect(plan.census.alive == 3)
    }
    await eventually("everything goes") { plan.census.alive == 0 }
    #expect(gone == nil)
  }

  @Test(
    "R27 a stored pod releases what it builds after the end of its pod, also if a child was resolved from"
  )
  func goesWithStoredPod() {
    let census = Census()
    let setting = Provider { _ in Part("setting", in: census) }
    do {
      let keeper = Provider { pod in pod }
      let stored = Pod("ended").resolve(keeper)
      let child = stored.makeChild { $0.overrideProvider(setting) { _ in Part("SETTING", in: census) } }
      let whole = Provider { [unowned child] _ in Part("whole", [child.resolve(setting)], in: census) }
      #expect(stored.resolve(whole).parts[0].label == "SETTING")
      #expect(stored.resolve(whole) === stored.resolve(whole))
      withExtendedLifetime(child) {}
    }
    #expect(census.alive == 0)
  }

  @Test("R27 the same goes with its child, and the root stays", arguments: ProviderKind.allCases)
  func goesWithChild(_ kind: ProviderKind) async throws {
    let plan = Plan()
    let root = Pod("root")
    try await plan.resolve(kind, in: root).use()
    #expect(plan.census.alive == 3)
    weak var gone: Pod?
    do {
      let child = root.makeChild("child") { pod in
        pod.overrideProvider(plan.materials.setting) { _ in Part("SETTING", in: plan.census) }
      }
      gone = child
      try await plan.resolve(kind, in: child).use()
      #expect(plan.census.alive == 6)
    }
    await eventually("what the child kept goes") { plan.census.alive == 3 }
    #expect(gone == nil)
    let kept = try await plan.resolve(kind, in: root)
    #expect(kept.lazy.value.recipe == "setting")
  }

  @Test("R18 R27 the same goes with its block", arguments: ProviderKind.allCases)
  func goesWithBlock(_ kind: ProviderKind) async throws {
    let plan = Plan()
    let root = Pod("root")
    try await root.withOverrides({ _ in }) {
      try await plan.resolve(kind, in: root).use()
      #expect(plan.census.alive == 3)
    }
    // One of the main actor is let go there.
    await eventually("everything goes") { plan.census.alive == 0 }
  }

  @Test("R27 a resolved one goes on dispose and shutdown too", arguments: ProviderKind.allCases)
  func goesOnDispose(_ kind: ProviderKind) async throws {
    let plan = Plan()
    let root = Pod("root")
    try await plan.resolve(kind, in: root).use()
    root.dispose()
    await eventually("everything goes") { plan.census.alive == 0 }
    try await plan.resolve(kind, in: root).use()
    await root.shutdown()
    await eventually("everything goes") { plan.census.alive == 0 }
  }

  @Test("R27 what outlives its root starts afresh and then goes as a whole")
  func usedAfterRoot() {
    let plan = Plan()
    do {
      let held: Clinger
      do {
        let root = Pod("root")
        held = root.resolve(plan.plain)
        held.use()
      }
      // What the clinger itself holds: its token, and the setting in `lazy` and `injected`.
      #expect(plan.census.alive == 2)
      #expect(!held.pod.isCached(plan.materials.setting))
      let setting = held.pod.resolve(plan.materials.setting)
      #expect(setting !== held.lazy.value)
      #expect(held.pod.resolve(plan.materials.setting) === setting)
      #expect(held.make() === setting)
      #expect(held.makeMember(1).parts[0] === setting)
      held.lazy.dispose()
      #expect(held.lazy.value === setting)
      let next = held.pod.resolve(plan.plain)
      #expect(next !== held)
      next.use()
      #expect(held.child.resolve(plan.materials.setting) === setting)
    }
    #expect(plan.census.alive == 0)
  }

  @Test("R27 what outlives its child goes on with the child's overrides, afresh")
  func usedAfterChild() {
    let plan = Plan()
    let root = Pod("root")
    let ofRoot = root.resolve(plan.materials.setting)
    do {
      let held: Clinger
      do {
        let child = root.makeChild("child") { pod in
          pod.overrideProvider(plan.materials.setting) { _ in Part("SETTING", in: plan.census) }
        }
        held = child.resolve(plan.plain)
        held.use()
      }
      let setting = held.pod.resolve(plan.materials.setting)
      #expect(setting.recipe == "SETTING")
      #expect(setting !== held.lazy.value)
      #expect(held.make() === setting)
      #expect(held.makeMember(2).recipe == "2(SETTING)")
      #expect(root.resolve(plan.materials.setting) === ofRoot)
    }
    #expect(plan.census.alive == 1)
  }

  @Test("R27 a lazy that was never used before its pod went resolves afterwards")
  func lazyAfterPod() {
    let setting = Provider { _ in Part("setting") }
    func orphan() -> (Lazy<Part>, @Sendable () -> Part) {
      let pod = Pod("short-lived")
      return (pod.resolve(Provider(scope: .alwaysCreateNew) { $0.lazy(setting) }), pod.factory(setting))
    }
    let (lazy, make) = orphan()
    #expect(!lazy.isResolved)
    #expect(lazy.value.recipe == "setting")
    #expect(make().recipe == "setting")
  }

  @Test("R27 what each hook of a dying pod stores of it works and goes")
  func usedInHook() {
    let census = Census()
    let log = Log<String>()
    do {
      let pod = Pod("root")
      let setting = Provider { _ in Part("setting", in: census) }
      let materials = Materials()
      let clinger = Provider {
        Clinger($0, materials)
      } onDispose: {
        log.append($0.pod.resolve(setting).recipe)
      }
      _ = pod.resolve(clinger)
    }
    #expect(log.entries == ["setting"])
    #expect(census.alive == 0)
  }

  @Test("R15 R27 what the stored pod of a child that has gone overrides counts for what it shares with its parent")
  func overrideAfterwards() {
    final class Holder: Sendable {
      let pod: Pod
      init(_ pod: Pod) { self.pod = pod }
    }
    let (setting, own) = (Provider { _ in 1 }, Provider { _ in 1 })
    let shared = Provider { Part("shared \($0.resolve(setting))") }
    let holder = Provider { pod in
      _ = pod.resolve(own); return Holder(pod)
    }
    let root = Pod("root")
    let ofRoot = root.resolve(shared)
    let held = root.makeChild { $0.overrideProvider(own, withValue: 2) }.resolve(holder)
    #expect(held.pod.resolve(shared) === ofRoot)
    held.pod.overrideProvider(setting, withValue: 3)
    #expect(held.pod.resolve(shared).recipe == "shared 3")
    #expect(held.pod.withResolved(shared) { $0.recipe } == "shared 3")
    #expect(root.resolve(shared) === ofRoot)
  }

  @Test("R27 an instance that stores the pod of a child does not keep the parent's instances")
  func handleOfChild() {
    let census = Census()
    let shared = Provider { _ in Part("shared", in: census) }
    let setting = Provider { _ in 1 }
    final class Holder: Sendable {
      let pod: Pod
      init(_ pod: Pod) { self.pod = pod }
    }
    let holder = Provider { pod in
      _ = pod.resolve(setting); return Holder(pod)
    }
    var held: Holder?
    do {
      let root = Pod("root")
      _ = root.resolve(shared)
      let child = root.makeChild { $0.overrideProvider(setting, withValue: 2) }
      held = child.resolve(holder)
    }
    #expect(census.alive == 0)
    withExtendedLifetime(held) {}
  }
}
