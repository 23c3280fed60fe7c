import Peapod
import Testing

/// Rule 12 for async providers: a cycle through `await` is an error with its path, and nothing else is one.
@Suite(.timeLimit(.minutes(20))) struct AsyncCycleTests {
  /// Ways in which a builder can ask for another provider and await the answer.
  enum Way: String, CaseIterable, Sendable {
    case directly, asyncLet, taskGroup, task, nestedTask, factory, onMainActor

    func ask(_ pod: Pod, for provider: AsyncProvider<Int>) async throws -> Int {
      switch self {
      case .directly:
        return try await pod.resolve(provider)
      case .asyncLet:
        async let answer = pod.resolve(provider)
        return try await answer
      case .taskGroup:
        return try await withThrowingTaskGroup(of: Int.self) { group in
          group.addTask { try await pod.resolve(provider) }
          group.addTask { 0 }
          return try await group.reduce(0, +)
        }
      case .task:
        return try await Task { try await pod.resolve(provider) }.value
      case .nestedTask:
        return try await Task {
          async let answer = Task { try await pod.resolve(provider) }.value
          return try await answer
        }.value
      case .factory:
        return try await pod.factory(provider)()
      case .onMainActor:
        return try await Task { @MainActor in try await pod.resolve(provider) }.value
      }
    }
  }

  /// Providers `p0` to `p<count - 1>`, each asking the next one and the last one asking the first.
  private func ring(_ count: Int, _ way: Way = .directly, meeting: AsyncGate? = nil, met: Counter? = nil)
    -> [AsyncProvider<Int>]
  {
    let all = Locked<[AsyncProvider<Int>]>([])
    let providers = (0..<count).map { index in
      AsyncProvider("p\(index)") { pod in
        if let meeting, let met {
          if met.increment() == count { meeting.open() }
          await meeting.wait()
        }
        let next = all.withLock { $0[(index + 1) % count] }
        return try await way.ask(pod, for: next) + 1
      }
    }
    all.withLock { $0 = providers }
    return providers
  }

  private func check(_ error: ProviderCycleError, isRingOf count: Int, _ location: SourceLocation = #_sourceLocation) {
    let names = error.path.map(\.name)
    #expect(names.first == names.last, sourceLocation: location)
    #expect(names.count == count + 1, sourceLocation: location)
    let start = names.first.flatMap { Int($0.dropFirst()) } ?? 0
    #expect(names == (0...count).map { "p\((start + $0) % count)" }, sourceLocation: location)
    for name in names { #expect(error.description.contains(name), sourceLocation: location) }
    #expect(error.description.contains("AsyncCycleTests.swift:"), sourceLocation: location)
    #expect(error.description.contains("lazy") && error.description.contains("factory"), sourceLocation: location)
  }

  @Test(
    "R12 a cycle through await is thrown with its path, however the builder asks", arguments: Way.allCases, [1, 2, 3])
  func ways(_ way: Way, _ count: Int) async throws {
    let pod = Pod()
    let providers = ring(count, way)
    for provider in providers {
      let error = try #require(await cycle { try await pod.resolve(provider) })
      check(error, isRingOf: count)
      #expect(!pod.isCached(provider))
    }
  }

  @Test("R12 a cycle is an error for all who wait for one of its providers") @MainActor
  func forAll() async throws {
    let pod = Pod()
    let gate = AsyncGate()
    let first = Locked<AsyncProvider<Int>?>(nil)
    let second = AsyncProvider("p1") { pod in
      await gate.wait()
      return try await pod.resolve(first.withLock { $0! })
    }
    let provider = AsyncProvider("p0") { try await $0.resolve(second) }
    first.withLock { $0 = provider }
    let above = AsyncProvider("above") { try await $0.resolve(provider) }
    var waiting: [Task<Int, any Error>] = []
    for p in [provider, second, above, provider, second, above] {
      waiting.append(await begin { try await pod.resolve(p) })
    }
    gate.open()
    for task in waiting {
      let error = try #require(await cycle { try await task.value })
      check(error, isRingOf: 2)
    }
  }

  @Test("R12 tasks that enter a cycle from opposite ends all end with the error", arguments: [2, 3, 5])
  func oppositeEnds(_ count: Int) async throws {
    for _ in 0..<50 {
      let pod = Pod()
      let meeting = AsyncGate()
      let providers = ring(count, meeting: meeting, met: Counter())
      await withTaskGroup(of: ProviderCycleError?.self) { group in
        for provider in providers {
          group.addTask { await cycle { try await pod.resolve(provider) } }
        }
        for await error in group {
          #expect(error != nil)
          if let error { check(error, isRingOf: count) }
        }
      }
    }
  }

  @Test("R12 a cycle across two pods and across a family is found")
  func acrossPodsAndFamilies() async throws {
    let left = Pod("left")
    let right = Pod("right")
    let back = Locked<AsyncProvider<Int>?>(nil)
    let second = AsyncProvider("p1") { _ in try await left.resolve(back.withLock { $0! }) }
    let first = AsyncProvider("p0") { _ in try await right.resolve(second) }
    back.withLock { $0 = first }
    check(try #require(await cycle { try await left.resolve(first) }), isRingOf: 2)
    check(try #require(await cycle { try await right.resolve(second) }), isRingOf: 2)

    let step = Locked<ProviderFamily<AsyncProvider<Int>, Int>?>(nil)
    let family = AsyncProvider<Int>.family("step") { (pod: Pod, number: Int) in
      try await pod.resolve(step.withLock { $0! }((number + 1) % 3))
    }
    step.withLock { $0 = family }
    let error = try #require(await cycle { try await left.resolve(family(0)) })
    #expect(error.path.count == 4)
    #expect(error.path.first == error.path.last)
  }

  @Test("R12 a task that a build starts and does not await is refused its own chain, and the build ends well")
  func unawaitedTask() async throws {
    let pod = Pod()
    let back = Locked<AsyncProvider<Int>?>(nil)
    let refused = Locked<ProviderCycleError?>(nil)
    let done = AsyncGate()
    let p = AsyncProvider("p0") { pod in
      Task {
        let error = await cycle { try await pod.resolve(back.withLock { $0! }) }
        refused.withLock { $0 = error }
        done.open()
      }
      await done.wait()
      return 1
    }
    back.withLock { $0 = p }
    #expect(try await pod.resolve(p) == 1)
    check(try #require(refused.withLock { $0 }), isRingOf: 1)
  }

  @Test("R12 what a build leaves behind may ask for it once the build is over")
  func afterConstruction() async throws {
    let pod = Pod()
    let back = Locked<AsyncProvider<@Sendable () async throws -> Int>?>(nil)
    let go = AsyncGate()
    let late = Locked<Task<Int, any Error>?>(nil)
    let answer = Provider { _ in 42 }
    let p = AsyncProvider<@Sendable () async throws -> Int> { pod in
      let task = Task {
        await go.wait()
        return try await pod.resolve(back.withLock { $0! })()
      }
      late.withLock { $0 = task }
      return { pod.resolve(answer) }
    }
    back.withLock { $0 = p }
    _ = try await pod.resolve(p)
    go.open()
    #expect(try await late.withLock { $0 }?.value == 42)
  }

  @Test("R12 a builder that catches the cycle error may go on, and so may those above it")
  func caught() async throws {
    let pod = Pod()
    let back = Locked<AsyncProvider<Int>?>(nil)
    let brave = AsyncProvider("p1") { pod in
      let error = await cycle { try await pod.resolve(back.withLock { $0! }) }
      return error == nil ? 0 : 10
    }
    let first = AsyncProvider("p0") { try await $0.resolve(brave) + 1 }
    back.withLock { $0 = first }
    #expect(try await pod.resolve(first) == 11)
  }

  /// Ways in which an async builder awaits the disposal of an instance.
  enum Ending: CaseIterable { case child, overrideScope, shutdown, fresh }

  @Test(
    "R12 a disposal closure that the builder awaits, and that asks for the builder's provider, is a cycle",
    arguments: Ending.allCases)
  func awaitedDisposal(_ ending: Ending) async throws {
    let pod = Pod("root")
    let errors = Log<String>()
    let whole = Locked<AsyncProvider<Int>?>(nil)
    let part = AsyncProvider("part", scope: OwnedScope()) { _ in
      1
    } onDispose: { _ in
      do { _ = try await pod.resolve(whole.withLock { $0 }!) } catch { errors.append("\(type(of: error))") }
    }
    let provider = AsyncProvider("whole") { pod in
      switch ending {
      case .child: return try await pod.withChild(owning: [OwnedScope()]) { try await $0.resolve(part) }
      case .overrideScope: return try await pod.withOverrides({ _ in }) { try await pod.resolve(part) }
      case .fresh: return try await pod.withFreshInstance(of: part) { $0 }
      case .shutdown:
        let value = try await pod.resolve(part)
        await pod.shutdown(scope: OwnedScope())
        return value
      }
    }
    whole.withLock { $0 = provider }
    #expect(try await pod.resolve(provider) == 1)
    #expect(errors.entries.contains("ProviderCycleError"))
    whole.withLock { $0 = nil }
  }
}

/// Returns the cycle error that an operation throws, or nil where it throws something else or nothing.
private nonisolated(nonsending) func cycle(_ operation: () async throws -> some Sendable) async -> ProviderCycleError? {
  do {
    _ = try await operation()
    return nil
  } catch {
    return error as? ProviderCycleError
  }
}
