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
}
