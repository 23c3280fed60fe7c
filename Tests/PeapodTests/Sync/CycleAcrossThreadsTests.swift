import Peapod
import Testing

/// Rule 12 across threads: waiting that can never end is reported to all who wait.
struct CycleAcrossThreadsTests {
  /// Providers that ask each for the next, the last for the first, once the builders of all have started.
  ///
  /// `isIndirect`: they ask through a provider of their own.
  private final class Ring: Sendable {
    let providers: [ThrowingProvider<Int>]
    let pods: [Pod]

    init(_ count: Int, pods: [Pod], handlesError: Bool = false, isIndirect: Bool = false) {
      let all = Locked<[ThrowingProvider<Int>]>([])
      let started = (0..<count).map { _ in Gate() }
      let attempts = (0..<count).map { _ in Counter() }
      self.pods = pods
      providers = (0..<count).map { index in
        ThrowingProvider("\(index)") { [pods] _ in
          // Only the first attempts meet; a later one finds the others as they are.
          if attempts[index].increment() == 1 {
            started[index].open()
            for gate in started { gate.wait() }
          }
          let next = (index + 1) % count
          let provider = all.withLock { $0[next] }
          if handlesError { return (try? pods[next % pods.count].resolve(provider)) ?? -1 }
          guard isIndirect else { return try pods[next % pods.count].resolve(provider) }
          return try pods[index % pods.count].resolve(
            ThrowingProvider("between") { _ in try pods[next % pods.count].resolve(provider) })
        }
      }
      all.withLock { $0 = providers }
    }

    func resolve(_ index: Int) throws -> Int {
      try pods[index % pods.count].resolve(providers[index])
    }
  }

  @Test("R12 threads that enter a cycle at different ends all end with its error", arguments: [2, 3, 5])
  func cycleOfThreads(count: Int) async throws {
    for _ in 0..<40 {
      let ring = Ring(count, pods: [Pod()])
      let errors = try await runThreads(count) { index in error { try ring.resolve(index) } }
      let names = (0..<count).map(String.init)
      for error in errors { expectCycle(error, through: names) }
    }
  }

  @Test("R12 so do threads whose builders ask through another provider")
  func cycleOfThreadsThroughOthers() async throws {
    for _ in 0..<40 {
      let ring = Ring(2, pods: [Pod()], isIndirect: true)
      let errors = try await runThreads(2) { index in error { try ring.resolve(index) } }
      for error in errors { expectCycle(error, through: ["0", "between", "1", "between"]) }
    }
  }

  @Test("R12 so do threads in different pods")
  func cycleOfThreadsAndPods() async throws {
    for _ in 0..<40 {
      let ring = Ring(4, pods: [Pod("one"), Pod("two")])
      let errors = try await runThreads(4) { index in error { try ring.resolve(index) } }
      for error in errors { expectCycle(error, through: ["0", "1", "2", "3"]) }
    }
  }

  @Test("R12 builders that handle the error all finish", arguments: [2, 3])
  func handled(count: Int) async throws {
    for _ in 0..<40 {
      let ring = Ring(count, pods: [Pod()], handlesError: true)
      let results = try await runThreads(count) { index in try ring.resolve(index) }
      #expect(results == Array(repeating: -1, count: count))
    }
  }

  @Test("R12 others that wait for a provider of the cycle get the error too")
  func bystanders() async throws {
    for _ in 0..<20 {
      let ring = Ring(2, pods: [Pod()])
      let errors = try await runThreads(6) { index in error { try ring.resolve(index % 2) } }
      for error in errors { expectCycle(error, through: ["0", "1"]) }
    }
  }

  @Test("R12 a task that an initialiser starts and waits for through another provider closes a cycle")
  func cycleThroughTask() async throws {
    for _ in 0..<40 {
      let pod = Pod()
      let lower = Locked<ThrowingProvider<Int>?>(nil)
      let lowerStarted = Gate()
      let upper = ThrowingProvider("upper") { pod in
        let provider = lower.withLock { $0! }
        Task { try? pod.resolve(provider) }
        lowerStarted.wait()
        return try pod.resolve(provider)
      }
      lower.withLock {
        $0 = ThrowingProvider("lower") { pod in
          lowerStarted.open()
          return try pod.resolve(upper)
        }
      }
      let thrown = try await blocking { error { try pod.resolve(upper) } }
      expectCycle(thrown, through: ["upper", "lower"])
    }
  }

  @Test("R12 providers that wait in a row are no cycle")
  func waitingInARow() async throws {
    for _ in 0..<40 {
      let pod = Pod()
      let started = (0..<3).map { _ in Gate() }
      let last = ThrowingProvider("last") { _ in
        started[2].open()
        for gate in started { gate.wait() }
        return 1
      }
      let middle = ThrowingProvider("middle") { pod in
        started[1].open()
        for gate in started { gate.wait() }
        return try pod.resolve(last) + 1
      }
      let first = ThrowingProvider("first") { pod in
        started[0].open()
        for gate in started { gate.wait() }
        return try pod.resolve(middle) + pod.resolve(last)
      }
      let results = try await runThreads(6) { try pod.resolve([first, middle, last][$0 % 3]) }
      #expect(results == [3, 2, 1, 3, 2, 1])
    }
  }

  @Test("R12 random threads through an acyclic graph meet no cycle")
  func acyclicGraph() async throws {
    for round in 0..<40 {
      let count = 24
      var providers: [ThrowingProvider<Int>] = []
      for index in 0..<count {
        providers.append(
          ThrowingProvider("\(index)") { [providers] pod in
            for step in [1, 2, 5, 11] where index >= step { _ = try pod.resolve(providers[index - step]) }
            return index
          })
      }
      let pod = Pod()
      let results = try await runThreads(8) { [providers] thread in
        try (0..<count).map { try pod.resolve(providers[($0 * 5 + thread * 7 + round) % count]) }.sorted()
      }
      #expect(results.allSatisfy { $0 == Array(0..<count) })
    }
  }
}
