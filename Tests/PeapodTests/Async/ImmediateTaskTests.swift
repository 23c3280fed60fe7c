import Peapod
import Testing

/// Rule 12: a builder may start a task that begins at once and outlives it.
struct ImmediateTaskTests {
  @Test("R12 R19 a task that a builder began asks again, for itself, when what it waits for becomes a child's")
  func turnedAwayAfterTheBuilder() async throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let population = Population()
    let root = Pod()
    let part = Provider { _ in population.make() }
    let (begun, gate) = (AsyncGate(), AsyncGate())
    let shared = AsyncProvider { pod in
      begun.open()
      await gate.wait()
      return population.make(keeping: [pod.resolve(part)])
    }
    let child = root.makeChild { $0.overrideProvider(part) { _ in population.make() } }
    async let forChild = child.resolve(shared)
    await begun.wait()
    let task = Locked<Task<Tracked, any Error>?>(nil)
    do {
      let starter = Provider { _ in
        task.withLock { $0 = Task.immediate { try await root.resolve(shared) } }
        return 1
      }
      #expect(root.resolve(starter) == 1)
    }
    // What was in the memory of that build is gone.
    for number in 0..<16 {
      let other = Provider { _ in number }
      #expect(root.resolve(other) == number)
    }
    gate.open()
    let ofChild = try await forChild
    let ofRoot = try await #require(task.withLock { $0 }).value
    #expect(ofChild !== ofRoot)
    #expect(population.made == 4)
  }
}
