import Peapod
import Synchronization
import Testing

/// Many threads and tasks on one graph, where no order can be foretold: what must hold whatever the interleaving.
@Suite(.timeLimit(.minutes(30))) struct StormTests {
  private static let threads = 4
  private static let tasks = 3

  @Test(
    "R8 to R27 whatever the interleaving: right answers, hooks once and not too early, nothing alive at the end",
    arguments: [false, true])
  func storm(failsAtTimes: Bool) async throws {
    let seed = ModelTests.seed
    let acts = ModelTests.operations / 20
    print("storm: PEAPOD_MODEL_SEED=\(seed) PEAPOD_MODEL_OPERATIONS=\(acts * 20)")
    var generator = SplitMix64(seed: UInt64(seed))
    var left = acts
    while left > 0 {
      let round = 50
      left -= round * (Self.threads + Self.tasks)
      let storm = Storm(leafCount: Self.threads + Self.tasks, failsAtTimes: failsAtTimes, using: &generator)
      try await rage(storm, acts: round, seed: generator.next())
      guard storm.ledger.problems.entries.isEmpty else {
        Issue.record("PEAPOD_MODEL_SEED=\(seed): \(storm.ledger.problems.entries.prefix(10).joined(separator: "\n"))")
        return
      }
    }
  }

  private func rage(_ storm: Storm, acts: Int, seed: UInt64) async throws {
    let ledger = storm.ledger
    do {
      let root = Pod("root")
      async let threads: [Void] = runThreads(Self.threads) { worker in
        var generator = SplitMix64(seed: seed &+ UInt64(worker))
        var override: Int?
        for _ in 0..<acts { storm.act(as: worker, in: root, &override, &generator) }
      }
      await withTaskGroup { group in
        for worker in Self.threads..<Self.threads + Self.tasks {
          group.addTask {
            var generator = SplitMix64(seed: seed &+ UInt64(worker))
            var override: Int?
            for _ in 0..<acts { await storm.act(asTask: worker, in: root, &override, &generator) }
          }
        }
      }
      _ = try await threads
    }
    await eventually("all instances go") { ledger.live.load(ordering: .relaxed) == 0 }
    let counts = (ledger.hooked.load(ordering: .relaxed), ledger.disposed.load(ordering: .relaxed))
    #expect(counts.0 == counts.1, "instances with a hook, and hooks that ran")
  }

  @Test("R8 R19 in a calm, what is kept is built exactly once, whoever asks, in roots and children")
  func calm() async throws {
    let seed = ModelTests.seed
    var generator = SplitMix64(seed: UInt64(seed))
    for _ in 0..<max(1, ModelTests.operations / 2_000) {
      let storm = Storm(leafCount: 3, failsAtTimes: false, using: &generator)
      let root = Pod("root")
      let child = root.makeChild("child", owning: [ScopeChoice.inner.scope]) { child in
        child.overrideProvider(storm.leaves[0]) { _ in StormItem("leaf 0", leaf: 0, in: storm.ledger) }
      }
      let lowest = child.makeChild("lowest") { lowest in
        lowest.overrideProvider(
          storm.leaves[1], withValue: StormItem("value", leaf: 1, isValue: true, in: storm.ledger))
      }
      let pods = [root, child, lowest]
      let seen = try await askAll(storm, pods, seed: generator.next())
      for (question, serials) in seen where Set(serials).count != 1 {
        Issue.record("PEAPOD_MODEL_SEED=\(seed): \(question) was answered by \(Set(serials))")
        return
      }
      #expect(storm.ledger.problems.entries == [])
      #expect(storm.ledger.disposedKept.entries == [], "what was built is kept")
    }
  }

  /// Asks for everything that is kept, in each pod, from threads and tasks at once.
  private func askAll(_ storm: Storm, _ pods: [Pod], seed: UInt64) async throws -> [String: [Int]] {
    let answers = Log(of: (question: String, serial: Int).self)
    let kept = storm.middles.filter(\.scope.keeps).map(\.provided)
    async let threads: [Void] = runThreads(4) { worker in
      var generator = SplitMix64(seed: seed &+ UInt64(worker))
      for provided in kept.shuffled(using: &generator) {
        for pod in pods.shuffled(using: &generator) {
          let item: StormItem? =
            switch provided {
            case .plain(let provider): pod.resolve(provider)
            case .throwing(let provider): try pod.resolve(provider)
            case .async: nil
            }
          if let item { answers.append(("\(item.name) in \(pod.name)", item.serial)) }
        }
      }
    }
    try await withThrowingTaskGroup { group in
      for worker in 4..<8 {
        group.addTask {
          var generator = SplitMix64(seed: seed &+ UInt64(worker))
          for case .async(let provider) in kept.shuffled(using: &generator) {
            for pod in pods.shuffled(using: &generator) {
              let item = try await pod.resolve(provider)
              answers.append(("\(item.name) in \(pod.name)", item.serial))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    _ = try await threads
    return Dictionary(grouping: answers.entries, by: \.question).mapValues { $0.map(\.serial) }
  }
}
