import Synchronization
import Testing

/// What the snippets of one test have printed.
final class Transcript: Sendable {
  @TaskLocal static var current: Transcript?
  private let text = Mutex("")

  func append(_ addition: String) { text.withLock { $0 += addition } }

  /// Returns what was printed since the last call.
  func take() -> String {
    text.withLock { text in
      defer { text = "" }
      return text
    }
  }
}

/// Stands in for the standard library's function in this module, so that tests can compare what a snippet prints.
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  let text = items.map { "\($0)" }.joined(separator: separator) + terminator
  if let transcript = Transcript.current { transcript.append(text) } else { Swift.print(text, terminator: "") }
}

/// Compares what was printed since the last call with the output block after the snippet's block.
func expectOutput(of name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
  let transcript = try #require(Transcript.current, "the suite needs the trait .transcript")
  let snippet = try #require(try Snippet.all()[name], "there is no snippet named \(name)")
  var outputs: [String] = []
  for page in try MarkdownPage.all() {
    for (block, next) in zip(page.blocks, page.blocks.dropFirst()) where block.text == snippet.text {
      if next.isOutput { outputs.append(next.text + "\n") }
    }
  }
  #expect(!outputs.isEmpty, "no page shows the output of \(name)", sourceLocation: sourceLocation)
  let printed = transcript.take()
  for output in outputs {
    let comment: Comment = "the output of \(name) differs from the page"
    #expect(printed.withoutPlaces == output.withoutPlaces, comment, sourceLocation: sourceLocation)
  }
}

extension String {
  /// The text with every place of declaration made the same, for pages show other files than the tests are in.
  var withoutPlaces: String { replacing(/[A-Za-z]+\/[A-Za-z]+\.swift:[0-9]+/, with: "Module/File.swift:1") }
}

/// Gives each test of a suite a transcript of its own.
struct TranscriptTrait: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Transcript.$current.withValue(Transcript()) { try await function() }
  }
}

extension Trait where Self == TranscriptTrait {
  static var transcript: Self { Self() }
}
