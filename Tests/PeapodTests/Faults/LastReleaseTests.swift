import Peapod
import Testing

/// Rule 9: what the pod releases last may call the pod.
@Suite(.timeLimit(.minutes(20)))
struct LastReleaseTests {
  /// Calls a pod where it is deallocated.
  private final class Caller: Sendable {
    private let pod: WeakPod
    private let calls: Counter

    init(_ pod: Pod, _ calls: Counter) {
      self.pod = WeakPod(pod)
      self.calls = calls
    }

    deinit {
      pod.value?.dispose()
      calls.increment()
    }
  }

  private final class WeakPod: @unchecked Sendable {
    // Safe: written once.
    private(set) weak var value: Pod?
    init(_ pod: Pod) { value = pod }
  }

  @Test("R9 R15 the removal of an override releases a transient provider, whose deinit disposes the pod")
  func transientBuiltFromOverride() async throws {
    let calls = Counter()
    try await blocking {
      let pod = Pod()
      let base = Provider("base") { _ in 1 }
      pod.overrideProvider(base) { _ in 2 }
      do {
        let caller = Caller(pod, calls)
        let transient = Provider("transient", scope: .alwaysCreateNew) { pod in
          withExtendedLifetime(caller) { pod.resolve(base) }
        }
        #expect(pod.resolve(transient) == 2)
      }
      pod.removeOverrideProvider(base)
      #expect(calls.value == 1)
    }
  }

  @Test("R9 R15 the removal of an override releases a provider whose hidden instance was disposed")
  func hiddenInstance() async throws {
    let calls = Counter()
    try await blocking {
      let pod = Pod()
      let base = Provider("base") { _ in 1 }
      do {
        let caller = Caller(pod, calls)
        let local = Provider("local") { pod in withExtendedLifetime(caller) { pod.resolve(base) } }
        #expect(pod.resolve(local) == 1)
      }
      pod.overrideProvider(base) { _ in 2 }
      pod.dispose()
      pod.removeOverrideProvider(base)
      #expect(calls.value == 1)
    }
  }

  @Test("R18 R27 a pod with an override and hidden instances is released as a whole")
  func hiddenInstancesEndWithPod() {
    let population = Population()
    do {
      let pod = Pod()
      let base = Provider("base") { _ in 1 }
      let captured = population.make()
      let local = Provider("local") { pod in withExtendedLifetime(captured) { pod.resolve(base) } }
      #expect(pod.resolve(local) == 1)
      pod.overrideProvider(base) { _ in 2 }
      #expect(pod.resolve(local) == 2)
    }
    #expect(population.live == 0)
  }

  @Test("R5 R9 the last reference to a weak instance ends while the pod is asked for it")
  func weakInstance() async throws {
    let pod = Pod()
    let other = Provider("other") { _ in 1 }
    let population = Population()
    let weak = Provider("weak", scope: .weak) { pod in population.make { [pod] _ in _ = pod.isCached(other) } }
    let barrier = Barrier(2)
    try await runThreads(2) { index in
      for _ in 0..<2_000 {
        var held: Tracked? = index == 0 ? pod.resolve(weak) : nil
        barrier.arrive()
        if index == 0 {
          held = nil
        } else {
          for _ in 0..<4 { _ = pod.isCached(weak) }
        }
        _ = held
        barrier.arrive()
      }
    }
    #expect(population.live == 0)
  }
}
