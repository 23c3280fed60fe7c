import Peapod
import Testing

/// Rules 15 and 16: several overrides, one after the other and at once.
@MainActor
struct OverrideCombinationTests {
  private let population = Population()
  private let disposed = Log(of: Int.self)

  /// Two providers and a third that is built from both.
  private struct Fork {
    let left, right, joint: TrackedProvider

    init(_ kind: SynchronousKind, _ population: Population, _ disposed: Log<Int>) {
      let note: @Sendable (Tracked) -> Void = { disposed.append($0.serial) }
      let left = kind.declare("left", { _ in population.make() }, onDispose: note)
      let right = kind.declare("right", { _ in population.make() }, onDispose: note)
      joint = kind.declare(
        "joint", { pod in population.make(keeping: [pod.resolve(left), pod.resolve(right)]) }, onDispose: note)
      (self.left, self.right) = (left, right)
    }
  }

  private func parts(_ joint: Tracked) -> [Int] { joint.parts.compactMap { ($0 as? Tracked)?.serial } }

  @Test("R16 overriding again replaces and disposes the earlier override", arguments: SynchronousKind.allCases)
  func overridingAgain(kind: SynchronousKind) {
    let population = population
    let fork = Fork(kind, population, disposed)
    let pod = Pod()
    #expect(pod.resolve(fork.joint).serial == 3)
    pod.overrideProvider(fork.left) { _ in population.make() }
    #expect(pod.resolve(fork.joint).serial == 5)
    pod.overrideProvider(fork.left) { _ in population.make() }
    #expect(disposed.drain() == [5, 4])
    #expect(population.liveSerials == [1, 2, 3])
    #expect(pod.resolve(fork.joint).serial == 7)
    #expect(parts(pod.resolve(fork.joint)) == [6, 2])
    pod.removeOverrideProvider(fork.left)
    #expect(disposed.drain() == [7, 6])
    #expect(pod.resolve(fork.joint).serial == 3)
  }

  @Test("R16 after five overrides in a row none of the old instances is alive", arguments: [true, false])
  func fiveInARow(isOriginalCached: Bool) {
    let population = population
    let fork = Fork(.plain, population, disposed)
    let pod = Pod()
    if isOriginalCached { _ = pod.resolve(fork.joint) }
    let originals = population.liveSerials
    if !isOriginalCached { _ = pod.resolve(fork.right) }
    let right = pod.resolve(fork.right).serial
    var last: Set<Int> = []
    for _ in 1...5 {
      pod.overrideProvider(fork.left) { _ in population.make() }
      let joint = pod.resolve(fork.joint)
      last = [joint.serial, pod.resolve(fork.left).serial]
    }
    #expect(population.liveSerials == originals.union(last).union([right]))
    #expect(disposed.count == 8)
    #expect(disposed.entries == disposed.entries.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
  }

  @Test("R16 so it is with values")
  func fiveValues() async {
    let fork = Fork(.plain, population, disposed)
    let pod = Pod()
    for _ in 1...5 {
      pod.overrideProvider(fork.left, withValue: population.make())
      _ = pod.resolve(fork.joint)
    }
    // A teardown of another test retains the instances that it looks at.
    await eventually("the earlier values are released") { population.live == 3 }
    pod.removeAllOverrides()
    await eventually("the last value is released") { population.live == 1 }
  }

  @Test("R16 removing what is not overridden does nothing", arguments: SynchronousKind.allCases)
  func removingNothing(kind: SynchronousKind) {
    let fork = Fork(kind, population, disposed)
    let pod = Pod()
    #expect(pod.resolve(fork.joint).serial == 3)
    pod.removeOverrideProvider(fork.left)
    pod.removeOverrideProvider(fork.joint)
    pod.removeAllOverrides()
    #expect(pod.resolve(fork.joint).serial == 3)
    #expect(pod.isCached(fork.left))
    #expect(disposed.count == 0)
    #expect(population.made == 3)
  }

  @Test("R15 overrides end in the reverse order of their beginning", arguments: SynchronousKind.allCases)
  func nested(kind: SynchronousKind) {
    let population = population
    let fork = Fork(kind, population, disposed)
    let pod = Pod()
    #expect(pod.resolve(fork.joint).serial == 3)
    pod.overrideProvider(fork.left) { _ in population.make() }
    #expect(pod.resolve(fork.joint).serial == 5)
    pod.overrideProvider(fork.right) { _ in population.make() }
    #expect(pod.resolve(fork.joint).serial == 7)
    #expect(parts(pod.resolve(fork.joint)) == [4, 6])
    pod.removeOverrideProvider(fork.right)
    #expect(disposed.drain() == [7, 6])
    #expect(pod.resolve(fork.joint).serial == 5)
    pod.removeOverrideProvider(fork.left)
    #expect(disposed.drain() == [5, 4])
    #expect(pod.resolve(fork.joint).serial == 3)
  }

