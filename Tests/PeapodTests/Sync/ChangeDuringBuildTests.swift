import Peapod
import Testing

/// Rule 11: what changes during a build counts as changed just after it.
@MainActor
struct ChangeDuringBuildTests {
  private struct FlowScope: ProviderScope {}
  private struct AboveScope: ProviderScope {
    var children: [any ProviderScope] { [FlowScope()] }
  }

  /// What may end an instance while it is being built.
  enum Change: String, CaseIterable, Sendable {
    case clearScope, clearScopeAbove, clearInstance, dispose, override, overrideWithValue

    func apply(to pod: Pod, _ provider: TrackedProvider, replacement: Tracked) {
      switch self {
      case .clearScope: pod.clearCachedInstances(forScope: FlowScope())
      case .clearScopeAbove: pod.clearCachedInstances(forScope: AboveScope())
      case .clearInstance: pod.clearCachedInstance(of: provider)
      case .dispose: pod.dispose()
      case .override: pod.overrideProvider(provider) { _ in replacement }
      case .overrideWithValue: pod.overrideProvider(provider, withValue: replacement)
      }
    }

    var isOverride: Bool { self == .override || self == .overrideWithValue }
  }

  @Test("R11 a change by another thread", arguments: Change.allCases, SynchronousKind.offMainActor)
  func byAnotherThread(change: Change, kind: SynchronousKind) async throws {
    let population = Population()
    let disposed = Log(of: Int.self)
    let (started, finish) = (Gate(), Gate())
    let provider = kind.declare(scope: FlowScope()) { _ in
      let instance = population.make()
      if instance.serial == 1 {
        started.open()
        finish.wait()
      }
      return instance
    } onDispose: { instance in
      disposed.append(instance.serial)
    }
    let pod = Pod()
    // Numbered apart from the instances of the population, for its hook is the same.
    let others = Population()
    for _ in 1...2 { _ = others.make() }
    let replacement = others.make()
    let build = Worker { pod.resolve(provider).serial }
    try await blocking {
      started.wait()
      change.apply(to: pod, provider, replacement: replacement)
      #expect(disposed.count == 0)
      finish.open()
    }
    #expect(try await build.value() == 1)
    #expect(disposed.entries == [1])
    #expect(population.live == 0)
    if change.isOverride {
      #expect(pod.resolve(provider) === replacement)
      pod.removeOverrideProvider(provider)
    }
    #expect(!pod.isCached(provider))
    #expect(pod.resolve(provider).serial == 2)
    #expect(pod.resolve(provider).serial == 2)
    pod.dispose()
    #expect(disposed.entries.filter { $0 <= 2 }.sorted() == [1, 2])
  }

  @Test("R11 a change by the builder itself", arguments: Change.allCases, SynchronousKind.allCases)
  func byTheBuilder(change: Change, kind: SynchronousKind) {
    let population = Population()
    let disposed = Log(of: Int.self)
    let replacement = Tracked()
    let itself = Locked<TrackedProvider?>(nil)
    let provider = kind.declare(scope: FlowScope()) { pod in
      let instance = population.make()
      if instance.serial == 1, let itself = itself.withLock({ $0 }) {
        change.apply(to: pod, itself, replacement: replacement)
      }
      return instance
    } onDispose: { instance in
      disposed.append(instance.serial)
    }
    itself.withLock { $0 = provider }
    let pod = Pod()
    #expect(pod.resolve(provider).serial == 1)
    #expect(disposed.entries == [1])
    #expect(population.live == 0)
    if change.isOverride {
      #expect(pod.resolve(provider) === replacement)
      pod.removeOverrideProvider(provider)
    }
    #expect(pod.resolve(provider).serial == 2)
    #expect(pod.isCached(provider))
  }

  @Test("R11 those who ask after the change get another instance, while the first is still being built")
  func askedAfterTheChange() async throws {
    let population = Population()
    let (started, finish) = (Gate(), Gate())
    let provider = Provider(scope: FlowScope()) { _ in
      let instance = population.make()
      if instance.serial == 1 {
        started.open()
        finish.wait()
      }
      return instance
    }
    let pod = Pod()
    let build = Worker { pod.resolve(provider).serial }
    let second = try await blocking {
      started.wait()
      pod.clearCachedInstances(forScope: FlowScope())
      return pod.resolve(provider).serial
    }
    finish.open()
    #expect(second == 2)
    #expect(try await build.value() == 1)
    #expect(pod.resolve(provider).serial == 2)
  }

