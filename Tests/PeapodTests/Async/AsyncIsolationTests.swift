import Peapod
import Testing

/// Rule 14: async functions run in their caller's isolation.
@Suite(.timeLimit(.minutes(20))) struct AsyncIsolationTests {
  private actor Office {
    var visits = 0
    func visit() { visits += 1 }

    /// Resolves a cached instance over and over; returns whether anyone else came in between.
    func isInterrupted(_ pod: Pod, _ p: AsyncProvider<Part>) async throws -> Bool {
      let before = visits
      let visitor = Task { visit() }
      for _ in 0..<1_000 { _ = try await pod.resolve(p) }
      let wasInterrupted = visits != before
      await visitor.value
      return wasInterrupted
    }
  }

  @Test("R14 a cached resolve from the main actor does not leave it") @MainActor
  func mainActorStays() async throws {
    let pod = Pod()
    let p = AsyncProvider { _ in Part("p") }
    _ = try await pod.resolve(p)
    let visits = Counter()
    let visitor = Task { @MainActor in visits.increment() }
    for _ in 0..<1_000 { _ = try await pod.resolve(p) }
    #expect(visits.value == 0)
    _ = await visitor.value
    #expect(visits.value == 1)
  }

  @Test("R14 a cached resolve from an actor does not leave it")
  func actorStays() async throws {
    let pod = Pod()
    let p = AsyncProvider { _ in Part("p") }
    _ = try await pod.resolve(p)
    #expect(try await !Office().isInterrupted(pod, p))
  }

  @Test("R14 R18 a block sets its overrides, runs and ends in its caller's isolation") @MainActor
  func blocksStay() async {
    let log = Log<Bool>()
    let pod = Pod()
    let p = Provider { _ in
      Part("p")
    } onDispose: { _ in
      log.append(MainQueueMark.isCurrent)
    }
    await pod.withOverrides({ _ in log.append(MainQueueMark.isCurrent) }) {
      await Task.yield()
      _ = pod.resolve(p)
      log.append(MainQueueMark.isCurrent)
    }
    await pod.withChild(configure: {
      log.append(MainQueueMark.isCurrent)
      $0.overrideProvider(p) { _ in Part("own") }
    }) { child in
      await Task.yield()
      _ = child.resolve(p)
      log.append(MainQueueMark.isCurrent)
    }
    #expect(log.entries == [true, true, true, true, true, true])
  }

  @Test("R14 an awaiting main-actor caller does not block the main actor") @MainActor
  func mainActorIsFree() async throws {
    let pod = Pod()
    let gate = AsyncGate()
    let p = AsyncProvider { _ in
      await gate.wait()
      return await MainActor.run { Part("p") }
    }
    let waiting = await begin { try await pod.resolve(p) }
    for _ in 0..<100 { await Task { @MainActor in }.value }
    gate.open()
    #expect(try await waiting.value.label == "p")
  }

  @Test("R14 an async builder may belong to the main actor, and a caller from anywhere gets what it makes")
  func mainActorBuilder() async throws {
    @MainActor final class Screen: Sendable {
      let title: String
      init(_ title: String) { self.title = title }
    }
    let pod = Pod()
    let title = MainActorProvider { _ in "title" }
    let screen = AsyncProvider { @MainActor pod in
      MainActor.assertIsolated()
      await Task.yield()
      MainActor.assertIsolated()
      return Screen(pod.resolve(title))
    }
    let seen = try await Task.detached { try await pod.resolve(screen) }.value
    #expect(seen.title == "title")
    #expect(pod.cachedInstance(of: screen) === seen)
  }

  private enum Trace {
    @TaskLocal static var request = "none"
  }

  @Test("R14 task-local values of the first caller are visible in the builder") @MainActor
  func taskLocals() async throws {
    let pod = Pod()
    let gate = AsyncGate()
    let p = AsyncProvider { _ in
      let early = Trace.request
      await gate.wait()
      async let inChild = Trace.request
      return [early, Trace.request, await inChild]
    }
    let first = await begin { try await Trace.$request.withValue("first") { try await pod.resolve(p) } }
    let second = await begin { try await Trace.$request.withValue("second") { try await pod.resolve(p) } }
    gate.open()
    #expect(try await first.value == ["first", "first", "first"])
    #expect(try await second.value == ["first", "first", "first"])
  }

  @Test("R14 the priority of a later and more urgent waiter reaches the build") @MainActor
  func priority() async throws {
    let pod = Pod()
    let gate = AsyncGate()
    let p = AsyncProvider { _ in
      let before = Task.currentPriority
      await gate.wait()
      await eventually("the priority rises") { Task.currentPriority >= .high }
      return [before, Task.currentPriority]
    }
    let patient = Task.detached(priority: .background) { try await pod.resolve(p) }
    await eventually("it builds") { gate.arrived == 1 }
    let urgent = await begin(priority: .high) { try await pod.resolve(p) }
    gate.open()
    let seen = try await urgent.value
    #expect(seen[0] < .high)
    #expect(seen[1] >= .high)
    _ = try await patient.value
  }

  @Test("R14 the priority of a waiter reaches the builds that its build waits for") @MainActor
  func priorityGoesDown() async throws {
    let pod = Pod()
    let gate = AsyncGate()
    let leaf = AsyncProvider { _ in
      await gate.wait()
      await eventually("the priority rises") { Task.currentPriority >= .high }
      return Task.currentPriority
    }
    let top = AsyncProvider { try await $0.resolve(leaf) }
    let patient = Task.detached(priority: .background) { try await pod.resolve(top) }
    await eventually("it builds") { gate.arrived == 1 }
    let urgent = await begin(priority: .high) { try await pod.resolve(top) }
    gate.open()
    #expect(try await urgent.value >= .high)
    _ = try await patient.value
  }
}
