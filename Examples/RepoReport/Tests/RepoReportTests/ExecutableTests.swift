import Testing

@testable import RepoReportCore

/// The program as it is built, run as a process of its own.
@Suite struct ExecutableTests {
  @Test("A report goes to standard output, with status 0")
  func report() async throws {
    let repository = try await TemporaryRepository()
    try await repository.commit("Ada <ada@example.com>", "2026-03-02T10:30:00+0100")
    #expect(try await run([repository.path]).contains("1 commit by 1 author from 2026-03-02 to 2026-03-02"))
    #expect(try await run(["--help"]).contains("USAGE: repo-report [<paths> ...]"))
  }

  @Test("Without git, with a path that is no repository or a wrong argument: one line, and another status than 0")
  func complaints() async throws {
    await #expect(throws: ProcessFailure(status: 1, message: "repo-report: /: this is no git repository\n")) {
      try await run(["/"])
    }
    let noGit = "repo-report: /: git was not found; install it, or add its folder to PATH\n"
    await #expect(throws: ProcessFailure(status: 1, message: noGit)) {
      try await run(["/"], environment: ["PATH": "/no/such/folder"])
    }
    let format =
      "The value 'xml' is invalid for '--format <format>'. Please provide one of 'text', 'markdown' or 'json'."
    await #expect(throws: ProcessFailure(status: 64, message: "repo-report: \(format)\n")) {
      try await run(["--format", "xml", "/"])
    }
    let error = await #expect(throws: ProcessFailure.self) { try await run(["--since", "soon"]) }
    #expect(error?.status == 1)
    #expect(error?.message.hasPrefix("repo-report: 'soon' is no date; ") == true)
  }

  @discardableResult
  private func run(_ arguments: [String], environment: [String: String?] = [:]) async throws -> String {
    let command = Command(program: BuiltProgram.path, arguments: arguments, environment: environment)
    var bytes: [UInt8] = []
    for try await piece in try SystemProcessRunner().output(of: command) { bytes += piece }
    return String(decoding: bytes, as: UTF8.self)
  }
}
