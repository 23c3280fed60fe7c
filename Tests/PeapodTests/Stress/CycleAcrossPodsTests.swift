import Peapod
import Testing

/// Rule 12: cycles through three pods and three threads or tasks are found, and waiting that ends is never one.
@Suite(.timeLimit(.minutes(20))) struct CycleAcrossPodsTests {
  /// How the three pods are related.
  enum Relation: String, CaseIterable, Sendable {
    case unrelated, siblings, descendants

    var pods: [Pod] {
      switch self {
      case .unrelated: return [Pod("one"), Pod("two"), Pod("three")]
      case .siblings:
        let root = Pod("root")
        return (1...3).map { root.makeChild("\($0)", owning: [OwnedScope()]) }
      case .descendants:
        let root = Pod("root")
        let child = root.makeChild("child", owning: [OwnedScope()])
        return [root, child, child.makeChild("lower", owning: [OwnedScope()])]
      }
    }
  }

  /// Providers of which each resolves the next one in the next pod, and the last one the first.
  private struct Ring: Sendable {
    let pods: [Pod]
    let providers: [ThrowingProvider<Int>]
    /// Whether the last builder ends instead of closing the cycle.
    let isBroken = Locked(false)

    init(_ pods: [Pod], count: Int, arrive: @escaping @Sendable (Int) -> Void) {
      let all = Locked<[ThrowingProvider<Int>]>([])
      let isBroken = isBroken
      self.pods = pods
      providers = (0..<count).map { index in
        ThrowingProvider("\(index)", scope: OwnedScope()) { _ in
          if isBroken.withLock({ $0 }), index == count - 1 { return index }
          arrive(index)
          let next = (index + 1) % count
          return try pods[next % pods.count].resolve(all.withLock { $0[next] })
        }
      }
      all.withLock { $0 = providers }
    }

    func resolve(_ index: Int) throws -> Int { try pods[index % pods.count].resolve(providers[index]) }
  }

  @Test("R12 threads that enter a cycle through three pods at different ends", arguments: Relation.allCases)
  func threads(_ relation: Relation) async throws {
    for _ in 0..<rounds(100) {
      let started = (0..<3).map { _ in Gate() }
      let attempts = (0..<3).map { _ in Counter() }
      let ring = Ring(relation.pods, count: 3) { index in
        // Only the first attempts meet; a later one finds the others as they are.
        guard attempts[index].increment() == 1 else { return }
        started[index].open()
        for gate in started { gate.wait() }
      }
      let errors = try await runThreads(3) { index in error { try ring.resolve(index) } }
      for error in errors { expectCycle(error, through: ["0", "1", "2"]) }
      // A cycle is no lasting state: without it, all is built.
      ring.isBroken.withLock { $0 = true }
      #expect(try (0..<3).map { try ring.resolve($0) } == [2, 2, 2])
    }
  }

  @Test("R12 threads that enter it at random, in any order and number", arguments: Relation.allCases)
  func anyOrder(_ relation: Relation) async throws {
    for seed in 0..<UInt64(rounds(200)) {
      var generator = SplitMix64(seed: seed)
      let count = 2 + generator.below(5)
      let ring = Ring(relation.pods, count: count) { _ in }
      let threads = 2 + generator.below(4)
      let places = (0..<threads).map { _ in generator.below(count) }
      let errors = try await runThreads(threads) { thread in error { try ring.resolve(places[thread]) } }
      for error in errors { expectCycle(error, through: (0..<count).map(String.init)) }
    }
  }

  @Test("R12 tasks in a cycle through three pods", arguments: Relation.allCases)
  func tasks(_ relation: Relation) async throws {
    for seed in 0..<UInt64(rounds(200)) {
      var generator = SplitMix64(seed: seed)
      let all = Locked<[AsyncProvider<Int>]>([])
      let pods = relation.pods
      let providers = (0..<3).map { index in
        AsyncProvider("\(index)", scope: OwnedScope()) { _ in
          await Task.yield()
          let next = (index + 1) % 3
          return try await pods[next].resolve(all.withLock { $0[next] })
        }
      }
      all.withLock { $0 = providers }
      let places = (0..<5).map { _ in generator.below(3) }
      await withTaskGroup(of: (any Error)?.self) { group in
        for place in places {
          group.addTask {
            do {
              _ = try await pods[place].resolve(providers[place])
              return nil
            } catch {
              return error
            }
          }
        }
        for await error in group { expectCycle(error, through: ["0", "1", "2"]) }
      }
      all.withLock { $0 = [] }
    }
  }

  @Test(
    "R8 R12 waiting across three pods that has an end is never a cycle, and each is built once",
    arguments: Relation.allCases)
  func noCycle(_ relation: Relation) async throws {
    for seed in 0..<UInt64(rounds(200)) {
      var generator = SplitMix64(seed: seed)
      let pods = relation.pods
      let built = Log<String>()
      var providers: [ThrowingProvider<Int>] = []
      for index in 0..<9 {
        let former = Array(providers.shuffled(using: &generator).prefix(3))
        let places = former.map { _ in generator.below(3) }
        providers.append(
          ThrowingProvider("\(index)", scope: OwnedScope()) { pod in
            built.append("\(index) in \(pod.name)")
            return try zip(former, places).reduce(1) { sum, next in sum + (try pods[next.1].resolve(next.0)) }
          })
      }
      let all = providers
      let seeds = (0..<4).map { _ in generator.next() }
      try await runThreads(4) { thread in
        var generator = SplitMix64(seed: seeds[thread])
        for _ in 0..<6 {
          let index = generator.below(all.count)
          for pod in pods.shuffled(using: &generator) { _ = try pod.resolve(all[index]) }
        }
      }
      #expect(Set(built.entries).count == built.count, "seed \(seed): \(built.entries)")
    }
  }

  @Test("R12 R13 builders that handle the error of a cycle across pods all finish", arguments: Relation.allCases)
  func handled(_ relation: Relation) async throws {
    for _ in 0..<rounds(100) {
      let pods = relation.pods
      let throwing = Locked<[ThrowingProvider<Int>]>([])
      let closing = (0..<3).map { index in
        ThrowingProvider("closing \(index)", scope: OwnedScope()) { _ in
          let next = (index + 1) % 3
          do { return try pods[next].resolve(throwing.withLock { $0[next] }) } catch is ProviderCycleError { return -1 }
        }
      }
      throwing.withLock { $0 = closing }
      let results = try await runThreads(3) { index in try pods[index].resolve(closing[index]) }
      #expect(results == [-1, -1, -1])
      throwing.withLock { $0 = [] }
    }
  }
}
