import Observation
import Peapod
import Synchronization
import Testing

@testable import PeapodUI

/// What `AsyncResolve` shows.
@MainActor
@Suite("A view waits for a value", .timeLimit(.minutes(20)))
struct LoaderTests {
  private struct Failure: Error, Equatable { var attempt: Int }

  private let pod = Pod()
  private let loader = Loader<String>()

  /// Draws the view, which begins to wait where there is nothing to show.
  private func draw(_ provider: AsyncProvider<String>, in pod: Pod? = nil) -> String {
    switch loader.result(for: provider, in: pod ?? self.pod) {
    case nil: "loading"
    case .success(let value): value
    case .failure(let error): "\(error)"
    }
  }

  /// A provider whose values are numbered, and whose builder waits at a gate in one build.
  private func declare(waitingAt gate: AsyncGate, in build: Int) -> AsyncProvider<String> {
    let builds = Mutex(0)
    return AsyncProvider { _ in
      let number = builds.withLock { count -> Int in
        count += 1; return count
      }
      if number == build { await gate.pass() }
      return "build \(number)"
    }
  }

  /// Draws the view until it has something to show.
  private func drawLoaded(_ provider: AsyncProvider<String>, in pod: Pod? = nil) async -> String {
    _ = draw(provider, in: pod)
    await loader.task?.value
    return draw(provider, in: pod)
  }

  @Test("it is loading at first, and has the value after")
  func value() async {
    let provider = AsyncProvider { _ in "value" }
    #expect(draw(provider) == "loading")
    await loader.task?.value
    #expect(draw(provider) == "value")
    #expect(loader.task == nil)
  }

  @Test("what the pod has already is shown at once")
  func cached() async throws {
    let provider = AsyncProvider { _ in "value" }
    _ = try await pod.resolve(provider)
    #expect(draw(provider) == "value")
  }

  @Test("it waits once, however often the view is drawn")
  func drawnOften() async {
    let builds = Mutex(0)
    let provider = AsyncProvider(scope: .alwaysCreateNew) { _ in
      "build \(builds.withLock { count -> Int in count += 1; return count })"
    }
    _ = draw(provider)
    let task = loader.task
    _ = (draw(provider), draw(provider))
    #expect(loader.task == task)
    #expect(await drawLoaded(provider) == "build 1")
    #expect(await drawLoaded(provider) == "build 1")
  }

  @Test("an error is shown, and a retry builds again")
  func retry() async {
    let attempts = Mutex(0)
    let provider = AsyncProvider<String> { _ in
      let attempt = attempts.withLock { count -> Int in
        count += 1
        return count
      }
      guard attempt == 3 else { throw Failure(attempt: attempt) }
      return "value"
    }
    #expect(await drawLoaded(provider) == "\(Failure(attempt: 1))")
    #expect(draw(provider) == "\(Failure(attempt: 1))")
    loader.retry()
    #expect(draw(provider) == "loading")
    #expect(await drawLoaded(provider) == "\(Failure(attempt: 2))")
    loader.retry()
    #expect(await drawLoaded(provider) == "value")
  }

  @Test("the value stays when the provider is cleared")
  func clearing() async {
    let provider = AsyncProvider { _ in "value" }
    #expect(await drawLoaded(provider) == "value")
    pod.dispose()
    #expect(draw(provider) == "value")
  }

  @Test("another provider or another pod is loading until it has its own value")
  func change() async {
    let family = AsyncProvider.family { (_, id: Int) in "\(id)" }
    #expect(await drawLoaded(family(1)) == "1")
    #expect(draw(family(2)) == "loading")
    #expect(await drawLoaded(family(2)) == "2")
    let other = Pod()
    other.overrideProvider(family(2)) { _ in "other" }
    #expect(draw(family(2), in: other) == "loading")
    #expect(await drawLoaded(family(2), in: other) == "other")
  }

