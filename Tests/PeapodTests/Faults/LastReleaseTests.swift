import Foundation
import Testing

@testable import Peapod

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

  /// Clears another provider of a pod where it is deallocated.
  private final class Clearer: Sendable {
    private let pod: WeakPod
    private let other: Provider<Int>

    init(_ pod: Pod, _ other: Provider<Int>) { (self.pod, self.other) = (WeakPod(pod), other) }

    deinit { pod.value?.clearCachedInstance(of: other) }
  }

  @Test("R5 R9 the last reference to a weak instance is released while a child clears it")
  func clearedWeakInstance() async throws {
    let (pod, isDone) = (Pod(), Counter())
    let (other, changed) = (Provider("other") { _ in 1 }, Provider("changed") { _ in 1 })
    let parts = (0..<200).map { number in Provider("part \(number)") { _ in number } }
    let weak = Provider("weak", scope: .weak) { [weakPod = WeakPod(pod)] own in
      for part in parts { _ = own.resolve(part) }
      return Clearer(weakPod.value!, other)
    }
    let child = pod.makeChild { $0.overrideProvider(changed, withValue: 2) }
    let clearing = Worker {
      for _ in 0..<rounds(100_000) { child.clearCachedInstance(of: weak) }
      isDone.increment()
    }
    let resolving = Worker { while isDone.value == 0 { _ = pod.resolve(weak) } }
    await eventually("all clears end") { isDone.value == 1 }
    try await clearing.value()
    try await resolving.value()
  }

  @Test("R9 R15 R31 the last reference to a replaced override is released while its provider is refreshed")
  func replacedOverride() async throws {
    let (root, isDone) = (Pod("root"), Counter())
    let (other, provider) = (Provider("other") { _ in 1 }, Provider("provider") { _ in 0 })
    let child = root.makeChild { $0.overrideProvider(provider) { _ in 1 } }
    let refreshing = Worker {
      for _ in 0..<rounds(50_000) { child.refresh(provider) }
      isDone.increment()
    }
    let overriding = Worker {
      while isDone.value == 0 {
        let clearer = Clearer(root, other)
        child.overrideProvider(provider) { _ in withExtendedLifetime(clearer) { 1 } }
      }
    }
    await eventually("all refreshes end") { isDone.value == 1 }
    try await refreshing.value()
    try await overriding.value()
  }

  /// A way in which another thread looks at a weak instance for a moment.
  enum Look: CaseIterable { case clearsScope, clearsProvider, isCached, graph }

  private final class Screen {
    private let elsewhere: Counter
    init(_ elsewhere: Counter) { self.elsewhere = elsewhere }
    deinit { if !CurrentThread.isMain { elsewhere.increment() } }
  }

  @Test(
    "R5 R27 a weak main-actor instance is released on the main actor, whichever thread looks at it",
    arguments: Look.allCases)
  @MainActor func weakMainActorInstance(look: Look) async throws {
    let (elsewhere, isDone) = (Counter(), Counter())
    let changed = Provider("changed") { _ in 1 }
    let weak = MainActorProvider("weak", scope: .weak) { _ in Screen(elsewhere) }
    let pod = Pod()
    let child = pod.makeChild { $0.overrideProvider(changed, withValue: 2) }
    let looking = Worker {
      while isDone.value == 0 {
        switch look {
        case .clearsScope: pod.clearCachedInstances(forScope: .weak)
        case .clearsProvider: pod.clearCachedInstance(of: weak)
        case .isCached: _ = child.isCached(weak)
        case .graph: _ = pod.graph
        }
      }
    }
    for _ in 0..<rounds(200) {
      for _ in 0..<100 { withExtendedLifetime(pod.resolve(weak)) {} }
      await Task.yield()
    }
    isDone.increment()
    try await looking.value()
    #expect(elsewhere.value == 0)
  }

  @Test("R9 R13 the last reference to an error is released without a lock")
  func error() async throws {
    struct Failure: Error { let clearer: Clearer }
    struct Second: Error {}
    try await blocking {
      let pod = Pod()
      let other = Provider("other") { _ in 1 }
      let first = ThrowingProvider<Int>("first") { [weakPod = WeakPod(pod)] _ in
        throw Failure(clearer: Clearer(weakPod.value!, other))
      }
      let second = ThrowingProvider<Int>("second") { _ in throw Second() }
      let outer = Provider("outer") { pod in
        for _ in 0..<2 {
          _ = try? pod.resolve(first)
          _ = try? pod.resolve(second)
        }
        return 1
      }
      #expect(pod.resolve(outer) == 1)
    }
  }

  @Test("R9 R15 R26 an override of another pod, which a change looks at, is not released while the change runs")
  func overrideOfOtherPod() async throws {
    let family = Provider.family { (_, number: Int) in number }
    let changed = Provider { _ in 0 }
    let (root, other) = (Pod("root"), Pod("other"))
    let child = other.makeChild("child")
    let holder = Provider { pod in
      _ = pod.resolve(changed)
      return child.factory(family)
    }
    _ = root.resolve(holder)
    let member = family(1)
    let isFree = Locked<Bool?>(nil)
    do {
      let deallocation = Deallocation {
        let end = DispatchSemaphore(value: 0)
        Thread {
          root.clearCachedInstance(of: changed)
          end.signal()
        }.start()
        isFree.withLock { $0 = end.wait(timeout: .now() + 1) == .success }
      }
      child.overrideProvider(family) { _, number in withExtendedLifetime(deallocation) { number } }
    }
    let change = other.state.withLock { _ in
      // The change looks at the child, and then waits for its parent.
      let change = Worker { root.overrideProvider(changed, withValue: 1) }
      usleep(100_000)
      child.removeOverrideProvider(family)
      return change
    }
    try await change.value()
    #expect(isFree.withLock { $0 } == true)
    withExtendedLifetime(member) {}
  }

  private final class Deallocation: Sendable {
    private let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    deinit { body() }
  }
}