  @Test("R15 overrides end in the order of their beginning", arguments: SynchronousKind.allCases)
  func overlapping(kind: SynchronousKind) {
    let population = population
    let fork = Fork(kind, population, disposed)
    let pod = Pod()
    #expect(pod.resolve(fork.joint).serial == 3)
    pod.overrideProvider(fork.left) { _ in population.make() }
    #expect(pod.resolve(fork.joint).serial == 5)
    pod.overrideProvider(fork.right) { _ in population.make() }
    #expect(pod.resolve(fork.joint).serial == 7)
    pod.removeOverrideProvider(fork.left)
    #expect(disposed.drain() == [7, 5, 4])
    #expect(population.liveSerials == [1, 2, 3, 6])
    #expect(pod.resolve(fork.joint).serial == 8)
    #expect(parts(pod.resolve(fork.joint)) == [1, 6])
    pod.removeOverrideProvider(fork.right)
    #expect(disposed.drain() == [8, 6])
    #expect(pod.resolve(fork.joint).serial == 3)
  }

  @Test("R15 an override of the whole hides one of a part, and only while it lasts")
  func overrideOfTheWhole() {
    let population = population
    let fork = Fork(.plain, population, disposed)
    let pod = Pod()
    #expect(pod.resolve(fork.joint).serial == 3)
    let value = Tracked()
    pod.overrideProvider(fork.joint, withValue: value)
    pod.overrideProvider(fork.left) { _ in population.make() }
    #expect(pod.resolve(fork.joint) === value)
    pod.removeOverrideProvider(fork.joint)
    #expect(parts(pod.resolve(fork.joint)) == [4, 2])
    pod.removeOverrideProvider(fork.left)
    #expect(pod.resolve(fork.joint).serial == 3)
  }

  @Test("R15 all overrides end at once", arguments: SynchronousKind.allCases)
  func removeAll(kind: SynchronousKind) {
    let population = population
    let fork = Fork(kind, population, disposed)
    let pod = Pod()
    #expect(pod.resolve(fork.joint).serial == 3)
    pod.overrideProvider(fork.left) { _ in population.make() }
    pod.overrideProvider(fork.right) { _ in population.make() }
    #expect(pod.resolve(fork.joint).serial == 6)
    pod.removeAllOverrides()
    #expect(disposed.drain() == [6, 5, 4])
    #expect(pod.resolve(fork.joint).serial == 3)
    #expect(population.liveSerials == [1, 2, 3])
  }

  @Test("R15 what an override is built from is shared with what it replaces")
  func overrideSharesParts() {
    let population = population
    let shared = Provider { _ in population.make() }
    let provider = Provider { pod in population.make(keeping: [pod.resolve(shared)]) }
    let pod = Pod()
    let original = pod.resolve(provider)
    pod.overrideProvider(provider) { pod in population.make(keeping: [pod.resolve(shared)]) }
    #expect(parts(pod.resolve(provider)) == parts(original))
    // What an override's builder asks for is an instance like any other: it stays when the override goes.
    let onlyHere = Provider { _ in population.make() }
    pod.overrideProvider(provider) { pod in population.make(keeping: [pod.resolve(onlyHere)]) }
    let part = parts(pod.resolve(provider))
    pod.removeOverrideProvider(provider)
    #expect([pod.resolve(onlyHere).serial] == part)
    #expect(pod.resolve(provider) === original)
  }

  @Test("R15 an override of what an override is built from reaches it")
  func overrideUnderOverride() {
    let part = Provider { _ in 1 }
    let provider = Provider { _ in 0 }
    let pod = Pod()
    pod.overrideProvider(provider) { pod in pod.resolve(part) + 10 }
    #expect(pod.resolve(provider) == 11)
    pod.overrideProvider(part, withValue: 2)
    #expect(pod.resolve(provider) == 12)
    pod.removeOverrideProvider(part)
    #expect(pod.resolve(provider) == 11)
    pod.removeOverrideProvider(provider)
    #expect(pod.resolve(provider) == 0)
  }

  @Test("R15 many overrides and removals leave one instance of each provider")
  func nothingPilesUp() {
    let population = population
    let fork = Fork(.plain, population, disposed)
    let pod = Pod()
    let original = pod.resolve(fork.joint).serial
    for _ in 0..<500 {
      pod.overrideProvider(fork.left) { _ in population.make() }
      _ = pod.resolve(fork.joint).serial
      pod.removeOverrideProvider(fork.left)
      #expect(pod.resolve(fork.joint).serial == original)
    }
    #expect(population.liveSerials == [1, 2, 3])
    #expect(disposed.count == 1_000)
  }
}
