import Peapod
import PeapodTesting
import Synchronization
import Testing

@Suite("The trait .pod")
struct PodTraitTests {
  @Test(
    "R15 overrides what its closure says, on Pod.current", .pod { $0.overrideProvider(apiProvider) { _ in MockAPI() } })
  func overrides() {
    #expect(Pod.current.resolve(apiProvider).name() == "mock")
    #expect(Pod.current.resolve(serviceProvider).api.name() == "mock")
    #expect(Pod.shared.graph.nodes.allSatisfy { $0.provider.id != apiProvider.id || !$0.isOverridden })
  }

  @Test("gives each case of a parameterised test a pod of its own", .pod, arguments: 0..<100)
  func freshPerCase(number: Int) async {
    #expect(!Pod.current.isCached(numberProvider))
    Pod.current.overrideProvider(numberProvider, withValue: number)
    await Task.yield()
    #expect(Pod.current.resolve(doubledProvider) == 2 * number)
  }

  @Test("needs no closure", .pod)
  func withoutClosure() {
    #expect(Pod.current.name == "withoutClosure()")
    #expect(Pod.current.parent == nil)
    #expect(Pod.current.resolve(apiProvider).name() == "live")
  }

  @Test(
    "configures on the main actor where its closure asks for that",
    .pod { @MainActor pod in pod.overrideProvider(screenProvider, withValue: Screen(title: "preview")) })
  @MainActor func mainActor() {
    #expect(Pod.current.resolve(screenProvider).title == "preview")
  }

  @Test(
    "configures asynchronously",
    .pod { pod in
      await Task.yield()
      pod.overrideProvider(numberProvider, withValue: 5)
    })
  func asynchronousClosure() async {
    #expect(Pod.current.resolve(doubledProvider) == 10)
  }

  @Test("does not run a test whose configuration fails", .expectsIssues("noMock"), .pod { _ in throw Failure.noMock })
  func failingConfiguration() {
    Issue.record("this test must not run")
  }

  @Test("lets an error of the test through", .expectsIssues("inTest"), .pod, .strict)
  func throwing() async throws {
    await Task.yield()
    throw Failure.inTest
  }

  @Test(
    "R27 awaits the hooks of what the test built", .after { #expect(closed.withLock { $0 } == ["connection"]) }, .pod)
  func awaitsHooks() async throws {
    let connection = try await Pod.current.resolve(connectionProvider)
    #expect(connection == "connection")
    #expect(closed.withLock { $0 }.isEmpty)
  }
}

@Suite(
  "Nested .pod traits",
  .pod {
    $0.overrideProvider(apiProvider) { _ in MockAPI("outer") }
    $0.overrideProvider(numberProvider, withValue: 1)
  },
  .pod { $0.overrideProvider(doubledProvider, withValue: 20) }
)
struct NestedPodTraitTests {
  @Test("the traits of one suite add up")
  func oneSuite() {
    #expect(Pod.current.resolve(apiProvider).name() == "outer")
    #expect(Pod.current.resolve(numberProvider) == 1)
    #expect(Pod.current.resolve(doubledProvider) == 20)
  }

  @Test(
    "a test's own overrides add to those of its suite",
    .pod { $0.overrideProvider(apiProvider) { _ in MockAPI("test") } })
  func testAdds() {
    #expect(Pod.current.resolve(apiProvider).name() == "test")
    #expect(Pod.current.resolve(numberProvider) == 1)
  }

  @Suite("in a nested suite", .pod { $0.overrideProvider(numberProvider, withValue: 2) })
  struct Inner {
    @Test(
      "the innermost override wins, for each case alone",
      .pod { pod in
        let outer = pod.resolve(numberProvider)
        pod.overrideProvider(numberProvider, withValue: outer + 1)
      }, arguments: 0..<10)
    func innermost(_: Int) {
      #expect(Pod.current.resolve(numberProvider) == 3)
      #expect(Pod.current.resolve(apiProvider).name() == "outer")
      Pod.current.overrideProvider(numberProvider, withValue: 4)
    }
  }
}

@Suite("A test that leaves a task running behind")
struct LeftBehindTests {
  @Test(
    "lets it go on with the overrides of its pod", .after { await behindFreshPod.expectMock() },
    .pod { $0.overrideProvider(apiProvider) { _ in MockAPI() } })
  func onFreshPod() {
    #expect(Pod.current.resolve(apiProvider).name() == "mock")
    behindFreshPod.start()
  }

  @Test(
    "lets it go on with the overrides of its block", .after { await behindGlobalPod.expectMock() },
    .overrides(of: leftBehindPod) { $0.overrideProvider(apiProvider) { _ in MockAPI() } })
  func onGlobalPod() {
    behindGlobalPod.start()
  }

  @Test(
    "does not trouble a strict test whose instances it does not hold", .after { await behindStrictTest.expectMock() },
    .pod { $0.overrideProvider(apiProvider) { _ in MockAPI() } }, .strict)
  func strict() {
    #expect(Pod.current.resolve(serviceProvider).api.name() == "mock")
    behindStrictTest.start()
  }
}

/// A task that waits until its test is over and resolves only then.
private final class TaskLeftBehind: Sendable {
  private let gate = Gate()
  private let task = Mutex<Task<String, Never>?>(nil)

  func start() {
    task.withLock { task in
      task = Task {
        await gate.pass()
        return Pod.current.resolve(apiProvider).name()
      }
    }
  }

  func expectMock() async {
    gate.open()
    #expect(await task.withLock { $0 }?.value == "mock")
  }
}

private let behindFreshPod = TaskLeftBehind()
private let behindGlobalPod = TaskLeftBehind()
private let behindStrictTest = TaskLeftBehind()

private enum Failure: Error {
  case noMock
  case inTest
}

@MainActor private final class Screen {
  let title: String

  init(title: String) {
    self.title = title
  }
}

private let leftBehindPod = Pod("left behind")
private let screenProvider = MainActorProvider { _ in Screen(title: "real") }
private let closed = Mutex<[String]>([])
private let connectionProvider = AsyncProvider { _ in
  "connection"
} onDispose: { connection in
  await Task.yield()
  closed.withLock { $0.append(connection) }
}
