import Testing

@testable import Peapod

/// Rule 13: an error goes to those who waited for that attempt and is not cached.
struct ThrowingBuildTests {
  private struct Failure: Error, Equatable {
    var attempt: Int
  }

  @Test("R13 an error is passed on, and the next resolve tries again")
  func nextResolveTriesAgain() throws {
    let attempts = Counter()
    let disposed = Counter()
    let provider = ThrowingProvider { _ in
      let attempt = attempts.increment()
      if attempt < 3 { throw Failure(attempt: attempt) }
      return attempt
    } onDispose: { _ in
      disposed.increment()
    }
    let pod = Pod()
    for attempt in 1...2 {
      #expect(throws: Failure(attempt: attempt)) { try pod.resolve(provider) }
      #expect(!pod.isCached(provider))
    }
    for _ in 0..<3 { #expect(try pod.resolve(provider) == 3) }
    #expect(pod.isCached(provider))
    pod.dispose()
    #expect(attempts.value == 3)
    #expect(disposed.value == 1)
  }

  @Test("R13 an error ends the builds above it and leaves those below it")
  func errorEndsDependents() throws {
    let population = Population()
    let attempts = Counter()
    let below = Provider { _ in population.make() }
    let failing = ThrowingProvider { pod in
      _ = pod.resolve(below)
      let attempt = attempts.increment()
      if attempt == 1 { throw Failure(attempt: attempt) }
      return population.make(keeping: [pod.resolve(below)])
    }
    let above = ThrowingProvider { pod in population.make(keeping: [try pod.resolve(failing)]) }
    let pod = Pod()
    #expect(throws: Failure(attempt: 1)) { try pod.resolve(above) }
    #expect([pod.isCached(above), pod.isCached(failing), pod.isCached(below)] == [false, false, true])
    #expect(population.liveSerials == [1])
    let instance = try pod.resolve(above)
    #expect(try pod.resolve(above) === instance)
    #expect(population.made == 3)
  }

  @Test("R13 a builder that handles the error of a part is cached")
  func handledError() throws {
    let attempts = Counter()
    let part = ThrowingProvider<Int> { _ in throw Failure(attempt: attempts.increment()) }
    let whole = Provider { pod in (try? pod.resolve(part)) ?? -1 }
    let pod = Pod()
    #expect(pod.resolve(whole) == -1)
    #expect(pod.resolve(whole) == -1)
    #expect(attempts.value == 1)
    #expect(throws: Failure(attempt: 2)) { try pod.resolve(part) }
  }

  @Test("R13 R15 what handled an error is built again when the failing part is overridden")
  func handledErrorIsADependency() {
    let part = ThrowingProvider<Int> { _ in throw Failure(attempt: 0) }
    let whole = Provider { pod in (try? pod.resolve(part)) ?? -1 }
    let pod = Pod()
    #expect(pod.resolve(whole) == -1)
    pod.overrideProvider(part, withValue: 5)
    #expect(pod.resolve(whole) == 5)
    pod.overrideProvider(part) { _ in throw Failure(attempt: 1) }
    #expect(pod.resolve(whole) == -1)
  }

  @Test("R13 those who wait for a failing attempt get its error, and share attempts")
  func waitersGetTheError() async throws {
    let (rounds, threads) = (200, 8)
    let attempts = Counter()
    let coming = (0..<rounds).map { _ in Counter() }
    let family = ThrowingProvider<Int>.family { (_, round: Int) in
      let attempt = attempts.increment()
      spin { coming[round].value == threads }
      throw Failure(attempt: attempt)
    }
    let pod = Pod()
    let errors = try await runThreads(threads) { _ in
      (0..<rounds).map { round -> Int in
        coming[round].increment()
        do {
          _ = try pod.resolve(family(round))
          return -1
        } catch let error as Failure {
          return error.attempt
        } catch {
          return -2
        }
      }
    }
    for round in 0..<rounds {
      for thread in 0..<threads { #expect((1...attempts.value).contains(errors[thread][round])) }
    }
    #expect(Set(errors.flatMap { $0 }) == Set(1...attempts.value))
    #expect(attempts.value >= rounds)
    #expect(attempts.value < rounds * threads)
  }

  @Test("R13 an attempt that fails while others ask is followed by one that serves them all", arguments: 0..<50)
  func failureThenSuccess(round: Int) async throws {
    let attempts = Counter()
    let provider = ThrowingProvider { _ in
      let attempt = attempts.increment()
      if attempt == 1 { throw Failure(attempt: attempt) }
      return attempt
    }
    let pod = Pod()
    let results = try await runThreads(8) { _ in
      while true {
        do { return try pod.resolve(provider) } catch { #expect(error as? Failure == Failure(attempt: 1)) }
      }
    }
    #expect(results == Array(repeating: 2, count: 8))
    #expect(attempts.value == 2)
  }

  @Test("R13 always new and member builds throw on their own")
  func freshAndMembers() throws {
    let fresh = ThrowingProvider<Int>(scope: .alwaysCreateNew) { _ in throw Failure(attempt: 1) }
    let odd = ThrowingProvider.family { (_, number: Int) in
      if number % 2 == 0 { throw Failure(attempt: number) }
      return number
    }
    let pod = Pod()
    #expect(throws: Failure(attempt: 1)) { try pod.resolve(fresh) }
    #expect(throws: Failure(attempt: 2)) { try pod.resolve(odd(2)) }
    #expect(try pod.resolve(odd(3)) == 3)
    #expect(!pod.isCached(odd(2)))
    #expect(pod.isCached(odd(3)))
  }

  @Test("R13 an override may throw, and its removal brings the original back")
  func throwingOverride() throws {
    let provider = ThrowingProvider { _ in Tracked() }
    let pod = Pod()
    let original = try pod.resolve(provider)
    pod.overrideProvider(provider) { _ in throw Failure(attempt: 1) }
    #expect(throws: Failure(attempt: 1)) { try pod.resolve(provider) }
    #expect(throws: Failure(attempt: 1)) { try pod.resolve(provider) }
    pod.removeOverrideProvider(provider)
    #expect(try pod.resolve(provider) === original)
  }

  @Test("R13 an error carries nothing of the attempt along")
  func nothingIsKept() {
    let population = Population()
    let provider = ThrowingProvider<Tracked> { _ in
      let half = population.make()
      throw Failure(attempt: half.serial)
    }
    let pod = Pod()
    for attempt in 1...5 { #expect(throws: Failure(attempt: attempt)) { try pod.resolve(provider) } }
    #expect(population.live == 0)
  }

  @Test(
    "R6 R9 R13 a builder that waits for a failing build does not wait for the graph-scoped instances of that resolve")
  func failureBeforeGraphScope() async throws {
    let pod = Pod()
    let needsFailing = Locked<Provider<Int>?>(nil)
    let graphScoped = Provider(scope: .graph) { _ in
      Tracked()
    } onDispose: { _ in
      // Waits for the builder that waits for the failing build.
      _ = needsFailing.withLock { $0 }.map { pod.resolve($0) }
    }
    let (isBuilding, isAwaited) = (Gate(), Gate())
    let failing = ThrowingProvider<Int> { pod in
      _ = pod.resolve(graphScoped)
      isBuilding.open()
      isAwaited.wait()
      throw Failure(attempt: 1)
    }
    let dependent = Provider { pod in (try? pod.resolve(failing)) ?? 7 }
    needsFailing.withLock { $0 = dependent }
    let first = Worker { try pod.resolve(failing) }
    isBuilding.wait()
    let second = Worker { pod.resolve(dependent) }
    await eventually("the second builder waits") { pod.waiterCount(of: failing) == 1 }
    isAwaited.open()
    #expect(try await second.value() == 7)
    await #expect(throws: Failure(attempt: 1)) { try await first.value() }
  }

  @Test("R9 R13 R28 a builder that waits for a failing build does not wait for the observers of the failure")
  func failureBeforeObservers() async throws {
    struct Waiting: PodObserver {
      let failing: ProviderID
      let gate: Gate

      func pod(_ pod: Pod, did event: PodEvent) {
        if case .fail(let provider, _) = event, provider.id == failing { gate.wait() }
      }
    }
    let (isBuilding, isAwaited, isDone) = (Gate(), Gate(), Gate())
    let failing = ThrowingProvider<Int> { _ in
      isBuilding.open()
      isAwaited.wait()
      throw Failure(attempt: 1)
    }
    let dependent = Provider { pod in (try? pod.resolve(failing)) ?? 7 }
    let pod = Pod(observers: [Waiting(failing: failing.id, gate: isDone)])
    let first = Worker { try pod.resolve(failing) }
    isBuilding.wait()
    let second = Worker { pod.resolve(dependent) }
    await eventually("the second builder waits") { pod.waiterCount(of: failing) == 1 }
    isAwaited.open()
    // The event of this instance follows the event of the failure.
    await eventually("the second builder goes on") { pod.isCached(dependent) }
    isDone.open()
    #expect(try await second.value() == 7)
    await #expect(throws: Failure(attempt: 1)) { try await first.value() }
  }
}
