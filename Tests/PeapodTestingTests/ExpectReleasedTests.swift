import Peapod
import PeapodTesting
import Testing

@Suite("expectReleased(afterClearing:in:)")
struct ExpectReleasedTests {
  @Test("is content when the scope's instances are gone", .pod)
  func released() {
    _ = Pod.current.resolve(draftProvider)
    expectReleased(afterClearing: .session, in: .current)
    #expect(!Pod.current.isCached(draftProvider))
  }

  @Test("names an instance that something holds", .pod)
  func held() {
    let draft = Pod.current.resolve(draftProvider)
    let line = #line + 2
    withKnownIssue {
      expectReleased(afterClearing: SessionScope(), in: .current)
    } matching: {
      $0.comments.contains {
        $0.rawValue.contains("The Document of draft: Document (PeapodTestingTests/Fixtures.swift:")
          && $0.rawValue.contains("outlives SessionScope")
      } && $0.sourceLocation?.line == line
    }
    withExtendedLifetime(draft) {}
  }

  @Test("R29 names an instance that a singleton holds")
  func heldByASingleton() {
    let pod = Pod()
    _ = pod.resolve(archiveProvider)
    withKnownIssue {
      expectReleased(afterClearing: .session, in: pod)
    } matching: {
      $0.comments.contains { $0.rawValue.contains("draft: Document") }
    }
  }

  @Test("R4 looks at the scopes that are cleared with it, and at no others", .pod)
  func childScopes() {
    let document = Pod.current.resolve(documentProvider)
    _ = Pod.current.resolve(draftProvider)
    expectReleased(afterClearing: FlowScope(), in: .current)
    #expect(Pod.current.isCached(documentProvider))
    withExtendedLifetime(document) {}
  }

  @Test("R20 looks at the parent that the scope belongs to", .pod)
  func inTheParent() {
    let child = Pod.current.makeChild()
    let draft = child.resolve(draftProvider)
    withKnownIssue {
      expectReleased(afterClearing: .session, in: child)
    } matching: {
      $0.comments.contains { $0.rawValue.contains("draft: Document") }
    }
    withExtendedLifetime(draft) {}
  }

  @Test("takes the same object, kept by another provider, for kept", .pod)
  func passedOn() {
    _ = Pod.current.resolve(passedOnProvider)
    _ = Pod.current.resolve(draftProvider)
    expectReleased(afterClearing: .session, in: .current)
    #expect(Pod.current.isCached(documentProvider))
  }

  @Test("awaits asynchronous hooks when it shuts the scope down", .pod)
  func shuttingDown() async throws {
    _ = try await Pod.current.resolve(uploadProvider)
    await expectReleased(afterShuttingDown: .session, in: .current)
  }

  @Test("names what outlives a scope that was shut down", .pod)
  func heldAfterShuttingDown() async throws {
    let upload = try await Pod.current.resolve(uploadProvider)
    await withKnownIssue {
      await expectReleased(afterShuttingDown: .session, in: .current)
    } matching: {
      $0.comments.contains { $0.rawValue.contains("upload: Document") }
    }
    withExtendedLifetime(upload) {}
  }

  @Test(
    "warns when nothing was released, since that checks nothing",
    .expectsWarning("has checked nothing"), .pod)
  func nothingReleased() {
    expectReleased(afterClearing: .session, in: .current)
  }
}

private struct FlowScope: ProviderScope {
  var children: [any ProviderScope] { [SessionScope()] }
}

private final class Archive: Sendable {
  let draft: Document

  init(draft: Document) {
    self.draft = draft
  }
}

private let archiveProvider = Provider { pod in Archive(draft: pod.resolve(draftProvider)) }
private let passedOnProvider = Provider("passed on", scope: .session) { pod in pod.resolve(documentProvider) }
private let uploadProvider = AsyncProvider("upload", scope: .session) { _ in
  Document()
} onDispose: { _ in
  await Task.yield()
}
