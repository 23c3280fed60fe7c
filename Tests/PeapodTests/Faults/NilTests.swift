import Peapod
import Testing

/// Builders that return `nil`, wherever an instance may go.
struct NilTests {
  @Test("R4 R7 R27 a nil is kept, found, cleared and disposed like any other")
  func scoped() throws {
    let (builds, disposed) = (Counter(), Log<Bool>())
    let plain = Provider<Tracked?>(scope: OwnedScope()) { _ in
      builds.increment()
      return nil
    } onDispose: {
      disposed.append($0 == nil)
    }
    let throwing = ThrowingProvider<Int?>(scope: OwnedScope()) { _ in
      builds.increment()
      return nil
    } onDispose: {
      disposed.append($0 == nil)
    }
    let family = Provider.family(scope: OwnedScope()) { (_, number: Int) -> Int? in
      builds.increment()
      return number > 0 ? number : nil
    } onDispose: { (value: Int?) in
      disposed.append(value == nil)
    }
    let pod = Pod()
    for _ in 0..<3 {
      #expect(pod.resolve(plain) == nil)
      #expect(try pod.resolve(throwing) == nil)
      #expect(pod.resolve(family(0)) == nil)
      #expect(pod.resolve(family(1)) == 1)
      #expect(pod.withResolved(plain) { $0 == nil })
      #expect(pod.isCached(plain) && pod.isCached(throwing) && pod.isCached(family(0)))
      #expect(pod.cachedInstance(of: plain).map { $0 == nil } == true)
    }
    #expect(builds.value == 4)
    pod.clearCachedInstances(forScope: OwnedScope())
    #expect(disposed.entries.filter { $0 }.count == 3)
    #expect(disposed.count == 4)
    #expect(pod.cachedInstance(of: plain).map { $0 == nil } == nil)
    #expect(pod.resolve(plain) == nil)
    #expect(builds.value == 5)
  }

  @Test("R5 R6 a weak nil is not kept; a graph-scoped one is, for its resolve")
  func weakAndGraph() {
    let builds = Counter()
    let build: @Sendable (Pod) -> Tracked? = { _ in
      builds.increment()
      return nil
    }
    let weak = Provider(scope: WeakScope(), build)
    let graph = Provider(scope: GraphScope(), build)
    let both = Provider(scope: .alwaysCreateNew) { pod in [pod.resolve(graph), pod.resolve(graph)].count }
    let pod = Pod()
    for round in 1...3 {
      #expect(pod.resolve(weak) == nil)
      #expect(!pod.isCached(weak))
      #expect(builds.value == round)
    }
    #expect(pod.resolve(both) == 2)
    #expect(builds.value == 4)
  }

  @Test("R8 many threads and tasks get the one nil of a build")
  func shared() async throws {
    let builds = Counter()
    let plain = Provider.family { (_, round: Int) -> Tracked? in
      builds.increment()
      return nil
    }
    let later = AsyncProvider.family { (_, round: Int) -> Tracked? in
      builds.increment()
      await Task.yield()
      return nil
    }
    let (pod, turns) = (Pod(), rounds(1_000))
    try await runThreads(4) { _ in
      for round in 0..<turns { #expect(pod.resolve(plain(round)) == nil) }
    }
    #expect(builds.value == turns)
    for round in 0..<turns {
      async let first = pod.resolve(later(round))
      async let second = pod.resolve(later(round))
      let (one, two) = (try await first, try await second)
      #expect(one == nil && two == nil)
    }
    #expect(builds.value == 2 * turns)
  }

  @Test("R15 R17 R19 R25 an override, a decorator, a child and a use of its own may give nil")
  func elsewhere() throws {
    let disposed = Counter()
    let provider = Provider<Tracked?> { _ in
      Tracked()
    } onDispose: { _ in
      disposed.increment()
    }
    let above = Provider { pod in pod.resolve(provider) == nil }
    let pod = Pod()
    #expect(!pod.resolve(above))
    pod.overrideProvider(provider) { _ in nil }
    #expect(pod.resolve(above))
    #expect(pod.perUse(provider).use { $0 == nil })
    #expect(disposed.value == 1)
    pod.overrideProvider(provider, withValue: nil)
    #expect(disposed.value == 2)
    #expect(pod.resolve(above))
    pod.overrideProvider(provider) { $0.resolve(provider).flatMap { _ in nil } }
    #expect(pod.resolve(above))
    let child = pod.makeChild { $0.overrideProvider(provider) { _ in Tracked() } }
    #expect(!child.resolve(above))
    pod.removeAllOverrides()
    #expect(!pod.resolve(above))
  }
}
