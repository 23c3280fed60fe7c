import Peapod
import Testing

/// Rule 15, where several threads change the overrides of one pod at the same time.
@Suite(.timeLimit(.minutes(20)))
struct ConcurrentOverrideTests {
  @Test("R15 two overrides at once, and their removal: the originals return")
  func originalsReturn() async throws {
    let population = Population()
    let base = Provider("base") { _ in population.make() }
    let top = Provider("top") { population.make(keeping: [$0.resolve(base)]) }
    let pod = Pod()
    let (bottom, original) = (pod.resolve(base), pod.resolve(top))
    let barrier = Barrier(2)
    let wrong = Counter()
    try await runThreads(2) { index in
      for _ in 0..<1_000 {
        barrier.arrive()
        pod.overrideProvider(base) { _ in population.make() }
        barrier.arrive()
        if index == 0 {
          pod.removeOverrideProvider(base)
          if pod.resolve(base) !== bottom || pod.resolve(top) !== original { wrong.increment() }
        }
        barrier.arrive()
      }
    }
    #expect(wrong.value == 0)
  }

  @Test("R11 R15 what is built while overrides come is built from none of the replaced instances")
  func noOutdatedInstance() async throws {
    let first = Provider("first") { _ in 0 }
    let second = Provider("second") { _ in 0 }
    let top = Provider("top", scope: OwnedScope()) { [$0.resolve(first), $0.resolve(second)] }
    let barrier = Barrier(3)
    let wrong = Counter()
    let pod = Pod()
    try await runThreads(3) { index in
      for round in 0..<1_000 {
        barrier.arrive()
        switch index {
        case 0: pod.overrideProvider(first) { _ in round }
        case 1: pod.overrideProvider(second) { _ in round }
        default: for _ in 0..<8 { _ = pod.resolve(top) }
        }
        barrier.arrive()
        if index == 0 {
          if pod.resolve(top) != [round, round] { wrong.increment() }
          pod.removeAllOverrides()
          if pod.resolve(top) != [0, 0] { wrong.increment() }
          pod.clearCachedInstances(forScope: OwnedScope())
        }
        barrier.arrive()
      }
    }
    #expect(wrong.value == 0)
  }

  @Test("R19 children of a builder's pod end while the pod above is replaced")
  func childrenChangeParent() async throws {
    let population = Population()
    let part = Provider("part") { _ in population.make() }
    let builderPod = Provider("holder", scope: .alwaysCreateNew) { pod in pod }
    let barrier = Barrier(2)
    let shelf = Locked<(root: Pod?, stored: Pod?, child: Pod?)>((nil, nil, nil))
    try await runThreads(2) { index in
      for _ in 0..<1_000 {
        if index == 0 {
          let root = Pod()
          let stored = root.resolve(builderPod)
          shelf.withLock { $0 = (root, stored, stored.makeChild()) }
        }
        barrier.arrive()
        if index == 0 {
          let (root, stored) = shelf.withLock { shelf in
            defer { (shelf.root, shelf.stored) = (nil, nil) }
            return (shelf.root, shelf.stored)
          }
          _ = consume root
          _ = stored?.resolve(part)
          stored?.overrideProvider(part) { _ in population.make() }
        } else {
          var child = shelf.withLock { shelf in
            defer { shelf.child = nil }
            return shelf.child
          }
          _ = child?.isCached(part)
          child = nil
        }
        barrier.arrive()
      }
    }
    #expect(population.live == 0)
  }

  @Test("R3 R27 a removed override leaves nothing behind, although a transient is being built from it")
  func recordBesideRemoval() async throws {
    let population = Population()
    let pod = Pod()
    let provider = Provider(scope: .alwaysCreateNew) { _ in 1 }
    let meeting = Barrier(2)
    try await runThreads(2) { number in
      for round in 0..<rounds(20_000) {
        if number == 0 {
          let captured = population.make()
          pod.overrideProvider(provider) { _ in withExtendedLifetime(captured) { 2 } }
        }
        meeting.arrive()
        if number == 0 {
          for _ in 0..<round % 50 { _ = population.made }
          pod.removeOverrideProvider(provider)
        } else {
          for _ in 0..<3 { _ = pod.resolve(provider) }
        }
        meeting.arrive()
        if number == 0, population.live > 0 { Issue.record("round \(round)") }
        meeting.arrive()
      }
    }
  }
}
