import Peapod
import Testing

/// Builders, hooks, observers and deinitialisers that throw away the pod that called them, clear and resolve.
@Suite(.timeLimit(.minutes(20)))
struct CarelessCallbackTests {
  /// Keeps pods, for others to throw away.
  private final class Shelf: Sendable {
    private let pods = Locked<[Pod]>([])

    /// The first of them, as long as there is one.
    var first: Pod? { pods.withLock { $0.first } }

    func put(_ pod: Pod) { pods.withLock { $0.append(pod) } }

    /// Lets all go, outside of the lock.
    func empty() {
      let all = pods.withLock { pods in
        defer { pods = [] }
        return pods
      }
      _ = all.count
    }
  }

  @Test("R9 R27 a builder throws away its pod, and goes on with it", arguments: SynchronousKind.offMainActor)
  func builder(kind: SynchronousKind) {
    let (population, disposed, shelf) = (Population(), Counter(), Shelf())
    let note: @Sendable (Tracked) -> Void = { _ in disposed.increment() }
    let part = Provider("part", { _ in population.make() }, onDispose: note)
    let provider = kind.declare(
      "careless",
      { pod in
        let before = pod.resolve(part)
        shelf.empty()
        let after = pod.resolve(part)
        return population.make(keeping: [before, after, pod.makeChild().resolve(part)])
      }, onDispose: note)
    do {
      shelf.put(Pod())
      // Nothing keeps the pod while its builder runs, but the call itself.
      let instance = shelf.first?.resolve(provider)
      #expect(instance?.parts.count == 3)
    }
    #expect(population.live == 0)
    #expect(disposed.value == population.made)
  }

  @Test("R9 R27 R28 an observer throws away the pod, clears it and resolves in it", arguments: 0..<6)
  func observer(moment: Int) async throws {
    let (population, disposed, shelf) = (Population(), Counter(), Shelf())
    let provider = Provider("watched", scope: OwnedScope()) { _ in
      population.make()
    } onDispose: { _ in
      disposed.increment()
    }
    let failing = ThrowingProvider<Int>("failing") { _ in throw CancellationError() }
    let heard = Counter()
    let log = EventLog { pod, event in
      let kind =
        switch event {
        case .build: 0
        case .fail: 1
        case .dispose: 2
        case .override: 3
        case .removeOverride: 4
        case .clear: 5
        case .captiveDependency: 6
        }
      guard kind == moment, heard.increment() <= 3 else { return }
      shelf.empty()
      _ = pod.resolve(provider).serial
      pod.clearCachedInstances(forScope: OwnedScope())
      pod.overrideProvider(provider) { population.make(keeping: [$0.resolve(provider)]) }
      _ = pod.resolve(provider).serial
      pod.removeAllOverrides()
      pod.dispose()
    }
    try await blocking {
      shelf.put(Pod("shop", observers: [log]))
      _ = shelf.first?.resolve(provider).serial
      _ = try? shelf.first?.resolve(failing)
      shelf.first?.overrideProvider(provider) { _ in population.make() }
      _ = shelf.first?.resolve(provider).serial
      shelf.first?.removeOverrideProvider(provider)
      shelf.first?.clearCachedInstances(forScope: OwnedScope())
      shelf.first?.dispose()
      shelf.empty()
    }
    #expect(heard.value > 0)
    #expect(population.live == 0)
    #expect(disposed.value == population.made)
  }

  @Test("R27 a hook throws away its pod, resolves in it, clears and disposes", arguments: WayOut.allCases)
  func hook(way: WayOut) async throws {
    let (population, disposed, shelf) = (Population(), Log<Int>(), Shelf())
    let isArmed = Locked(true)
    let itself = Locked<Provider<Tracked>?>(nil)
    let provider = Provider("rude", scope: OwnedScope()) { pod in
      population.make(keeping: [pod])
    } onDispose: { instance in
      disposed.append(instance.serial)
      let isFirst = isArmed.withLock { isArmed in
        defer { isArmed = false }
        return isArmed
      }
      guard isFirst, let pod = instance.parts[0] as? Pod, let itself = itself.withLock({ $0 }) else { return }
      shelf.empty()
      #expect(pod.resolve(itself).serial != instance.serial)
      pod.clearCachedInstances(forScope: OwnedScope())
      _ = pod.resolve(itself).serial
      pod.dispose()
      _ = pod.resolve(itself).serial
    }
    itself.withLock { $0 = provider }
    try await blocking {
      let pod = Pod()
      shelf.put(pod)
      _ = pod.resolve(provider).serial
      way.leave(pod, provider)
      shelf.empty()
    }
    itself.withLock { $0 = nil }
    #expect(disposed.entries.sorted() == Array(1...population.made))
    #expect(population.made == 4)
    #expect(population.live == 0)
  }

  /// How an instance comes to be disposed.
  enum WayOut: String, CaseIterable, Sendable {
    case clear, clearByName, dispose, drop

    func leave(_ pod: Pod, _ provider: Provider<Tracked>) {
      switch self {
      case .clear: pod.clearCachedInstances(forScope: OwnedScope())
      case .clearByName: pod.clearCachedInstance(of: provider)
      case .dispose: pod.dispose()
      case .drop: break
      }
    }
  }

  @Test("R27 two pods whose hooks dispose each other run each hook once")
  func mutual() async throws {
    let population = Population()
    let disposed = Log<Int>()
    let pods = [Pod("first"), Pod("second")]
    let family = Provider.family { (pod, number: Int) in
      population.make(keeping: [number])
    } onDispose: { (instance: Tracked) in
      disposed.append(instance.serial)
      for pod in pods { pod.dispose() }
    }
    try await blocking {
      for number in 0..<20 { for pod in pods { _ = pod.resolve(family(number)).serial } }
      pods[0].dispose()
    }
    #expect(disposed.entries.sorted() == Array(1...40))
    #expect(population.live == 0)
  }

  @Test("R9 R27 a row of pods, each thrown away by what the one before kept, comes to its end")
  func row() async throws {
    let length = rounds(1_000)
    let (population, disposed) = (Population(), Counter())
    try await DeepStack.run {
      var next: Pod?
      for _ in 0..<length {
        let shelf = Shelf()
        if let next { shelf.put(next) }
        let provider = Provider { _ in
          population.make { _ in shelf.empty() }
        } onDispose: { _ in
          disposed.increment()
        }
        let pod = Pod()
        _ = pod.resolve(provider).serial
        next = pod
      }
      next = nil
    }
    #expect(population.live == 0)
    #expect(disposed.value == length)
  }
}
