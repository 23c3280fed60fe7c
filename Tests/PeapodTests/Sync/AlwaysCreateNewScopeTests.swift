import Peapod
import Testing

/// Rule 3: nothing is kept.
@MainActor
struct AlwaysCreateNewScopeTests {
  private final class Mutable {
    var number = 0
  }

  @Test("R3 every resolve builds", arguments: SynchronousKind.allCases)
  func everyResolveBuilds(kind: SynchronousKind) {
    let population = Population()
    let provider = kind.declare(scope: .alwaysCreateNew) { _ in population.make() }
    let pod = Pod()
    #expect((1...5).map { _ in pod.resolve(provider).serial } == [1, 2, 3, 4, 5])
    #expect(!pod.isCached(provider))
    #expect(population.live == 0)
  }

  @Test("R3 a value that is not Sendable may be passed on to another domain")
  nonisolated func notSendable() async {
    let provider = Provider(scope: .alwaysCreateNew) { _ in Mutable() }
    let pod = Pod()
    let first = pod.resolve(provider)
    let second = pod.resolve(provider)
    second.number = 5
    let number = await Task.detached {
      first.number += 1
      return first.number
    }.value
    #expect(number == 1)
  }

  @Test("R3 what is built from a fresh instance keeps that one")
  func dependentKeepsIt() {
    let population = Population()
    let fresh = Provider(scope: .alwaysCreateNew) { _ in population.make() }
    let holder = Provider { pod in population.make(keeping: [pod.resolve(fresh)]) }
    let pod = Pod()
    let first = pod.resolve(holder)
    #expect(pod.resolve(holder) === first)
    #expect(population.made == 2)
    #expect(pod.resolve(fresh).serial == 3)
  }

  @Test("R3 a fresh instance shares what it is built from")
  func sharesDependencies() {
    let shared = Provider { _ in Tracked() }
    let fresh = Provider(scope: .alwaysCreateNew) { pod in Tracked(keeping: [pod.resolve(shared)]) }
    let pod = Pod()
    let (first, second) = (pod.resolve(fresh), pod.resolve(fresh))
    #expect(first !== second)
    #expect(first.parts[0] as? Tracked === second.parts[0] as? Tracked)
  }

  @Test("R3 R15 a builder depends on what a transient resolves, although the pod has recorded the transient before")
  func recordedBefore() {
    let shared = Provider { _ in Tracked() }
    let fresh = Provider(scope: .alwaysCreateNew) { pod in Tracked(keeping: [pod.resolve(shared)]) }
    let holder = Provider { pod in Tracked(keeping: [pod.resolve(fresh)]) }
    let pod = Pod()
    _ = pod.resolve(fresh)
    let first = pod.resolve(holder)
    pod.overrideProvider(shared) { _ in Tracked() }
    #expect(pod.resolve(holder) !== first)
    pod.removeOverrideProvider(shared)
    #expect(pod.resolve(holder) === first)
  }

  @Test("R3 an override may make fresh what was kept, and keep what was fresh", arguments: SynchronousKind.allCases)
  func overridesMayChangeTheScope(kind: SynchronousKind) {
    let kept = kind.declare { _ in Tracked() }
    let fresh = kind.declare(scope: .alwaysCreateNew) { _ in Tracked() }
    let pod = Pod()
    let original = pod.resolve(kept)
    pod.overrideProvider(kept, scope: .alwaysCreateNew) { _ in Tracked() }
    pod.overrideProvider(fresh, scope: .singleton) { _ in Tracked() }
    #expect(pod.resolve(kept) !== pod.resolve(kept))
    #expect(pod.resolve(fresh) === pod.resolve(fresh))
    pod.removeAllOverrides()
    #expect(pod.resolve(kept) === original)
    #expect(pod.resolve(fresh) !== pod.resolve(fresh))
  }

  @Test("R3 many threads get an instance each", arguments: [1, 2, 3])
  func threadsGetTheirOwn(round: Int) async throws {
    let population = Population()
    let fresh = Provider(scope: .alwaysCreateNew) { _ in population.make() }
    let pod = Pod()
    let serials = try await runThreads(8) { _ in (0..<500).map { _ in pod.resolve(fresh).serial } }
    #expect(Set(serials.flatMap { $0 }).count == 4_000)
    #expect(population.live == 0)
  }
}
