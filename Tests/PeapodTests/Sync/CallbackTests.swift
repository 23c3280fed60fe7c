import Peapod
import Testing

/// Rule 9: builders, hooks and deinitialisers may call back into the pod in any way, on any thread.
struct CallbackTests {
  private struct FlowScope: ProviderScope {}

  @Test("R9 a builder calls back", arguments: Callback.allCases, [false, true])
  func builder(callback: Callback, onOtherThread: Bool) async throws {
    let playground = Playground()
    let provider = Provider { [playground] pod in
      playground.run(callback, onOtherThread: onOtherThread)
      return Tracked()
    }
    try await blocking {
      let first = playground.pod.resolve(provider)
      // Disposing the pod ends what is being built, and so does removing an override that it was built from.
      let isEnded =
        switch callback {
        case .dispose: true
        case .removeOverride, .removeAllOverrides: !onOtherThread
        default: false
        }
      #expect((playground.pod.resolve(provider) === first) == !isEnded)
    }
  }

  @Test("R9 a throwing builder and an override's builder call back", arguments: Callback.allCases, [false, true])
  func otherBuilders(callback: Callback, onOtherThread: Bool) async throws {
    let playground = Playground()
    let builds = Counter()
    let provider = ThrowingProvider { [playground] pod in
      playground.run(callback, onOtherThread: onOtherThread)
      return builds.increment()
    }
    try await blocking {
      let first = try playground.pod.resolve(provider)
      #expect(first == 1)
      playground.pod.overrideProvider(provider) { [playground] pod in
        playground.run(callback, onOtherThread: onOtherThread)
        return 100 + builds.increment()
      }
      let second = try playground.pod.resolve(provider)
      #expect(second == 102)
    }
    #expect(builds.value == 2)
  }

  @Test("R9 a main-actor builder calls back", arguments: Callback.allCases)
  @MainActor
  func mainActorBuilder(callback: Callback) {
    let playground = Playground()
    let builds = Counter()
    let provider = MainActorProvider { [playground] pod in
      playground.run(callback, onOtherThread: false)
      return builds.increment()
    }
    #expect(playground.pod.resolve(provider) == 1)
  }

  @Test("R9 a hook calls back", arguments: Callback.allCases, [false, true])
  func onDispose(callback: Callback, onOtherThread: Bool) async throws {
    let playground = Playground()
    let disposed = Counter()
    let provider = Provider(scope: FlowScope()) { _ in
      Tracked()
    } onDispose: { [playground] _ in
      disposed.increment()
      playground.run(callback, onOtherThread: onOtherThread)
    }
    try await blocking {
      let pod = playground.pod
      let first = pod.resolve(provider)
      pod.clearCachedInstances(forScope: FlowScope())
      #expect(disposed.value == 1)
      #expect(pod.resolve(provider) !== first)
      pod.clearCachedInstance(of: provider)
      _ = pod.resolve(provider)
      pod.dispose()
      #expect(disposed.value == 3)
      pod.overrideProvider(provider) { _ in Tracked() }
      _ = pod.resolve(provider)
      pod.removeOverrideProvider(provider)
      #expect(disposed.value == 4)
    }
  }

  @Test("R9 a deinitialiser calls back", arguments: Callback.allCases, [false, true])
  func deinitialiser(callback: Callback, onOtherThread: Bool) async throws {
    let playground = Playground()
    let population = Population()
    let ended = Counter()
    let make: @Sendable () -> Tracked = { [playground] in
      population.make { _ in
        ended.increment()
        playground.run(callback, onOtherThread: onOtherThread)
      }
    }
    let provider = Provider(scope: FlowScope()) { _ in make() }
    try await blocking {
      let pod = playground.pod
      _ = pod.resolve(provider).serial
      pod.clearCachedInstances(forScope: FlowScope())
      #expect(ended.value == 1)
      _ = pod.resolve(provider).serial
      pod.clearCachedInstance(of: provider)
      #expect(ended.value == 2)
      _ = pod.resolve(provider).serial
      pod.dispose()
      #expect(ended.value == 3)
      // A callback that disposes the pod might end the override as well.
      guard callback != .dispose, callback != .removeAllOverrides else { return pod.dispose() }
      pod.overrideProvider(provider) { _ in make() }
      _ = pod.resolve(provider).serial
      pod.overrideProvider(provider, withValue: make())
      #expect(ended.value == 4)
      _ = pod.resolve(provider).serial
      pod.removeOverrideProvider(provider)
      #expect(ended.value == 5)
    }
    #expect(population.live == 0)
  }

  @Test("R9 a deinitialiser of what a replaced builder captured calls back", arguments: Callback.allCases)
  func capturesOfBuilders(callback: Callback) async throws {
    let playground = Playground()
    let population = Population()
    let ended = Counter()
    let provider = Provider { _ in 0 }
    try await blocking {
      let pod = playground.pod
      for number in 1...3 {
        let captured = population.make { [playground] _ in
          ended.increment()
          playground.run(callback, onOtherThread: false)
        }
        pod.overrideProvider(provider) { _ in captured.serial }
        // A callback that removes all overrides removes the one that was just made.
        if callback != .removeAllOverrides { #expect(pod.resolve(provider) == number) }
      }
      pod.removeOverrideProvider(provider)
    }
    #expect(ended.value == 3)
    #expect(population.live == 0)
  }

  @Test("R9 the body of withResolved calls back", arguments: Callback.allCases, [false, true])
  func bodyOfWithResolved(callback: Callback, onOtherThread: Bool) async throws {
    let playground = Playground()
    let provider = Provider(scope: FlowScope()) { _ in Tracked() }
    try await blocking {
      for _ in 0..<2 {
        let serial = playground.pod.withResolved(provider) { instance in
          playground.run(callback, onOtherThread: onOtherThread)
          return instance.serial
        }
        #expect(serial == 1)
      }
    }
  }

  @Test("R9 a value released by a clear may resolve and clear in its deinit")
  func deinitThatResolvesAndClears() async throws {
    let population = Population()
    let pod = Pod()
    let itself = Locked<Provider<Tracked>?>(nil)
    let provider = Provider(scope: FlowScope()) { [pod] _ in
      population.make { [pod] serial in
        guard serial < 10, let provider = itself.withLock({ $0 }) else { return }
        #expect(pod.resolve(provider).serial == serial + 1)
        pod.clearCachedInstances(forScope: FlowScope())
      }
    }
    itself.withLock { $0 = provider }
    try await blocking {
      _ = pod.resolve(provider).serial
      pod.clearCachedInstances(forScope: FlowScope())
    }
    #expect(population.made == 10)
    #expect(population.live == 0)
    #expect(!pod.isCached(provider))
    itself.withLock { $0 = nil }
  }

  @Test("R9 a builder that clears its own scope, overrides another provider and asks a pod that calls back")
  func builderThatDoesEverything() async throws {
    let (pod, second) = (Pod("first"), Pod("second"))
    let population = Population()
    let other = Provider { _ in 1 }
    let callsBack = Provider { [pod] _ in pod.resolve(other) }
    let provider = Provider(scope: FlowScope()) { [second] pod in
      pod.clearCachedInstances(forScope: FlowScope())
      pod.overrideProvider(other, withValue: 2)
      return population.make(keeping: [pod.resolve(other), second.resolve(callsBack), Pod.shared.isCached(other)])
    }
    try await blocking {
      let instance = pod.resolve(provider)
      #expect(instance.parts[0] as? Int == 2)
      #expect(instance.parts[1] as? Int == 2)
      #expect(instance.parts[2] as? Bool == false)
      #expect(!pod.isCached(provider))
    }
  }
}
