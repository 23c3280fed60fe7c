import Peapod
import PeapodTesting
import Testing

@Suite("Strict about leaked instances")
struct LeakedInstanceTests {
  @Test(
    "reports an instance that is alive after its pod, with its provider",
    .keepsObjects, .expectsIssueAtTest("The Document of document: Document", "is still alive"), .pod,
    .strict(about: .leakedInstances))
  func leaked() {
    Keeper.shared.keep(Pod.current.resolve(documentProvider))
  }

  @Test("is content when everything is gone", .pod, .strict(about: .leakedInstances))
  func released() async throws {
    _ = Pod.current.resolve(documentProvider)
    _ = Pod.current.resolve(serviceProvider)
    _ = try await Pod.current.resolve(asyncDocumentProvider)
    _ = await Pod.current.resolve(screenProvider)
  }

  @Test(
    "reports it in a block on a global pod", .keepsObjects, .expectsIssueAtTest("document"),
    .overrides(of: globalPod) { _ in }, .strict)
  func leakedInBlock() {
    Keeper.shared.keep(globalPod.resolve(documentProvider))
  }

  @Test(
    "leaves the instances of the global pod itself alone", .before { _ = globalPod.resolve(documentProvider) },
    .overrides(of: globalPod) { $0.overrideProvider(apiProvider) { _ in MockAPI() } }, .strict)
  func ofTheGlobalPod() {
    _ = globalPod.resolve(serviceProvider)
  }

  @Test("reports a main-actor instance", .keepsObjects, .expectsIssueAtTest("Screen"), .pod, .strict)
  @MainActor func leakedScreen() {
    Keeper.shared.keep(Pod.current.resolve(screenProvider))
  }

  @Test(
    "reports an instance that two providers hand out once", .keepsObjects,
    .expectsIssueAtTest("document: Document", "passed on: Document"), .pod, .strict)
  func passedOn() {
    Keeper.shared.keep(Pod.current.resolve(passingProvider))
  }

  @Test(
    "leaves a value that was given alone", .pod { $0.overrideProvider(documentProvider, withValue: given) }, .strict)
  func givenValue() {
    #expect(Pod.current.resolve(documentProvider) === given)
  }

  @Test(
    "leaves a given value alone that another provider returns",
    .pod { $0.overrideProvider(documentProvider, withValue: given) },
    .strict)
  func alias() {
    let alias = Provider { $0.resolve(documentProvider) }
    #expect(Pod.current.resolve(alias) === given)
  }

  @Test("leaves a marked provider alone", .pod { $0.allowOutliving(processWideProvider) }, .strict)
  func marked() {
    #expect(Pod.current.resolve(processWideProvider) === given)
  }

  @Test("leaves the members of a marked family alone", .pod { $0.allowOutliving(processWideFamily) }, .strict)
  func markedFamily() {
    #expect(Pod.current.resolve(processWideFamily(1)) === given)
  }

  @Test("waits for a task that is about to end", .pod, .strict)
  func aboutToEnd() {
    let document = Pod.current.resolve(documentProvider)
    Task {
      for _ in 0..<100 { await Task.yield() }
      withExtendedLifetime(document) {}
    }
  }

  @Test(
    "reports what a task that goes on holds", .after { held.open() }, .expectsIssueAtTest("document"), .pod, .strict)
  func heldByATask() {
    let document = Pod.current.resolve(documentProvider)
    Task {
      await held.pass()
      withExtendedLifetime(document) {}
    }
  }

  @Test("does not ask a test that was cancelled", .keepsObjects, .expectsIssues("CancellationError"), .pod, .strict)
  func cancelled() async throws {
    Keeper.shared.keep(Pod.current.resolve(documentProvider))
    withUnsafeCurrentTask { $0?.cancel() }
    try Task.checkCancellation()
  }

  @Test("does not ask a test that is not strict about it", .keepsObjects, .pod)
  func notAsked() {
    Keeper.shared.keep(Pod.current.resolve(documentProvider))
  }
}

@MainActor private final class Screen {}

private let held = Gate()
private let given = Document()
private let globalPod = Pod("global")
private let processWideProvider = Provider { _ in given }
private let processWideFamily = Provider.family { (_: Pod, _: Int) in given }
private let passingProvider = Provider("passed on") { pod in pod.resolve(documentProvider) }
private let asyncDocumentProvider = AsyncProvider { _ in
  Document()
} onDispose: { _ in
  await Task.yield()
}
private let screenProvider = MainActorProvider { _ in Screen() }
