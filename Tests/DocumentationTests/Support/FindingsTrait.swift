import Foundation
import Synchronization
import Testing

/// A trait that collects what the tests of the page "Checking the graph" record, and compares it with the page.
///
/// The package of these tests has providers with planted errors, so the samples of the page fail here.
struct FindingsTrait: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let recorded = Mutex<[String]>([])
    try await withKnownIssue {
      try await function()
    } matching: { issue in
      recorded.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
      return true
    }
    let issues = recorded.withLock { $0 }
    guard test.name.hasPrefix("theGraphIsSound") else {
      // The run built the three providers of the page, and no others of this package.
      #expect(issues.count == 1)
      #expect(!issues.joined().contains("windowProvider"))
      return
    }
    let page = try #require(try MarkdownPage.all().first { $0.path.hasSuffix("/CheckingTheGraph.md") })
    let shown = try #require(page.blocks.first { $0.language == "text" }).text
    let finding = try #require(issues.first { $0.hasPrefix("windowProvider ") })
    #expect(finding.withoutPositions == shown.withoutPositions.replacing("error: ", with: ""))
  }
}

extension Trait where Self == FindingsTrait {
  static var findings: Self { Self() }
}

extension String {
  /// The lines without the place at the beginning of each.
  fileprivate var withoutPositions: String { replacing(/(^|\n)[^\s]+:[0-9]+:[0-9]+:[ ]/, with: { "\($0.1)" }) }
}
