import Peapod
import Testing

@Suite("R33: prepare that fails")
struct PrepareFailureTests {
  private struct Refused: Error, Equatable { var reason = "refused" }

  /// Prepares one provider, and returns the error.
  private func failure(of provider: some ProviderProtocol, in pod: Pod = Pod()) async -> PreparationError? {
    do {
      try await pod.prepare(provider)
      return nil
    } catch { return error as? PreparationError }
  }

  /// A provider whose builder ends only when it is canceled.
  private func declareEndless(_ started: AsyncGate, _ canceled: AsyncGate) -> AsyncProvider<Int> {
    AsyncProvider("endless") { _ in
      started.open()
      await withTaskCancellationHandler {
        await canceled.wait()
      } onCancel: {
        canceled.open()
      }
      try Task.checkCancellation()
      return 1
    }
  }

  @Test("R33 The error names the provider whose builder threw, a dependency of any kind")
  func dependency() async throws {
    let base = ThrowingProvider<Int>("base") { _ in throw Refused() }
    let middle = AsyncProvider("middle") { pod in try pod.resolve(base) }
    let top = AsyncProvider("top") { pod in
      async let value = pod.resolve(middle)
      return try await value
    }
    let error = try #require(await failure(of: top))
    #expect(error.provider.name == "base")
    #expect(error.underlyingError as? Refused == Refused())
    #expect(error.description.contains("base") && error.description.contains("PrepareFailureTests.swift:"))
    #expect(await failure(of: base)?.provider.name == "base")
  }

  @Test("R33 A transient that was recorded before is named too")
  func transient() async throws {
    let fails = Locked(false)
    let base = ThrowingProvider("base", scope: .alwaysCreateNew) { _ in
      if fails.withLock({ $0 }) { throw Refused() }
      return 1
    }
    let top = AsyncProvider("top", scope: .alwaysCreateNew) { pod in try pod.resolve(base) }
    let pod = Pod()
    _ = try await (pod.resolve(top), pod.resolve(top), pod.resolve(base))
    fails.withLock { $0 = true }
    #expect(await failure(of: top, in: pod)?.provider.name == "base")
    #expect(await failure(of: base, in: pod)?.provider.name == "base")
  }

  @Test("R33 A builder that replaces an error, or fails after one that it handled, is named itself")
  func replacedError() async throws {
    let base = ThrowingProvider<Int>("base") { _ in throw Refused() }
    let wrapping = AsyncProvider<Int>("wrapping") { pod in
      do { return try pod.resolve(base) } catch { throw Refused(reason: "wrapped") }
    }
    let late = AsyncProvider<Int>("late") { pod in
      _ = try? pod.resolve(base)
      throw Refused(reason: "late")
    }
    #expect(await failure(of: wrapping)?.provider.name == "wrapping")
    #expect(await failure(of: late)?.provider.name == "late")
  }

  @Test("R33 A builder that throws the first of several errors is not named, but the builder of this error")
  func earlierError() async throws {
    let first = ThrowingProvider<Int>("first") { _ in throw Refused(reason: "first") }
    let second = ThrowingProvider<Int>("second") { _ in throw Refused(reason: "second") }
    let top = AsyncProvider<Int>("top") { pod in
      do { return try pod.resolve(first) } catch {
        _ = try? pod.resolve(second)
        throw error
      }
    }
    #expect(await failure(of: top)?.provider.name == "first")
  }

  @Test("R33 Of two builders that throw the same error, the one whose error is thrown on is named")
  func sharedError() async throws {
    let shared: any Error = Refused(reason: "shared")
    let first = ThrowingProvider<Int>("first") { _ in throw shared }
    let second = ThrowingProvider<Int>("second") { _ in throw shared }
    let top = AsyncProvider<Int>("top") { pod in
      _ = try? pod.resolve(first)
      return try pod.resolve(second)
    }
    #expect(await failure(of: top)?.provider.name == "second")
  }

  @Test("R33 The builder is named although another caller began the build")
  func begunElsewhere() async throws {
    let gate = AsyncGate()
    let base = AsyncProvider<Int>("base") { _ in
      await gate.wait()
      throw Refused()
    }
    let top = AsyncProvider("top") { pod in try await pod.resolve(base) }
    let pod = Pod()
    let other = Task { try await pod.resolve(top) }
    await eventually("the base is being built") { gate.arrived == 1 }
    async let error = failure(of: top, in: pod)
    for _ in 0..<100 { await Task.yield() }
    gate.open()
    #expect(await error?.provider.name == "base")
    await #expect(throws: Refused.self) { try await other.value }
  }

