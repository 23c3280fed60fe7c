import Foundation
import Peapod
import Testing

/// Rule 12: only waiting that can never end is a cycle.
@Suite(.timeLimit(.minutes(20))) struct AsyncFalseCycleTests {
  @Test("R12 a awaits b and c in parallel while b awaits c: no cycle") @MainActor
  func parallel() async throws {
    for _ in 0..<20 {
      let pod = Pod()
      let gate = AsyncGate()
      let bAsks = AsyncGate()
      let c = AsyncProvider { _ in
        await gate.wait()
        return Part("c")
      }
      let b = AsyncProvider { @MainActor pod in
        bAsks.open()
        return Part("b", [try await pod.resolve(c)])
      }
      let a = AsyncProvider { pod in
        async let first = pod.resolve(b)
        async let second = pod.resolve(c)
        return Part("a", [try await first, try await second])
      }
      let task = await begin { try await pod.resolve(a) }
      // On the main actor: once this goes on, b has come to wait for c.
      await bAsks.wait()
      gate.open()
      let seen = try await task.value
      #expect(seen.recipe == "a(b(c),c)")
      #expect(seen.parts[0].parts[0] === seen.parts[1])
    }
  }

  @Test("R12 the same without any order, and with every provider asked from outside too")
  func parallelAtRandom() async throws {
    for _ in 0..<rounds(1_000) {
      let pod = Pod()
      let d = AsyncProvider { _ in
        await Task.yield()
        return 1
      }
      let c = AsyncProvider { try await $0.resolve(d) }
      let b = AsyncProvider { pod in
        async let first = pod.resolve(c)
        async let second = pod.resolve(d)
        return try await first + second
      }
      let a = AsyncProvider { pod in
        async let first = pod.resolve(b)
        async let second = pod.resolve(c)
        async let third = Task { try await pod.resolve(d) }.value
        return try await first + second + third
      }
      async let outside = [pod.resolve(d), pod.resolve(c), pod.resolve(b)]
      #expect(try await pod.resolve(a) == 4)
      #expect(try await outside == [1, 1, 2])
    }
  }

  @Test("R12 child tasks that ask for one and the same provider wait side by side")
  func sameTwice() async throws {
    for _ in 0..<rounds(500) {
      let pod = Pod()
      let built = Counter()
      let c = AsyncProvider { _ in
        built.increment()
        await Task.yield()
        return Part("c")
      }
      let a = AsyncProvider { pod in
        try await withThrowingTaskGroup(of: Part.self) { group in
          for _ in 0..<8 { group.addTask { try await pod.resolve(c) } }
          return Part("a", try await group.reduce(into: []) { $0.append($1) })
        }
      }
      let parts = try await pod.resolve(a).parts
      #expect(parts.allSatisfy { $0 === parts[0] })
      #expect(built.value == 1)
    }
  }

  @Test("R12 R13 a second attempt after a thrown error is no cycle")
  func secondAttempt() async throws {
    struct Boom: Error {}
    let pod = Pod()
    let attempts = Counter()
    let shaky = AsyncProvider { _ in
      if attempts.increment() < 3 { throw Boom() }
      return "at last"
    }
    let patient = AsyncProvider { pod in
      for _ in 0..<5 {
        if let answer = try? await pod.resolve(shaky) { return answer }
      }
      return "never"
    }
    #expect(try await pod.resolve(patient) == "at last")
  }

  @Test("R12 a task that a synchronous build starts waits for that build, through an async provider too")
  func taskOfSynchronousBuild() async throws {
    for _ in 0..<50 {
      let pod = Pod()
      let back = Locked<Provider<Part>?>(nil)
      let started = Locked<Task<Part, any Error>?>(nil)
      let q = AsyncProvider { Part("q", [$0.resolve(back.withLock { $0! })]) }
      let p = Provider { pod in
        started.withLock { $0 = Task { try await pod.resolve(q) } }
        return Part("p")
      }
      back.withLock { $0 = p }
      let seen = pod.resolve(p)
      let late = try #require(started.withLock { $0 })
      #expect(try await late.value.parts[0] === seen)
    }
  }

  @Test("R12 a task that starts at once within a synchronous build waits for that build, through an async provider too")
  func immediateTaskOfSynchronousBuild() async throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let pod = Pod()
    let back = Locked<Provider<Part>?>(nil)
    let started = Locked<Task<Part, any Error>?>(nil)
    let hasBegun = Gate()
    let q = AsyncProvider { pod in
      hasBegun.open()
      return Part("q", [pod.resolve(back.withLock { $0! })])
    }
    let p = Provider { pod in
      started.withLock { $0 = Task.immediate { try await pod.resolve(q) } }
      hasBegun.wait()
      usleep(10_000)
      return Part("p")
    }
    back.withLock { $0 = p }
    let seen = try await blocking { pod.resolve(p) }
    let late = try #require(started.withLock { $0 })
    #expect(try await late.value.parts[0] === seen)
  }

  @Test("R12 a stored async factory may be called after construction, over and over")
  func storedFactory() async throws {
    final class Maker: Sendable {
      let make: @Sendable () async throws -> Maker
      init(_ make: @escaping @Sendable () async throws -> Maker) { self.make = make }
    }
    let back = Locked<AsyncProvider<Maker>?>(nil)
    let maker = AsyncProvider(scope: .alwaysCreateNew) { pod in
      let factory = pod.factory(back.withLock { $0! })
      return Maker { try await factory() }
    }
    back.withLock { $0 = maker }
    var last = try await Pod().resolve(maker)
    for _ in 0..<10 {
      let next = try await last.make()
      #expect(next !== last)
      last = next
    }
  }

  @Test("R12 two pods that each build the same provider at once do not wait for each other")
  func twoPods() async throws {
    let left = Pod("left")
    let right = Pod("right")
    let met = Counter()
    let meeting = AsyncGate()
    let p = AsyncProvider { _ in
      if met.increment() == 2 { meeting.open() }
      await meeting.wait()
      return Part("p")
    }
    async let ofLeft = left.resolve(p)
    async let ofRight = right.resolve(p)
    #expect(try await ofLeft !== ofRight)
  }

  @Test("R6 R12 what a task of a builder resolves after the end of the build is no part of the build")
  func endedBuild() async throws {
    let (begun, isEnded, shares) = (AsyncGate(), AsyncGate(), Counter())
    let task = Locked<Task<Bool, any Error>?>(nil)
    let shared = Provider("shared", scope: .graph) { _ in
      shares.increment()
      return Part("shared")
    }
    let outer = Locked<AsyncProvider<Int>?>(nil)
    let inner = AsyncProvider("inner") { pod in
      begun.open()
      await isEnded.wait()
      _ = try await pod.resolve(outer.withLock { $0! })
      return pod.resolve(shared) === pod.resolve(shared)
    }
    let made = Counter()
    outer.withLock {
      $0 = AsyncProvider("outer") { pod in
        if made.increment() == 1 {
          task.withLock { $0 = Task { try await pod.resolve(inner) } }
          await begun.wait()
        }
        return made.value
      }
    }
    let pod = Pod()
    _ = try await pod.resolve(outer.withLock { $0! })
    pod.clearCachedInstance(of: outer.withLock { $0! })
    isEnded.open()
    let isShared = try await task.withLock { $0! }.value
    #expect(isShared)
    #expect(shares.value == 1)
    #expect(made.value == 2)
  }
}
