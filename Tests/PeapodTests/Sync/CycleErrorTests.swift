import Peapod
import Testing

/// Rule 12 in one thread: throwing providers throw an error with the whole path.
struct CycleErrorTests {
  private typealias Ring = ProviderFamily<ThrowingProvider<Int>, Int>

  private static let itself: ThrowingProvider<Int> = ThrowingProvider("itself") { pod in try pod.resolve(itself) }
  private static let first: ThrowingProvider<Int> = ThrowingProvider("first") { pod in try pod.resolve(second) }
  private static let second: ThrowingProvider<Int> = ThrowingProvider("second") { pod in try pod.resolve(third) }
  private static let third: ThrowingProvider<Int> = ThrowingProvider("third") { pod in try pod.resolve(first) }
  private static let way = ThrowingProvider("way") { pod in try pod.resolve(second) }
  private static let longWay = ThrowingProvider("long way") { pod in try pod.resolve(way) }

  private static let ring: Ring = ThrowingProvider.family("ring") { (pod, position: Int) in
    try pod.resolve(ring((position + 1) % 100))
  }

  private static let fresh: ThrowingProvider<Int> = ThrowingProvider("fresh", scope: .alwaysCreateNew) { pod in
    try pod.resolve(otherFresh)
  }
  private static let otherFresh: ThrowingProvider<Int> = ThrowingProvider(
    "other fresh", scope: .alwaysCreateNew
  ) { pod in try pod.resolve(fresh) }

  private static let outer: ThrowingProvider<Int> = ThrowingProvider("outer") { pod in pod.resolve(plain) }
  private static let plain: Provider<Int> = Provider("plain") { pod in
    do {
      return try pod.resolve(outer)
    } catch {
      expectCycle(error, through: ["outer", "plain"])
      return 7
    }
  }

  @Test("R12 a provider that asks for itself")
  func itself() {
    expectCycle(error { try Pod().resolve(Self.itself) }, through: ["itself"])
  }

  @Test("R12 the path names every provider of the cycle, in order")
  func path() throws {
    let thrown = error { try Pod().resolve(Self.first) }
    expectCycle(thrown, through: ["first", "second", "third"])
    let path = try #require(thrown as? ProviderCycleError).path
    #expect(path.map(\.id) == [Self.first.id, Self.second.id, Self.third.id, Self.first.id])
    #expect(path.allSatisfy { $0.fileID == #fileID && $0.valueType == "Int" })
    #expect(path[0].line < path[1].line && path[1].line < path[2].line)
  }

  @Test("R12 the way to the cycle is no part of it")
  func wayIsLeftOut() {
    expectCycle(error { try Pod().resolve(Self.way) }, through: ["second", "third", "first"])
    expectCycle(error { try Pod().resolve(Self.longWay) }, through: ["second", "third", "first"])
  }

  @Test("R12 a cycle of 100 members of a family", arguments: [0, 42, 99])
  func ring(start: Int) throws {
    let pod = Pod()
    let error = try #require(throws: ProviderCycleError.self) { try pod.resolve(Self.ring(start)) }
    #expect(error.path.count == 101)
    #expect(error.path.map(\.id) == (0...100).map { Self.ring((start + $0) % 100).id })
    #expect((0..<100).allSatisfy { !pod.isCached(Self.ring($0)) })
  }

  @Test("R12 a cycle of providers that are always built anew")
  func alwaysNew() {
    expectCycle(error { try Pod().resolve(Self.fresh) }, through: ["fresh", "other fresh"])
  }

  @Test("R12 every throwing kind on the cycle throws, also below one that does not")
  func mixedKinds() throws {
    #expect(try Pod().resolve(Self.outer) == 7)
  }

  @Test("R12 a cycle is not cached, and ends with an override that breaks it")
  func cycleIsNotCached() throws {
    let pod = Pod()
    for _ in 0..<3 { expectCycle(error { try pod.resolve(Self.first) }, through: ["first", "second", "third"]) }
    pod.overrideProvider(Self.third, withValue: 5)
    #expect(try pod.resolve(Self.first) == 5)
    pod.removeOverrideProvider(Self.third)
    expectCycle(error { try pod.resolve(Self.first) }, through: ["first", "second", "third"])
  }

