import Peapod
import Testing

/// Rule 27: `onDispose` runs exactly once for each instance that a pod built and stops keeping, on every way out.
@MainActor
struct DisposeHookTests {
  fileprivate struct FlowScope: ProviderScope {}
  fileprivate struct AboveScope: ProviderScope {
    var children: [any ProviderScope] { [FlowScope(), FlowScope()] }
  }

  /// How an instance leaves its pod.
  enum WayOut: String, CaseIterable, Sendable {
    case clearScope, clearScopeAbove, clearInstance, removeOverride, overrideAgain, removeAllOverrides, dispose
    case lastReference

    var needsOverride: Bool { [.removeOverride, .overrideAgain, .removeAllOverrides].contains(self) }

    /// Ends what the bottom of a row of providers, and all that is built from it, keeps in the pod.
    func end(_ bottom: TrackedProvider, others: [TrackedProvider], in pod: inout Pod?) {
      switch self {
      case .clearScope: pod!.clearCachedInstances(forScope: FlowScope())
      case .clearScopeAbove: pod!.clearCachedInstances(forScope: AboveScope())
      case .clearInstance: for provider in others.reversed() + [bottom] { pod!.clearCachedInstance(of: provider) }
      case .removeOverride: pod!.removeOverrideProvider(bottom)
      case .overrideAgain: pod!.overrideProvider(bottom, withValue: Tracked())
      case .removeAllOverrides: pod!.removeAllOverrides()
      case .dispose: pod!.dispose()
      case .lastReference: pod = nil
      }
    }
  }

  @Test("R27 each hook runs once, dependents first", arguments: WayOut.allCases, SynchronousKind.allCases)
  func onceAndInOrder(wayOut: WayOut, kind: SynchronousKind) {
    let population = Population()
    let disposed = Log(of: Int.self)
    let note: @Sendable (Tracked) -> Void = { disposed.append($0.serial) }
    let scope = FlowScope()
    let bottom = kind.declare("bottom", scope: scope, { _ in population.make() }, onDispose: note)
    let middle = kind.declare(
      "middle", scope: scope, { population.make(keeping: [$0.resolve(bottom)]) }, onDispose: note)
    let top = kind.declare(
      "top", scope: scope, { population.make(keeping: [$0.resolve(bottom), $0.resolve(middle)]) }, onDispose: note)
    var pod: Pod? = Pod()
    if wayOut.needsOverride { pod!.overrideProvider(bottom) { _ in population.make() } }
    #expect(pod!.resolve(top).serial == 3)
    wayOut.end(bottom, others: [middle, top], in: &pod)
    #expect(disposed.drain() == [3, 2, 1])
    #expect(population.live == 0)
    if pod != nil {
      #expect([bottom, middle, top].map { pod!.isCached($0) } == [false, false, false])
      _ = pod!.resolve(top)
      if wayOut != .lastReference { wayOut.end(bottom, others: [middle, top], in: &pod) }
      pod = nil
      #expect(disposed.entries.count == Set(disposed.entries).count)
    }
    #expect(population.live == 0)
  }

  @Test(
    "R27 what does not depend on each other goes latest first",
    arguments: [WayOut.clearScope, .dispose, .lastReference])
  func latestFirst(wayOut: WayOut) {
    let disposed = Log(of: Int.self)
    let providers = (0..<20).map { number in
      Provider(scope: FlowScope()) { _ in
        number
      } onDispose: {
        disposed.append($0)
      }
    }
    let order = [7, 3, 19, 0, 4, 12, 11, 5]
    var pod: Pod? = Pod()
    for index in order + order { _ = pod!.resolve(providers[index]) }
    wayOut.end(.plain(Provider { _ in Tracked() }), others: [], in: &pod)
    #expect(disposed.entries == order.reversed())
  }

  @Test("R27 one order holds across the scopes that a clear reaches")
  func orderAcrossScopes() {
    let disposed = Log(of: Int.self)
    let scoped = (0..<4).map { number in
      Provider(scope: FlowScope()) { _ in
        number
      } onDispose: {
        disposed.append($0)
      }
    }
    let above = (4..<8).map { number in
      Provider(scope: AboveScope()) { _ in
        number
      } onDispose: {
        disposed.append($0)
      }
    }
    let pod = Pod()
    for index in 0..<4 { _ = (pod.resolve(scoped[index]), pod.resolve(above[index])) }
    pod.clearCachedInstances(forScope: AboveScope())
    #expect(disposed.entries == [7, 3, 6, 2, 5, 1, 4, 0])
  }