  @Test("R11 an override removed while its builder runs", arguments: SynchronousKind.offMainActor, [true, false])
  func overrideRemovedWhileBuilding(kind: SynchronousKind, isReplaced: Bool) async throws {
    let population = Population()
    let disposed = Log(of: Int.self)
    let (started, finish) = (Gate(), Gate())
    let provider = kind.declare { _ in
      population.make()
    } onDispose: {
      disposed.append($0.serial)
    }
    let pod = Pod()
    let original = pod.resolve(provider)
    pod.overrideProvider(provider) { _ in
      started.open()
      finish.wait()
      return population.make()
    }
    let build = Worker { pod.resolve(provider).serial }
    let replacement = Tracked()
    try await blocking {
      started.wait()
      if isReplaced {
        pod.overrideProvider(provider, withValue: replacement)
        #expect(pod.resolve(provider) === replacement)
      } else {
        pod.removeOverrideProvider(provider)
        #expect(pod.resolve(provider) === original)
      }
      finish.open()
    }
    #expect(try await build.value() == 2)
    #expect(disposed.entries == [2])
    pod.removeOverrideProvider(provider)
    #expect(pod.resolve(provider) === original)
    #expect(population.liveSerials == [1])
  }

  @Test("R11 R15 a part that is overridden while the whole is being built", arguments: [true, false])
  func partOverriddenWhileBuilding(hasResolvedPart: Bool) async throws {
    let disposed = Log(of: Int.self)
    let population = Population()
    let (started, finish) = (Gate(), Gate())
    let part = Provider("part") { _ in Tracked() }
    let whole = Provider("whole") { pod in
      let early = hasResolvedPart ? pod.resolve(part) : nil
      if population.made == 0 {
        started.open()
        finish.wait()
      }
      return population.make(keeping: [early ?? pod.resolve(part)])
    } onDispose: { instance in
      disposed.append(instance.serial)
    }
    let pod = Pod()
    let value = Tracked()
    let build = Worker { pod.resolve(whole).parts[0] as? Tracked }
    try await blocking {
      started.wait()
      pod.overrideProvider(part, withValue: value)
      finish.open()
    }
    let built = try await build.value()
    if hasResolvedPart { #expect(built !== value) }
    #expect(pod.resolve(whole).parts[0] as? Tracked === value)
    pod.removeOverrideProvider(part)
    #expect(pod.resolve(whole).parts[0] as? Tracked === pod.resolve(part))
    #expect(pod.resolve(part) !== value)
    pod.dispose()
    #expect(disposed.entries.sorted() == Array(1...population.made))
    #expect(population.live == 0)
  }

  @Test("R11 a longer-lived instance keeps the part that was cleared while it was being built")
  func partClearedWhileBuilding() async throws {
    let population = Population()
    let (started, finish) = (Gate(), Gate())
    let part = Provider(scope: FlowScope()) { _ in
      started.open()
      finish.wait()
      return population.make()
    }
    let whole = Provider { pod in population.make(keeping: [pod.resolve(part)]) }
    let pod = Pod()
    let build = Worker { pod.resolve(whole) }
    try await blocking {
      started.wait()
      pod.clearCachedInstances(forScope: FlowScope())
      finish.open()
    }
    let instance = try await build.value()
    #expect(!pod.isCached(part))
    #expect(pod.resolve(whole) === instance)
    #expect(population.liveSerials == [1, 2])
  }

  @Test("R11 a failing build that is cleared meanwhile leaves nothing behind")
  func failingBuildCleared() async throws {
    let (started, finish) = (Gate(), Gate())
    let disposed = Counter()
    let provider = ThrowingProvider<Int>(scope: FlowScope()) { _ in
      started.open()
      finish.wait()
      throw Stuck("expected")
    } onDispose: { _ in
      disposed.increment()
    }
    let pod = Pod()
    let build = Worker { try pod.resolve(provider) }
    try await blocking {
      started.wait()
      pod.clearCachedInstances(forScope: FlowScope())
      finish.open()
    }
    await #expect(throws: Stuck.self) { try await build.value() }
    #expect(!pod.isCached(provider))
    #expect(disposed.value == 0)
  }
}
