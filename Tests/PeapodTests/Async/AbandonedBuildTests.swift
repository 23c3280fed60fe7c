import Testing

@testable import Peapod

/// Rules 8 and 14: an async build for which no caller waits any longer.
@Suite(.timeLimit(.minutes(20))) struct AbandonedBuildTests {
  private actor Place {
    func visit() {}

    /// Resolves, is canceled, and resolves again while the canceled build needs this actor.
    func resolveAgain<Value>(_ provider: AsyncProvider<Value>, in pod: Pod, _ begun: AsyncGate) async throws -> Value {
      let first = Task { try await pod.resolve(provider) }
      await begun.wait()
      first.cancel()
      _ = await first.result
      return try await pod.resolve(provider)
    }
  }

  @Test("R6 R14 a graph-scoped provider is built again while its canceled build runs on")
  func graphScoped() async {
    let (place, begun, canceled) = (Place(), AsyncGate(), AsyncGate())
    let (builds, ends) = (Counter(), Counter())
    let shared = AsyncProvider("shared", scope: .graph) { _ in
      let number = builds.increment()
      if number == 1 {
        begun.open()
        await canceled.wait()
        await place.visit()
      } else {
        canceled.open()
      }
      return number
    }
    let outer = AsyncProvider("outer") { pod in try await place.resolveAgain(shared, in: pod, begun) }
    let pod = Pod()
    Task.detached {
      let number = try await pod.resolve(outer)
      #expect(number == 2)
      ends.increment()
    }
    await eventually("the second build ends") { ends.value == 1 }
  }

  @Test("R6 R14 a resolve does not get the instance of a canceled build that ends anyway")
  func graphScopedEndsAnyway() async throws {
    let (begun, canceled) = (AsyncGate(), AsyncGate())
    let builds = Counter()
    let shared = AsyncProvider("shared", scope: .graph) { _ in
      let number = builds.increment()
      if number == 1 {
        begun.open()
        await canceled.wait()
      }
      return number
    }
    let outer = AsyncProvider("outer") { pod in
      let first = Task { try await pod.resolve(shared) }
      await begun.wait()
      first.cancel()
      _ = await first.result
      var numbers = [try await pod.resolve(shared)]
      canceled.open()
      for _ in 0..<100 { await Task.yield() }
      numbers.append(try await pod.resolve(shared))
      return numbers
    }
    #expect(try await Pod().resolve(outer) == [2, 2])
  }

  @Test("R14 a build is canceled when its last waiter is dismissed")
  func lastWaiterDismissed() async throws {
    let user = Provider("user") { _ in "root" }
    let (reached, goOn) = (AsyncGate(), AsyncGate())
    let (builds, cancellations) = (Counter(), Counter())
    let greeting = AsyncProvider("greeting") { pod in
      let isFirst = builds.increment() == 1
      if isFirst {
        reached.open()
        await goOn.wait()
      }
      let name = pod.resolve(user)
      if isFirst {
        while !Task.isCancelled { await Task.yield() }
        cancellations.increment()
      }
      return name
    }
    let root = Pod("root")
    let child = root.makeChild("child") { $0.overrideProvider(user, withValue: "child") }
    let first = Task.detached { try await child.resolve(greeting) }
    await reached.wait()
    let second = Task.detached { try await root.resolve(greeting) }
    await eventually("both wait") { root.waiterCount(of: greeting) == 2 }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    // The build moves to the child, where the root cannot wait for it.
    goOn.open()
    #expect(try await second.value == "root")
    await eventually("the first build is canceled") { cancellations.value == 1 }
    #expect(builds.value == 2)
  }

  @Test("R8 R14 a caller that joins while the other caller is canceled gets an instance that stays cached")
  func joinedMeanwhile() async throws {
    for round in 0..<rounds(2_000) {
      let pod = Pod()
      let (isOpen, goesOn) = (Locked(false), Locked(false))
      let (begun, ready) = (Counter(), Counter())
      let provider = AsyncProvider { _ in
        begun.increment()
        while !goesOn.withLock({ $0 }), !Task.isCancelled { await Task.yield() }
        return Part("part")
      }
      let first = Task.detached { try await pod.resolve(provider) }
      while begun.value == 0 { await Task.yield() }
      let second = Task.detached {
        ready.increment()
        while !isOpen.withLock({ $0 }) { await Task.yield() }
        return try await pod.resolve(provider)
      }
      while ready.value == 0 { await Task.yield() }
      isOpen.withLock { $0 = true }
      for _ in 0..<round % 40 { _ = ready.value }
      first.cancel()
      goesOn.withLock { $0 = true }
      let part = try await second.value
      _ = await first.result
      try #require(pod.cachedInstance(of: provider) === part, "round \(round)")
    }
  }
}
