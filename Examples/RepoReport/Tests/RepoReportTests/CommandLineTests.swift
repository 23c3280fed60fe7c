import ArgumentParser
import Peapod
import PeapodTesting
import Testing

@testable import RepoReport

/// The whole program, from its arguments to what it writes.
@Suite(.recorded) struct CommandLineTests {
  @Test("Arguments decide what is written", .strict)
  func arguments() async throws {
    let arguments = ["a", "b", "--since", "2026-01-31", "--format", "markdown", "--graph", "tree"]
    try await RepoReport.parse(arguments).run()
    let output = Pod.shared.output
    #expect(output.hasPrefix("# Repository a\n"))
    #expect(output.contains("# Repository b\n"))
    #expect(output.contains("What is older than 2026-01-31 00:00:00 is left out."))
    #expect(output.contains("```text\n"))
  }

  @Test("Without arguments the report is about the repository here", .strict)
  func noArguments() async throws {
    try await RepoReport.parse([]).run()
    #expect(Pod.shared.output.hasPrefix("Repository .\n"))
  }

  @Test("A path that fails makes the program fail")
  func failure() async throws {
    await #expect(throws: ExitCode.failure) { try await RepoReport.parse(["nowhere", "a"]).run() }
    #expect(Pod.shared.output.hasPrefix("Repository a\n"))
  }

  @Test(
    "A wrong argument is explained in one line",
    arguments: [
      (["--format", "xml"], "'text', 'markdown' or 'json'"), (["--graph", "x"], "'mermaid', 'dot', 'tree' or 'cost'"),
      (["--sinc", "x"], "--sinc"), (["--since", "soon"], "'soon' is no date"),
    ])
  func wrongArguments(arguments: [String], explanation: String) async throws {
    let error = await #expect(throws: (any Error).self) { try await RepoReport.parse(arguments).run() }
    let message = RepoReport.message(for: try #require(error))
    #expect(message.contains(explanation))
    #expect(!message.contains("\n"))
    #expect(!RepoReport.exitCode(for: try #require(error)).isSuccess)
  }
}
