import Peapod
import PeapodSystem
import PeapodTesting
import Synchronization
import Testing

/// A trait that requires an override of `.date`, which the test does not make, and compares the issue with the page.
struct ForgottenOverrideTrait: TestTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let messages = Mutex<[String]>([])
    try await withKnownIssue {
      let trait: PodTrait = .pod { $0.requireOverride(.date) }
      try await trait.provideScope(for: test, testCase: testCase, performing: function)
    } matching: { issue in
      messages.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
      return true
    }
    let issues = messages.withLock { $0 }
    #expect(issues.count == 1)
    try expectMessage(of: "required date", in: issues.joined())
  }
}

extension Trait where Self == ForgottenOverrideTrait {
  static var forgottenOverrides: Self { Self() }
}
