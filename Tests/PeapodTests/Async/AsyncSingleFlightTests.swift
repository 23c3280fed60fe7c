import Peapod
import Testing

/// Rules 8, 13 and 14: one build for all who ask, and what each of them gets.
@Suite(.timeLimit(.minutes(20))) struct AsyncSingleFlightTests {
  private struct Boom: Error, Equatable { var number: Int }

  @Test("R8 R14 1,000 tasks on a cold async provider build it once")
  func thousandTasks() async throws {
    for _ in 0..<rounds(50) {
      let pod = Pod()
      let built = Counter()
      let started = Counter()
      let gate = AsyncGate()
      let p = AsyncProvider { _ in
        built.increment()
        await gate.wait()
        return Part("p")
      }
      let seen = try await withThrowingTaskGroup(of: Part.self) { group in
        for _ in 0..<1_000 {
          group.addTask {
            started.increment()
            return try await pod.resolve(p)
          }
        }
        await eventually("all started") { started.value == 1_000 }
        gate.open()
        return try await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert(ObjectIdentifier($1)) }
      }
      #expect(built.value == 1)
      #expect(seen.count == 1)
    }
  }

  @Test("R8 R14 threads of the pool that ask without any pause build a whole graph once")
  func graphOnce() async throws {
    for _ in 0..<rounds(300) {
      let pod = Pod()
      let built = Counter()
      let leaf = AsyncProvider { _ in
        built.increment()
        return Part("leaf")
      }
      let left = AsyncProvider { pod in
        built.increment()
        return Part("left", [try await pod.resolve(leaf)])
      }
      let right = AsyncProvider { pod in
        built.increment()
        await Task.yield()
        return Part("right", [try await pod.resolve(leaf)])
      }
      let top = AsyncProvider { pod in
        built.increment()
        async let r = pod.resolve(right)
        return Part("top", [try await pod.resolve(left), try await r])
      }
      let all = [leaf, left, right, top]
      let recipes = try await withThrowingTaskGroup(of: String.self) { group in
        for index in 0..<16 { group.addTask { try await pod.resolve(all[index % 4]).recipe } }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(built.value == 4)
      #expect(recipes == ["leaf", "left(leaf)", "right(leaf)", "top(left(leaf),right(leaf))"])
    }
  }

  @Test("R13 an async error reaches all who waited for that attempt, and is not kept") @MainActor
  func errorReachesAll() async throws {
    let pod = Pod()
    let attempts = Counter()
    let gate = AsyncGate()
    let p = AsyncProvider { _ in
      let number = attempts.increment()
      await gate.wait()
      if number == 1 { throw Boom(number: number) }
      return number
    }
    var waiting: [Task<Int, any Error>] = []
    for _ in 0..<20 { waiting.append(await begin { try await pod.resolve(p) }) }
    gate.open()
    for task in waiting {
      await #expect(throws: Boom(number: 1)) { try await task.value }
    }
    #expect(attempts.value == 1)
    #expect(!pod.isCached(p))
    #expect(try await pod.resolve(p) == 2)
  }

  @Test("R13 a CancellationError that a builder throws of its own is an error like any other") @MainActor
  func ownCancellationError() async throws {
    let pod = Pod()
    let attempts = Counter()
    let gate = AsyncGate()
    let p = AsyncProvider { _ in
      let number = attempts.increment()
      await gate.wait()
      if number == 1 { throw CancellationError() }
      return number
    }
    let first = await begin { try await pod.resolve(p) }
    let second = await begin { try await pod.resolve(p) }
    gate.open()
    await #expect(throws: CancellationError.self) { try await first.value }
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(try await pod.resolve(p) == 2)
  }

  @Test("R13 an error in the depth reaches who waits for each provider above it") @MainActor
  func errorInDepth() async throws {
    let pod = Pod()
    let gate = AsyncGate()
    let fails = Locked(true)
    let leaf = AsyncProvider { _ in
      await gate.wait()
      if fails.withLock({ $0 }) { throw Boom(number: 7) }
      return 1
    }
    let middle = AsyncProvider { try await $0.resolve(leaf) + 1 }
    let top = AsyncProvider { try await $0.resolve(middle) + 1 }
    let brave = AsyncProvider { pod in (try? await pod.resolve(middle)) ?? -1 }
    var waiting: [Task<Int, any Error>] = []
    for p in [top, middle, leaf, top] { waiting.append(await begin { try await pod.resolve(p) }) }
    let fallback = await begin { try await pod.resolve(brave) }
    gate.open()
    for task in waiting {
      await #expect(throws: Boom(number: 7)) { try await task.value }
    }
    #expect(try await fallback.value == -1)
    fails.withLock { $0 = false }
    #expect(try await pod.resolve(top) == 3)
    #expect(try await pod.resolve(brave) == -1)
  }
}
