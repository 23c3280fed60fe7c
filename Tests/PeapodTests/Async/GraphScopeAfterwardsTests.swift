import Peapod
import Testing

/// Rules 6 and 27: a graph-scoped instance that is built only when its outermost resolve is over.
@Suite(.timeLimit(.minutes(20))) struct GraphScopeAfterwardsTests {
  @Test("R6 R27 what a task gets when the outermost resolve that asked for it is over is let go")
  func builtAfterwards() async throws {
    let census = Census()
    let disposed = Counter()
    let (begun, goOn) = (AsyncGate(), AsyncGate())
    let late = AsyncProvider(
      scope: .graph,
      { _ in
        begun.open()
        await goOn.wait()
        return Part("late", in: census)
      }, onDispose: { _ in disposed.increment() })
    let leftBehind = Locked<Task<Void, any Error>?>(nil)
    let top = AsyncProvider { pod in
      let task = Task { _ = try await pod.resolve(late) }
      leftBehind.withLock { $0 = task }
      await begun.wait()
      return Part("top")
    }
    do {
      let pod = Pod()
      _ = try await pod.resolve(top)
      goOn.open()
      try await leftBehind.withLock { $0 }?.value
      await pod.shutdown()
    }
    // The hook may still be on its way on the thread that built it.
    for _ in 0..<100_000 where census.alive > 0 { await Task.yield() }
    #expect(census.alive == 0)
    #expect(disposed.value == 1)
  }

  @Test("R6 R27 a graph-scoped instance that a task resolves while the outermost resolve ends is disposed")
  func resolvedAtTheEnd() async throws {
    let (built, disposed) = (Counter(), Counter())
    let late = Provider("late", scope: .graph) { _ in
      built.increment()
      return Part("late")
    } onDispose: { _ in
      disposed.increment()
    }
    let tasks = Locked<Task<Void, Never>?>(nil)
    let pauses = Locked(0)
    let top = AsyncProvider("top", scope: .alwaysCreateNew) { pod in
      let (isOpen, ready, pause) = (Locked(false), Counter(), pauses.withLock { $0 })
      let task = Task {
        ready.increment()
        while !isOpen.withLock({ $0 }) { await Task.yield() }
        for _ in 0..<pause { _ = ready.value }
        withExtendedLifetime(pod.resolve(late)) {}
      }
      tasks.withLock { $0 = task }
      while ready.value == 0 { await Task.yield() }
      isOpen.withLock { $0 = true }
      return 1
    }
    let pod = Pod()
    for round in 0..<rounds(3_000) {
      pauses.withLock { $0 = round % 60 }
      _ = try await pod.resolve(top)
      await tasks.withLock { $0 }?.value
    }
    await eventually("all are disposed") { built.value == disposed.value }
  }

  @Test(
    "R6 R14 a graph-scoped instance stays while a build that uses it has other callers, although the resolve was canceled"
  )
  @MainActor func usedByOthers() async throws {
    let (begun, goOn) = (AsyncGate(), AsyncGate())
    let disposed = Counter()
    let part = Provider("part", scope: .graph, { _ in Part("part") }, onDispose: { _ in disposed.increment() })
    let shared = AsyncProvider("shared") { pod in
      let part = pod.resolve(part)
      begun.open()
      await goOn.wait()
      #expect(disposed.value == 0)
      return Part("shared", [part])
    }
    let top = AsyncProvider("top") { pod in
      _ = pod.resolve(part)
      return try await pod.resolve(shared)
    }
    let pod = Pod()
    let first = Task { try await pod.resolve(top) }
    await begun.wait()
    let second = await begin { try await pod.resolve(shared) }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    goOn.open()
    _ = try await second.value
    await eventually("it is disposed") { disposed.value == 1 }
  }
}