  @Test("an answer that comes after another request is for nobody", arguments: [false, true])
  func late(isAskedAgain: Bool) async throws {
    let gate = AsyncGate()
    // The first build gets through the gate although it is cancelled.
    let builds = Mutex(0)
    let slow = AsyncProvider(scope: .alwaysCreateNew) { _ in
      let build = builds.withLock { count -> Int in
        count += 1
        return count
      }
      if build == 1 { await gate.pass() }
      return "slow \(build)"
    }
    let quick = AsyncProvider { _ in "quick" }
    #expect(draw(slow) == "loading")
    let first = try #require(loader.task)
    await gate.visitor()
    #expect(await drawLoaded(quick) == "quick")
    if isAskedAgain { #expect(await drawLoaded(slow) == "slow 2") }
    gate.open()
    await first.value
    #expect(draw(isAskedAgain ? slow : quick) == (isAskedAgain ? "slow 2" : "quick"))
  }

  @Test("a view that goes stops waiting, and what no one waits for is cancelled")
  func end() async {
    let gate = AsyncGate()
    let isCancelled = AsyncGate()
    let provider = AsyncProvider<String> { _ in
      await withTaskCancellationHandler {
        await gate.pass()
      } onCancel: {
        Task { @MainActor in isCancelled.open() }
      }
      return "value"
    }
    weak var gone: Loader<String>?
    do {
      let loader = Loader<String>()
      gone = loader
      _ = loader.result(for: provider, in: pod)
      await gate.visitor()
      withExtendedLifetime(loader) {}
    }
    #expect(gone == nil)
    await isCancelled.pass()
    gate.open()
  }

  @Test("whoever draws the result is told of the next one, and not of the beginning")
  func observation() async {
    let provider = AsyncProvider { _ in "value" }
    let changes = Mutex(0)
    func observe() {
      withObservationTracking {
        _ = draw(provider)
      } onChange: {
        changes.withLock { $0 += 1 }
      }
    }
    observe()
    #expect(changes.withLock { $0 } == 0)
    await loader.task?.value
    #expect(changes.withLock { $0 } == 1)
    observe()
    loader.retry()
    #expect(changes.withLock { $0 } == 2)
  }

  @Test("R31 Loading again refreshes the provider, and shows the value of before until the new one is there")
  func reload() async {
    let gate = AsyncGate()
    let provider = declare(waitingAt: gate, in: 2)
    #expect(await drawLoaded(provider) == "build 1")
    let reloading = Task { await loader.reload() }
    await gate.visitor()
    #expect(draw(provider) == "build 1")
    gate.open()
    await reloading.value
    #expect(draw(provider) == "build 2")
    #expect(pod.cachedInstance(of: provider) == "build 2")
  }

  @Test("R31 The result of an earlier reload does not replace the result of a later one", arguments: [false, true])
  func overlappingReloads(isRetried: Bool) async {
    let gate = AsyncGate()
    let provider = declare(waitingAt: gate, in: 2)
    #expect(await drawLoaded(provider) == "build 1")
    let earlier = Task { await loader.reload() }
    await gate.visitor()
    if isRetried {
      pod.refresh(provider)
      loader.retry()
      #expect(await drawLoaded(provider) == "build 3")
    } else {
      await loader.reload()
    }
    #expect(draw(provider) == "build 3")
    gate.open()
    await earlier.value
    #expect(draw(provider) == "build 3")
    #expect(pod.cachedInstance(of: provider) == "build 3")
  }

  @Test("R31 Loading again while the view waits begins anew")
  func reloadWhileWaiting() async {
    let gate = AsyncGate()
    let provider = declare(waitingAt: gate, in: 1)
    #expect(draw(provider) == "loading")
    await gate.visitor()
    await loader.reload()
    #expect(await drawLoaded(provider) == "build 2")
    gate.open()
  }

  @Test("R31 An error of the new attempt is shown, with another attempt")
  func reloadFails() async {
    let builds = Mutex(0)
    let provider = AsyncProvider { _ in
      let number = builds.withLock { count -> Int in
        count += 1; return count
      }
      if number == 2 { throw Failure(attempt: number) }
      return "build \(number)"
    }
    _ = await drawLoaded(provider)
    await loader.reload()
    #expect(draw(provider) == "\(Failure(attempt: 2))")
    loader.retry()
    #expect(await drawLoaded(provider) == "build 3")
  }
}
