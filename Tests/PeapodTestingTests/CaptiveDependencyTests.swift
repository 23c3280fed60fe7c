import Peapod
import PeapodTesting
import Testing

@Suite("R29 Strict about captive dependencies")
struct CaptiveDependencyTests {
  @Test(
    "reports one at the test, with both declarations",
    .expectsIssueAtTest("captor: String", "session number: Int", "PeapodTestingTests/Fixtures.swift"), .pod,
    .strict(about: .captiveDependencies))
  func captive() {
    _ = Pod.current.resolve(captorProvider)
    _ = Pod.current.resolve(captorProvider)
  }

  @Test("is content without one", .pod, .strict(about: .captiveDependencies))
  func none() {
    _ = Pod.current.resolve(serviceProvider)
    _ = Pod.current.resolve(sessionNumberProvider)
  }

  @Test(
    "reports one in a block on a global pod", .expectsIssueAtTest("captor"), .overrides(of: globalPod) { _ in }, .strict
  )
  func inBlock() {
    _ = globalPod.resolve(captorProvider)
  }

  @Test("reports one that came to be in a child pod", .expectsIssueAtTest("captor"), .pod, .strict)
  func inChild() {
    let child = Pod.current.makeChild { $0.overrideProvider(sessionNumberProvider) { _ in 8 } }
    #expect(child.resolve(captorProvider) == "captor of 8")
  }

  @Test("reports one in a test that threw", .expectsIssues("captor", "CancellationError"), .pod, .strict)
  func threw() throws {
    _ = Pod.current.resolve(captorProvider)
    throw CancellationError()
  }

  @Test("does not ask a test that is not strict about it", .pod, .strict(about: .leakedInstances))
  func notAsked() {
    _ = Pod.current.resolve(captorProvider)
  }
}

private let globalPod = Pod("global")
