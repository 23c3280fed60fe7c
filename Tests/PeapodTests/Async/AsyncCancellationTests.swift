import Peapod
import Testing

/// Rule 14: who is cancelled leaves at once; a build that no one waits for is cancelled.
@Suite(.timeLimit(.minutes(20))) @MainActor struct AsyncCancellationTests {
  /// A provider whose builds wait at a gate that a cancelled task leaves.
  private struct Gated: Sendable {
    let pod = Pod()
    let gate = Turnstile()
    let built = Counter()
    let ended = Log<String>()
    let p: AsyncProvider<Part>

    init(scope: some ProviderScope = SingletonScope()) {
      let (gate, built, ended) = (gate, built, ended)
      p = AsyncProvider(scope: scope) { _ in
        built.increment()
        do {
          try await gate.pass()
        } catch {
          ended.append(Task.isCancelled ? "cancelled" : "odd")
          throw error
        }
        ended.append("done")
        return Part("p")
      }
    }

    @MainActor func ask() async -> Task<Part, any Error> {
      await begin { [pod, p] in try await pod.resolve(p) }
    }
  }

  @Test(
    "R14 cancelling any caller but the last leaves the build alone",
    arguments: [[0], [1], [2], [0, 1], [2, 0], [1, 2]])
  func cancelSome(_ victims: [Int]) async throws {
    let gated = Gated()
    var callers: [Task<Part, any Error>] = []
    for _ in 0..<3 { callers.append(await gated.ask()) }
    await eventually("it builds") { gated.gate.arrived == 1 }
    for victim in victims {
      callers[victim].cancel()
      // The gate is closed: the caller gets its error while the build goes on.
      await #expect(throws: CancellationError.self) { try await callers[victim].value }
    }
    #expect(gated.ended.entries.isEmpty)
    gated.gate.open()
    let kept = try await gated.pod.resolve(gated.p)
    for index in 0..<3 where !victims.contains(index) {
      #expect(try await callers[index].value === kept)
    }
    #expect(gated.built.value == 1)
    #expect(gated.ended.entries == ["done"])
  }

  @Test("R14 cancelling all cancels the build, and the next resolve builds anew", arguments: [1, 2, 5])
  func cancelAll(_ count: Int) async throws {
    let gated = Gated()
    var callers: [Task<Part, any Error>] = []
    for _ in 0..<count { callers.append(await gated.ask()) }
    await eventually("it builds") { gated.gate.arrived == 1 }
    for caller in callers { caller.cancel() }
    for caller in callers {
      await #expect(throws: CancellationError.self) { try await caller.value }
    }
    await eventually("the build ends") { gated.ended.entries == ["cancelled"] }
    #expect(!gated.pod.isCached(gated.p))
    let next = await gated.ask()
    gated.gate.open()
    #expect(try await next.value.label == "p")
    #expect(gated.built.value == 2)
  }

  @Test("R14 a new build does not wait for a cancelled one that will not end, and what that makes is disposed")
  func cancelledBuildIgnoresIt() async throws {
    let pod = Pod()
    let census = Census()
    let log = Log<String>()
    let built = Counter()
    let slow = AsyncGate()
    let p = AsyncProvider { _ in
      let number = built.increment()
      if number == 1 { await slow.wait() }
      return Part("\(number)", in: census)
    } onDispose: {
      log.append($0.label)
    }
    let first = await begin { try await pod.resolve(p) }
    await eventually("it builds") { slow.arrived == 1 }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    let second = try await pod.resolve(p)
    #expect(second.label == "2")
    slow.open()
    await eventually("the first is disposed") { log.entries == ["1"] }
    await eventually("the first goes") { census.alive == 1 }
    #expect(try await pod.resolve(p) === second)
  }

  @Test("R14 who joins after a cancelled caller keeps the build going")
  func joinAfterCancel() async throws {
    let gated = Gated()
    let first = await gated.ask()
    await eventually("it builds") { gated.gate.arrived == 1 }
    let second = await gated.ask()
    first.cancel()
    _ = await first.result
    let third = await gated.ask()
    second.cancel()
    _ = await second.result
    gated.gate.open()
    #expect(try await third.value.label == "p")
    #expect(gated.built.value == 1)
  }

  @Test("R14 a task cancelled beforehand still gets a cached value, and starts no build")
  func cancelledBeforehand() async throws {
    let gated = Gated()
    let cold = Task { @MainActor in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await gated.pod.resolve(gated.p)
    }
    await #expect(throws: CancellationError.self) { try await cold.value }
    #expect(!gated.pod.isCached(gated.p))
    gated.gate.open()
    let cached = try await gated.pod.resolve(gated.p)
    let late = Task { @MainActor in
      withUnsafeCurrentTask { $0?.cancel() }
      return [try await gated.pod.resolve(gated.p), gated.pod.cachedInstance(of: gated.p)]
    }
    #expect(try await late.value.allSatisfy { $0 === cached })
  }

  @Test("R14 cancelling goes down to what the build itself waits for, unless someone else does")
  func cancelGoesDown() async throws {
    let gated = Gated()
    let top = AsyncProvider { Part("top", [try await $0.resolve(gated.p)]) }
    let alone = await begin { try await gated.pod.resolve(top) }
    await eventually("it builds") { gated.gate.arrived == 1 }
    alone.cancel()
    await #expect(throws: CancellationError.self) { try await alone.value }
    await eventually("the lower build ends") { gated.ended.entries == ["cancelled"] }

    let above = await begin { try await gated.pod.resolve(top) }
    await eventually("it builds again") { gated.gate.arrived == 2 }
    let beside = await gated.ask()
    above.cancel()
    await #expect(throws: CancellationError.self) { try await above.value }
    gated.gate.open()
    #expect(try await beside.value.label == "p")
    #expect(gated.ended.entries == ["cancelled", "done"])
  }

  @Test("R14 a handler of a canceled builder may cancel another caller, and wait for its build")
  func handlerWaits() async throws {
    let (first, second, isSecondCanceled) = (AsyncGate(), AsyncGate(), Counter())
    let inner = AsyncProvider { _ in
      await withTaskCancellationHandler {
        await second.wait()
      } onCancel: {
        isSecondCanceled.increment()
      }
      return 1
    }
    let pod = Pod()
    let other = await begin { try await pod.resolve(inner) }
    await eventually("the other builds") { second.arrived == 1 }
    let outer = AsyncProvider { _ in
      await withTaskCancellationHandler {
        await first.wait()
      } onCancel: {
        other.cancel()
        #expect(isSecondCanceled.value == 1)
      }
      return 1
    }
    let caller = await begin { try await pod.resolve(outer) }
    await eventually("it builds") { first.arrived == 1 }
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
    await #expect(throws: CancellationError.self) { try await other.value }
    await eventually("the handler runs") { isSecondCanceled.value == 1 }
    first.open()
    second.open()
  }

  @Test("R3 R14 a caller of a provider that always creates is cancelled with its own build alone")
  func transient() async throws {
    let gated = Gated(scope: .alwaysCreateNew)
    let first = await gated.ask()
    let second = await gated.ask()
    await eventually("both build") { gated.gate.arrived == 2 }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    await eventually("one ends") { gated.ended.entries == ["cancelled"] }
    gated.gate.open()
    #expect(try await second.value.label == "p")
  }

  @Test("R14 a waiter in a task group that is cancelled leaves without the others")
  func taskGroup() async throws {
    let gated = Gated()
    let outside = await gated.ask()
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<10 {
        group.addTask { [gated] in
          do {
            _ = try await gated.pod.resolve(gated.p)
            return false
          } catch {
            return error is CancellationError
          }
        }
      }
      group.cancelAll()
      for await wasCancelled in group { #expect(wasCancelled) }
    }
    gated.gate.open()
    #expect(try await outside.value.label == "p")
    #expect(gated.built.value == 1)
  }

  @Test("R14 callers that come and are cancelled at random never break the count of builds")
  func randomCancels() async throws {
    for _ in 0..<rounds(300) {
      let pod = Pod()
      let running = Counter()
      let ended = Counter()
      let p = AsyncProvider(scope: OwnedScope()) { _ in
        running.increment()
        defer { ended.increment() }
        for _ in 0..<5 {
          try Task.checkCancellation()
          await Task.yield()
        }
        return Part("p")
      }
      let tasks = (0..<8).map { _ in
        Task.detached { try await pod.resolve(p) }
      }
      for (index, task) in tasks.enumerated() where index.isMultiple(of: 2) {
        await Task.yield()
        task.cancel()
      }
      var seen: Set<ObjectIdentifier> = []
      var parts: [Part] = []
      for (index, task) in tasks.enumerated() {
        switch await task.result {
        case .success(let part):
          parts.append(part)
          seen.insert(ObjectIdentifier(part))
        case .failure(let error):
          #expect(error is CancellationError)
          #expect(index.isMultiple(of: 2), "a caller that nobody cancelled failed")
        }
      }
      #expect(seen.count == 1)
      #expect(try await pod.resolve(p) === parts[0])
      await eventually("every build ends") { running.value == ended.value }
    }
  }
}