  @Test("R12 a cycle that an override makes")
  func cycleByOverride() throws {
    let below = ThrowingProvider("below") { _ in 1 }
    let above = ThrowingProvider("above") { pod in try pod.resolve(below) + 1 }
    let pod = Pod()
    #expect(try pod.resolve(above) == 2)
    pod.overrideProvider(below) { pod in try pod.resolve(above) }
    expectCycle(error { try pod.resolve(below) }, through: ["below", "above"])
    expectCycle(error { try pod.resolve(above) }, through: ["above", "below"])
    pod.removeOverrideProvider(below)
    #expect(try pod.resolve(above) == 2)
  }

  @Test("R12 a builder that handles the error goes on")
  func handled() throws {
    let attempts = Counter()
    let lower = Locked<ThrowingProvider<Int>?>(nil)
    let upper = ThrowingProvider("upper") { pod in try pod.resolve(lower.withLock { $0! }) + 1 }
    lower.withLock {
      $0 = ThrowingProvider("lower") { pod in
        attempts.increment()
        return (try? pod.resolve(upper)) ?? 10
      }
    }
    let pod = Pod()
    #expect(try pod.resolve(upper) == 11)
    #expect(try pod.resolve(upper) == 11)
    #expect(attempts.value == 1)
  }

  @Test("R12 a cycle through captured and global pods")
  func otherWaysToThePod() {
    let pod = Pod()
    let lower = Locked<ThrowingProvider<Int>?>(nil)
    let upper = ThrowingProvider("upper") { [pod] _ in try pod.resolve(lower.withLock { $0! }) }
    lower.withLock { $0 = ThrowingProvider("lower") { argument in try argument.resolve(upper) } }
    expectCycle(error { try pod.resolve(upper) }, through: ["upper", "lower"])
    let shared = Locked<ThrowingProvider<Int>?>(nil)
    let global = ThrowingProvider("global") { _ in try Pod.shared.resolve(shared.withLock { $0! }) }
    shared.withLock { $0 = global }
    expectCycle(error { try Pod.shared.resolve(global) }, through: ["global"])
  }

  @Test("R12 R19 endless recursion through inner pods ends with an error", arguments: [false, true])
  func innerPods(isOwning: Bool) {
    let own = Locked<ThrowingProvider<Int>?>(nil)
    let provider = ThrowingProvider("endless", scope: OwnedScope()) { pod in
      let next = own.withLock { $0.unsafelyUnwrapped }
      if isOwning { return try pod.withChild(owning: [OwnedScope()]) { try $0.resolve(next) } }
      return try pod.withOverrides { _ in
      } operation: {
        try pod.resolve(next)
      }
    }
    own.withLock { $0 = provider }
    #expect(throws: ProviderCycleError.self) { try Pod().resolve(provider) }
    own.withLock { $0 = nil }
  }

  @Test("R12 R19 recursion through inner pods that ends is no cycle")
  func endingRecursion() throws {
    let own = Locked<ThrowingProvider<Int>?>(nil)
    let left = Locked(60)
    let provider = ThrowingProvider("ending") { pod in
      let next = own.withLock { $0.unsafelyUnwrapped }
      let isLast = left.withLock {
        $0 -= 1
        return $0 == 0
      }
      return try isLast
        ? 0
        : pod.withOverrides { _ in
        } operation: {
          try pod.resolve(next)
        } + 1
    }
    own.withLock { $0 = provider }
    #expect(try Pod().resolve(provider) == 59)
    own.withLock { $0 = nil }
  }

  @Test("R12 a cycle across two pods")
  func acrossPods() {
    let (one, two) = (Pod("one"), Pod("two"))
    let lower = Locked<ThrowingProvider<Int>?>(nil)
    let upper = ThrowingProvider("upper") { [two] _ in try two.resolve(lower.withLock { $0! }) }
    lower.withLock { $0 = ThrowingProvider("lower") { [one] _ in try one.resolve(upper) } }
    expectCycle(error { try one.resolve(upper) }, through: ["upper", "lower"])
    #expect(!one.isCached(upper))
  }

  @Test("R12 the builders of a cycle are let go with its error")
  func nothingIsKept() {
    let population = Population()
    let lower = Locked<ThrowingProvider<Tracked>?>(nil)
    let upper = ThrowingProvider("upper") { pod in
      let early = population.make()
      return population.make(keeping: [early, try pod.resolve(lower.withLock { $0! })])
    }
    lower.withLock { $0 = ThrowingProvider("lower") { pod in try pod.resolve(upper) } }
    let pod = Pod()
    for _ in 0..<5 { expectCycle(error { try pod.resolve(upper) }, through: ["upper", "lower"]) }
    #expect(population.live == 0)
  }
}
