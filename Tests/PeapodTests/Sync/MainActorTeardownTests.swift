import Dispatch
import Peapod
import Testing

/// Rule 27 for the main actor: an instance is disposed, and let go, there.
@MainActor
struct MainActorTeardownTests {
  private struct FlowScope: ProviderScope {}

  /// Tells whether the code that asks runs on the main actor.
  private enum MainQueue {
    private static let key = DispatchSpecificKey<Bool>()
    static let mark: Void = DispatchQueue.main.setSpecific(key: key, value: true)
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
  }

  /// A model that is bound to the main actor and notes where it ends.
  private final class Model {
    let log: Log<String>
    let part: Tracked?
    init(_ log: Log<String>, part: Tracked? = nil) {
      self.log = log
      self.part = part
    }
    deinit { log.append(MainQueue.isCurrent ? "deinit on main" : "deinit elsewhere") }
  }

  /// How an instance leaves its pod, told to a thread that is not the main actor's.
  enum WayOut: String, CaseIterable, Sendable {
    case clearScope, clearInstance, removeOverride, dispose, lastReference
  }

  private let log = Log(of: String.self)

  init() {
    MainQueue.mark
  }

  private func declare(part: Provider<Tracked>? = nil) -> MainActorProvider<Model> {
    MainActorProvider(scope: FlowScope()) { [log] pod in
      Model(log, part: part.map { pod.resolve($0) })
    } onDispose: { [log] _ in
      log.append(MainQueue.isCurrent ? "hook on main" : "hook elsewhere")
    }
  }

  @Test("R27 what an injected lazy alone retains is let go on the main actor")
  func injectedLazy() async throws {
    let provider = MainActorProvider(scope: .alwaysCreateNew) { [log] _ in Screen(log) }
    let owner = Locked<Owner?>(Owner(provider))
    owner.withLock { #expect($0?.screen.log.count == 0) }
    try await blocking { owner.withLock { $0 = nil } }
    await eventually("the screen is let go") { log.count == 1 }
    #expect(log.entries == ["deinit on main"])
  }

  @MainActor private final class Screen {
    nonisolated let log: Log<String>
    init(_ log: Log<String>) { self.log = log }
    deinit { log.append(MainQueue.isCurrent ? "deinit on main" : "deinit elsewhere") }
  }

  @MainActor private final class Owner {
    @LazyInjected var screen: Screen
    init(_ provider: MainActorProvider<Screen>) { _screen = LazyInjected(provider, from: Pod()) }
  }

  @Test("R27 on the main actor hooks have run when the call returns")
  func onMainActor() {
    let provider = declare()
    let pod = Pod()
    _ = pod.resolve(provider).part
    pod.clearCachedInstances(forScope: FlowScope())
    #expect(log.entries == ["hook on main", "deinit on main"])
  }

  @Test("R27 elsewhere they are started, and run on the main actor", arguments: WayOut.allCases)
  func elsewhere(wayOut: WayOut) async throws {
    let provider = declare()
    let slot = Locked<Pod?>(Pod())
    do {
      let pod = slot.withLock { $0! }
      if wayOut == .removeOverride { pod.overrideProvider(provider) { [log] _ in Model(log) } }
      _ = pod.resolve(provider).part
    }
    // While this thread, the main actor's, waits for the other, no hook can run.
    try Worker {
      let pod = slot.withLock { slot -> Pod? in
        defer { slot = wayOut == .lastReference ? nil : slot }
        return slot
      }
      switch wayOut {
      case .clearScope: pod?.clearCachedInstances(forScope: FlowScope())
      case .clearInstance: pod?.clearCachedInstance(of: provider)
      case .removeOverride: pod?.removeOverrideProvider(provider)
      case .dispose: pod?.dispose()
      case .lastReference: break
      }
    }.join()
    #expect(log.count == 0)
    if let pod = slot.withLock({ $0 }) { #expect(!pod.isCached(provider)) }
    await eventually("the hook and the deinitialiser have run") { log.count == 2 }
    #expect(log.entries == ["hook on main", "deinit on main"])
  }

  @Test("R27 what a main-actor instance depends on waits for its hook, and is kept until then")
  func partsWait() async throws {
    let population = Population()
    let part = Provider(scope: FlowScope()) { _ in
      population.make()
    } onDispose: { [log] _ in
      log.append("part")
    }
    let beside = Provider(scope: FlowScope()) { _ in
      Tracked()
    } onDispose: { [log] _ in
      log.append("beside")
    }
    let provider = declare(part: part)
    let pod = Pod()
    _ = pod.resolve(provider).part
    _ = pod.resolve(beside).serial
    try Worker { pod.clearCachedInstances(forScope: FlowScope()) }.join()
    #expect(log.entries == ["beside"])
    #expect(population.live == 1)
    #expect(!pod.isCached(part))
    await eventually("everything is let go") { log.count == 4 && population.live == 0 }
    let hook = try #require(log.entries.firstIndex(of: "hook on main"))
    let end = try #require(log.entries.firstIndex(of: "part"))
    #expect(hook < end)
    #expect(log.entries.contains("deinit on main"))
  }

  @Test("R27 shutdown waits until they are let go on the main actor", arguments: [true, false])
  func shutdownWaits(hasHook: Bool) async {
    let provider = hasHook ? declare() : MainActorProvider(scope: FlowScope()) { [log] _ in Model(log) }
    let expected = hasHook ? ["hook on main", "deinit on main"] : ["deinit on main"]
    for number in 0..<100 {
      let pod = Pod()
      _ = pod.resolve(provider).part
      let entries = await Task.detached { [log] in
        if number.isMultiple(of: 2) { await pod.shutdown() } else { await pod.shutdown(scope: FlowScope()) }
        return log.drain()
      }.value
      #expect(entries == expected)
    }
  }

  @Test("R27 without a hook, too, an instance is let go on the main actor")
  func withoutHook() async throws {
    let provider = MainActorProvider(scope: FlowScope()) { [log] _ in Model(log) }
    let pod = Pod()
    _ = pod.resolve(provider).part
    try Worker { pod.clearCachedInstances(forScope: FlowScope()) }.join()
    await eventually("the deinitialiser has run") { log.count == 1 }
    #expect(log.entries == ["deinit on main"])
  }

  @Test("R27 a value that overrides a main-actor provider is let go on the main actor")
  func overridingValue() async throws {
    let provider = declare()
    let pod = Pod()
    pod.overrideProvider(provider, withValue: Model(log))
    _ = pod.resolve(provider).part
    try Worker { pod.removeAllOverrides() }.join()
    await eventually("the deinitialiser has run") { log.count == 1 }
    #expect(log.entries == ["deinit on main"])
  }
}
