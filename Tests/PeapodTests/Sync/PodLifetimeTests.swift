import Peapod
import Testing

/// Rule 27: what a pod keeps goes with the pod, and does not keep the pod.
struct PodLifetimeTests {
  private struct FlowScope: ProviderScope {}

  /// An instance that stores the pod that its builder was given.
  private final class Holder: Sendable {
    let pod: Pod
    let tracked: Tracked
    init(_ pod: Pod, _ tracked: Tracked) {
      self.pod = pod
      self.tracked = tracked
    }
  }

  @Test("R27 what a pod keeps goes with its last reference")
  func everythingGoes() {
    let population = Population()
    let singleton = Provider { _ in population.make() }
    let scoped = Provider(scope: FlowScope()) { pod in population.make(keeping: [pod.resolve(singleton)]) }
    let throwing = ThrowingProvider { pod in population.make(keeping: [pod.resolve(scoped)]) }
    for _ in 0..<10 {
      let pod = Pod()
      #expect((try? pod.resolve(throwing).parts.count) == 1)
    }
    #expect(population.made == 30)
    #expect(population.live == 0)
  }

  @Test("R27 originals, overrides, values and builders go with it")
  func overridesGo() {
    let population = Population()
    let captured = Locked<Tracked?>(population.make())
    let first = Provider { _ in population.make() }
    let second = Provider { _ in population.make() }
    do {
      let pod = Pod()
      _ = (pod.resolve(first).serial, pod.resolve(second).serial)
      pod.overrideProvider(first, withValue: population.make())
      pod.overrideProvider(second) { [held = captured.withLock { $0! }] _ in population.make(keeping: [held]) }
      _ = (pod.resolve(first).serial, pod.resolve(second).serial)
      captured.withLock { $0 = nil }
      #expect(population.live == 5)
    }
    #expect(population.live == 0)
  }

  @Test("R27 the builder of a removed override leaves nothing behind")
  func removedBuilderGoes() {
    let population = Population()
    let provider = Provider { _ in 1 }
    let pod = Pod()
    do {
      let captured = population.make()
      pod.overrideProvider(provider) { _ in captured.serial }
    }
    #expect(pod.resolve(provider) == 1)
    #expect(population.live == 1)
    pod.removeOverrideProvider(provider)
    #expect(population.live == 0)
    do {
      let captured = population.make()
      pod.overrideProvider(provider) { _ in captured.serial }
    }
    pod.overrideProvider(provider, withValue: 5)
    #expect(population.live == 0)
  }

  @Test("R27 an instance that stores its builder's pod keeps neither the pod nor itself alive")
  func storedPodIsNoCycle() {
    let population = Population()
    let holder = Provider { pod in Holder(pod, population.make()) }
    weak var observed: Pod?
    do {
      let pod = Pod()
      observed = pod
      #expect(pod.resolve(holder).tracked.serial == 1)
      #expect(pod.resolve(holder).pod.resolve(holder) === pod.resolve(holder))
      #expect(population.live == 1)
    }
    #expect(observed == nil)
    #expect(population.live == 0)
  }

  @Test("R27 so it is with a factory and a lazy")
  func storedHandlesAreNoCycle() {
    final class Node: Sendable {
      let tracked: Tracked
      let make: @Sendable () -> Tracked
      let part: Lazy<Tracked>
      init(_ tracked: Tracked, _ make: @escaping @Sendable () -> Tracked, _ part: Lazy<Tracked>) {
        self.tracked = tracked
        self.make = make
        self.part = part
      }
    }
    let population = Population()
    let part = Provider { _ in population.make() }
    let node = Provider { pod in Node(population.make(), pod.factory(part), pod.lazy(part)) }
    do {
      let pod = Pod()
      let instance = pod.resolve(node)
      #expect(instance.make() === instance.part.value)
      #expect(population.live == 2)
    }
    #expect(population.live == 0)
  }

  @Test("R27 a stored pod that is used after the pod is gone starts afresh")
  func storedPodStartsAfresh() {
    let population = Population()
    let part = Provider { _ in population.make() }
    let holder = Provider { pod in
      _ = pod.resolve(part)
      return Holder(pod, population.make())
    }
    let stored: Holder
    do {
      let pod = Pod()
      stored = pod.resolve(holder)
      #expect(stored.pod.resolve(part).serial == 1)
    }
    #expect(population.liveSerials == [2])
    #expect(!stored.pod.isCached(part))
    #expect(stored.pod.resolve(part).serial >= 3)
    stored.pod.overrideProvider(part, withValue: population.make())
    _ = stored.pod.resolve(holder).tracked.serial
    stored.pod.removeAllOverrides()
    stored.pod.clearCachedInstances(forScope: FlowScope())
    stored.pod.dispose()
  }

  @Test("R27 hooks of a dropped pod run once, also where instances are held elsewhere")
  func heldInstances() {
    let disposed = Log(of: Int.self)
    let population = Population()
    let provider = Provider { _ in
      population.make()
    } onDispose: {
      disposed.append($0.serial)
    }
    var held: Tracked?
    do {
      let pod = Pod()
      held = pod.resolve(provider)
    }
    #expect(disposed.entries == [1])
    #expect(population.live == 1)
    held = nil
    #expect(population.live == 0)
    #expect(held == nil)
  }

  @Test("R27 a pod is usable again and again after dispose")
  func disposeRepeats() {
    let population = Population()
    let disposed = Log(of: Int.self)
    let part = Provider { _ in
      population.make()
    } onDispose: {
      disposed.append($0.serial)
    }
    let whole = Provider { pod in
      population.make(keeping: [pod.resolve(part)])
    } onDispose: {
      disposed.append($0.serial)
    }
    let pod = Pod()
    for round in 0..<5 {
      #expect(pod.resolve(whole).serial == 2 * round + 2)
      pod.dispose()
      #expect(disposed.drain() == [2 * round + 2, 2 * round + 1])
      #expect(population.live == 0)
    }
  }

  @Test("R27 a pod may be dropped by an instance of another pod, and by its own hook")
  func podsThatKeepPods() {
    let population = Population()
    let disposed = Log(of: String.self)
    let leaf = Provider { _ in
      population.make()
    } onDispose: { _ in
      disposed.append("leaf")
    }
    let inner = Provider { _ in
      let pod = Pod("inner")
      _ = pod.resolve(leaf)
      return pod
    } onDispose: { _ in
      disposed.append("inner")
    }
    do {
      let outer = Pod("outer")
      #expect(outer.resolve(inner).isCached(leaf))
    }
    #expect(disposed.entries == ["inner", "leaf"])
    #expect(population.live == 0)
  }
}
