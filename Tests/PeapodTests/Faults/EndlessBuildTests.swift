import Peapod
import Testing

/// Builders that do not return, while everything else goes on.
///
/// They do when the test is over, so that nothing of it stays behind.
@Suite(.timeLimit(.minutes(20)))
struct EndlessBuildTests {
  @Test("R8 R11 while builders do not return, every other call does, and what they make is disposed in the end")
  func threads() async throws {
    let population = Population()
    let (gate, entered, disposed) = (Gate(), Counter(), Counter())
    let build: @Sendable (Pod) -> Tracked = { _ in
      entered.increment()
      gate.wait()
      return population.make()
    }
    let hook: @Sendable (Tracked) -> Void = { _ in disposed.increment() }
    let plain = Provider("plain", scope: OwnedScope(), build, onDispose: hook)
    let throwing = ThrowingProvider("throwing", scope: OwnedScope(), build, onDispose: hook)
    let family = Provider.family("family", scope: OwnedScope()) { (pod, number: Int) in
      build(pod)
    } onDispose: { (instance: Tracked) in
      hook(instance)
    }
    let above = Provider("above", scope: OwnedScope(), { build($0).serial + $0.resolve(plain).serial })
    let pod = Pod()
    let workers = [
      Worker { pod.resolve(plain).serial }, Worker { pod.resolve(plain).serial },
      Worker { try pod.resolve(throwing).serial }, Worker { pod.resolve(family(1)).serial },
      Worker { pod.resolve(above) },
    ]
    await eventually("all are being built") { entered.value == 4 }
    let other = Provider("other", scope: OwnedScope()) { _ in population.make() }
    try await blocking {
      let first = pod.resolve(other)
      pod.overrideProvider(other) { $0.resolve(other) }
      #expect(pod.resolve(other) === first)
      pod.removeOverrideProvider(other)
      #expect(!pod.isCached(plain) && !pod.isCached(throwing) && !pod.isCached(family(1)))
      #expect(pod.cachedInstance(of: plain) == nil)
      pod.withOverrides({ $0.overrideProvider(plain, withValue: Tracked()) }) {
        #expect(pod.resolve(plain).serial == 1)
      }
      let child = pod.makeChild(owning: [OwnedScope()]) { $0.overrideProvider(plain, withValue: Tracked()) }
      #expect(child.resolve(plain).serial == 1)
      #expect(pod.lazy(other).value === first && pod.factory(other)() === first)
      #expect(pod.graph.nodes.count >= 5)
      pod.overrideProvider(plain, withValue: Tracked())
      #expect(pod.resolve(plain).serial == 1)
      pod.removeAllOverrides()
      pod.clearCachedInstances(forScope: OwnedScope())
      pod.clearCachedInstance(of: throwing)
      pod.clearCachedInstances(of: family)
      pod.dispose()
      #expect(!pod.isCached(other))
    }
    await pod.shutdown()
    #expect(!gate.isOpen && disposed.value == 0)
    gate.open()
    for worker in workers { _ = try await worker.value() }
    pod.dispose()
    // All but `above` have a hook; what that asked for after the pod was disposed is an instance of its own.
    #expect(disposed.value == entered.value - 1)
    #expect(disposed.value >= 4)
    #expect(population.live == 0)
  }

  @Test("R8 R14 while an async builder does not return, others do, waiters may leave, and the pod may go")
  func tasks() async throws {
    let population = Population()
    let (gate, disposed) = (AsyncGate(), Counter())
    let endless = AsyncProvider("endless") { _ in
      await gate.wait()
      return population.make()
    } onDispose: { _ in
      disposed.increment()
    }
    let above = AsyncProvider("above") { pod in try await pod.resolve(endless).serial }
    let other = AsyncProvider("other") { _ in 7 }
    var pod: Pod? = Pod()
    let staying = pod.map { pod in Task { try await pod.resolve(endless).serial } }
    await eventually("it is being built") { gate.arrived == 1 }
    let leaving = pod.map { pod in (0..<20).map { _ in Task { try await pod.resolve(above) } } } ?? []
    #expect(try await pod?.resolve(other) == 7)
    for task in leaving { task.cancel() }
    for task in leaving { await #expect(throws: CancellationError.self) { try await task.value } }
    #expect(!gate.isOpen)
    await pod?.shutdown()
    #expect(try await pod?.resolve(other) == 7)
    pod = nil
    #expect(!gate.isOpen)
    gate.open()
    #expect(try await staying?.value == 1)
    await eventually("what it made is disposed") { disposed.value == 1 && population.live == 0 }
  }
}
