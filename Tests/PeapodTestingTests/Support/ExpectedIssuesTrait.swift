import Synchronization
import Testing

/// A trait that expects issues of a test case and of the traits that come after it, and refuses any other.
struct ExpectedIssuesTrait: TestTrait, SuiteTrait, TestScoping {
  /// Where an issue must be recorded.
  enum Place {
    case anywhere
    /// At the declaration whose attribute has the traits, which is where the compiler places what is in an attribute.
    case declaration(SourceLocation)
    /// At the attribute that makes a function a test.
    case test
  }

  /// What each issue must say, in the order in which they are recorded.
  let texts: [[String]]
  let place: Place
  var severity = Issue.Severity.error

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let recorded = Mutex<[Issue]>([])
    try await withKnownIssue {
      try await function()
    } matching: { issue in
      recorded.withLock { $0.append(issue) }
      return true
    }
    let issues = recorded.withLock { $0 }
    #expect(issues.count == texts.count, "\(issues)")
    for (issue, texts) in zip(issues, texts) {
      let said = issue.comments.map(\.rawValue).joined() + (issue.error.map { "\($0)" } ?? "")
      for text in texts { #expect(said.contains(text)) }
      #expect(issue.severity == severity)
      switch place {
      case .anywhere: break
      case .declaration(let sourceLocation): #expect(issue.sourceLocation == sourceLocation)
      case .test: #expect(issue.sourceLocation == test.sourceLocation)
      }
    }
  }
}

extension Trait where Self == ExpectedIssuesTrait {
  /// Expects one issue with these texts, at the declaration that this trait is attached to.
  static func expectsIssue(_ texts: String..., sourceLocation: SourceLocation = #_sourceLocation) -> Self {
    ExpectedIssuesTrait(texts: [texts], place: .declaration(sourceLocation))
  }

  /// Expects one issue with these texts, at the test.
  static func expectsIssueAtTest(_ texts: String...) -> Self {
    ExpectedIssuesTrait(texts: [texts], place: .test)
  }

  /// Expects one warning with this text, anywhere.
  static func expectsWarning(_ text: String) -> Self {
    ExpectedIssuesTrait(texts: [[text]], place: .anywhere, severity: .warning)
  }

  /// Expects one issue for each text, anywhere.
  static func expectsIssues(_ texts: String...) -> Self {
    ExpectedIssuesTrait(texts: texts.map { [$0] }, place: .anywhere)
  }
}