  @Test("R27 dependents first, even where a transient stands between")
  func orderThroughFreshInstances() {
    let disposed = Log(of: String.self)
    let bottom = Provider { _ in
      "bottom"
    } onDispose: {
      disposed.append($0)
    }
    let fresh = Provider(scope: .alwaysCreateNew) { pod in pod.resolve(bottom) }
    let top = Provider { pod in
      _ = pod.resolve(fresh)
      return "top"
    } onDispose: {
      disposed.append($0)
    }
    let pod = Pod()
    _ = pod.resolve(top)
    pod.dispose()
    #expect(disposed.entries == ["top", "bottom"])
  }

  @Test("R27 a random graph goes dependents first, latest first", arguments: 0..<20)
  func randomGraph(seed: Int) {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(below limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let (built, disposed) = (Log(of: Int.self), Log(of: Int.self))
    var providers: [Provider<Int>] = []
    for index in 0..<30 {
      let parts = index == 0 ? [] : (0..<random(below: 4)).map { _ in random(below: index) }
      providers.append(
        Provider { [providers] pod in
          for part in parts { _ = pod.resolve(providers[part]) }
          built.append(index)
          return index
        } onDispose: {
          disposed.append($0)
        })
    }
    let pod = Pod()
    for _ in 0..<60 { _ = pod.resolve(providers[random(below: 30)]) }
    pod.dispose()
    #expect(disposed.entries == built.entries.reversed())
  }

  @Test("R27 hooks see their dependencies undisposed and still cached instances unharmed")
  func hookUsesItsParts() {
    let disposed = Log(of: String.self)
    let part = Provider(scope: FlowScope()) { _ in
      Tracked()
    } onDispose: { _ in
      disposed.append("part")
    }
    let whole = Provider(scope: FlowScope()) { pod in
      Tracked(keeping: [pod.resolve(part)])
    } onDispose: { instance in
      disposed.append("whole with \(instance.parts.count) part")
    }
    let pod = Pod()
    _ = pod.resolve(whole)
    pod.clearCachedInstances(forScope: FlowScope())
    #expect(disposed.entries == ["whole with 1 part", "part"])
  }

  @Test("R27 hooks that resolve, clear and override again run once each")
  func hooksThatCallBack() {
    let population = Population()
    let disposed = Log(of: Int.self)
    let itself = Locked<Provider<Tracked>?>(nil)
    let pod = Pod()
    let provider = Provider(scope: FlowScope()) { _ in
      population.make()
    } onDispose: { [unowned pod] instance in
      disposed.append(instance.serial)
      guard instance.serial < 5, let provider = itself.withLock({ $0 }) else { return }
      #expect(pod.resolve(provider).serial == instance.serial + 1)
      pod.clearCachedInstances(forScope: FlowScope())
    }
    itself.withLock { $0 = provider }
    _ = pod.resolve(provider)
    pod.clearCachedInstances(forScope: FlowScope())
    #expect(disposed.entries == [1, 2, 3, 4, 5])
    #expect(!pod.isCached(provider))
    #expect(population.live == 0)
    itself.withLock { $0 = nil }
  }

  @Test("R27 an override's instances are disposed by the provider's hook", arguments: SynchronousKind.allCases)
  func overridesUseTheHook(kind: SynchronousKind) {
    let population = Population()
    let disposed = Log(of: Int.self)
    let provider = kind.declare { _ in
      population.make()
    } onDispose: {
      disposed.append($0.serial)
    }
    let pod = Pod()
    pod.overrideProvider(provider) { _ in population.make() }
    _ = pod.resolve(provider)
    pod.removeOverrideProvider(provider)
    #expect(disposed.entries == [1])
    pod.overrideProvider(provider, scope: FlowScope()) { _ in population.make() }
    _ = pod.resolve(provider)
    pod.clearCachedInstances(forScope: FlowScope())
    #expect(disposed.entries == [1, 2])
    pod.overrideProvider(provider, withValue: population.make())
    _ = pod.resolve(provider)
    pod.dispose()
    pod.removeAllOverrides()
    #expect(disposed.entries == [1, 2])
  }

  @Test("R27 clearing what is not cached runs no hook")
  func nothingToDispose() {
    let disposed = Counter()
    let provider = Provider(scope: FlowScope()) { _ in
      1
    } onDispose: { _ in
      disposed.increment()
    }
    let pod = Pod()
    pod.clearCachedInstances(forScope: FlowScope())
    pod.clearCachedInstance(of: provider)
    pod.dispose()
    #expect(disposed.value == 0)
  }
}