  @Test("R33 The first failure cancels the other requests, and built instances stay")
  func cancelsOthers() async throws {
    let (started, canceled) = (AsyncGate(), AsyncGate())
    let endless = declareEndless(started, canceled)
    let quick = Provider("quick") { _ in 1 }
    let failing = AsyncProvider<Int>("failing") { pod in
      _ = pod.resolve(quick)
      await started.wait()
      throw Refused()
    }
    let pod = Pod()
    let error = await #expect(throws: PreparationError.self) { try await pod.prepare(endless, quick, failing) }
    #expect(error?.provider.name == "failing")
    await canceled.wait()
    #expect(pod.isCached(quick) && !pod.isCached(endless) && !pod.isCached(failing))
  }

  @Test("R33 After a failure no main-actor builder begins, also if it waited for the main actor until then")
  func beginsNothingOnMain() async throws {
    let (blocked, started, canceled, free) = (AsyncGate(), AsyncGate(), AsyncGate(), Gate())
    let builds = Counter()
    let menu = MainActorProvider("menu") { _ in builds.increment() }
    let endless = declareEndless(started, canceled)
    let failing = AsyncProvider<Int>("failing") { _ in
      // Meanwhile, the request for the menu comes to wait for the main actor.
      try await Task.sleep(for: .milliseconds(20))
      throw Refused()
    }
    let main = Task { @MainActor in
      blocked.open()
      free.wait()
    }
    await blocked.wait()
    let opener = Task {
      await canceled.wait()
      try await Task.sleep(for: .milliseconds(20))
      free.open()
    }
    await #expect(throws: PreparationError.self) { try await Pod().prepare(failing, menu, endless) }
    try await opener.value
    await main.value
    #expect(builds.value == 0)
  }

  @Test("R33 A build that another caller waits for continues")
  func otherCallersContinue() async throws {
    let gate = AsyncGate()
    let shared = AsyncProvider("shared") { _ in
      await gate.wait()
      try Task.checkCancellation()
      return 7
    }
    let failing = AsyncProvider<Int>("failing") { _ in throw Refused() }
    let pod = Pod()
    let other = Task { try await pod.resolve(shared) }
    await eventually("the build runs") { gate.arrived == 1 }
    await #expect(throws: PreparationError.self) { try await pod.prepare(shared, failing) }
    gate.open()
    #expect(try await other.value == 7)
  }

  @Test("R33 A canceled caller receives CancellationError, while the builder may go on")
  func canceledCaller() async throws {
    let gate = AsyncGate()
    let provider = AsyncProvider("waiting") { _ in
      await gate.wait()
      return 1
    }
    let pod = Pod()
    let task = Task { try await pod.prepare(provider) }
    await eventually("the build runs") { gate.arrived == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    gate.open()
  }

  @Test("R33 A canceled task begins no builder of any kind")
  func canceledBefore() async throws {
    let builds = Counter()
    let plain = Provider { _ in builds.increment() }
    let async = AsyncProvider { _ in builds.increment() }
    let onMain = MainActorProvider { _ in builds.increment() }
    let pod = Pod()
    let gate = AsyncGate()
    let task = Task {
      await gate.wait()
      try await pod.prepare(plain, async, onMain)
    }
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(builds.value == 0)
  }

  @Test("R33 A builder's own CancellationError is its failure")
  func ownCancellation() async throws {
    let provider = AsyncProvider<Int>("strange") { _ in throw CancellationError() }
    #expect(await failure(of: provider)?.provider.name == "strange")
  }

  @Test("R33 After a failure the next call tries again")
  func again() async throws {
    let attempts = Counter()
    let provider = ThrowingProvider("second") { _ in
      if attempts.increment() == 1 { throw Refused() }
      return 1
    }
    let pod = Pod()
    #expect(await failure(of: provider, in: pod) != nil)
    #expect(try await pod.prepare(provider).criticalPath.map(\.provider.name) == ["second"])
  }
}
