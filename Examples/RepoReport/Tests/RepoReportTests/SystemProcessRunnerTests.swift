import Testing

@testable import RepoReportCore

@Suite struct SystemProcessRunnerTests {
  private let runner = SystemProcessRunner()

  @Test("A program is found by its name, and what is not there is not")
  func locate() {
    #expect(runner.locate("sh")?.hasSuffix("/sh") == true)
    #expect(runner.locate("no-such-program-anywhere") == nil)
  }

  @Test("Output without end is read only as far as somebody wants it, and the program is stopped")
  func endless() async throws {
    var lines = 0
    for try await piece in try shell("while true; do echo y; done") {
      lines += piece.count / 2
      if lines > 50_000 { break }
    }
    #expect(lines > 50_000)
  }

  @Test("A program that fails is an error, after all that it wrote")
  func failure() async throws {
    var bytes: [UInt8] = []
    await #expect(throws: ProcessFailure(status: 3, message: "no\n")) {
      for try await piece in try shell("echo yes; echo no >&2; exit 3") { bytes += piece }
    }
    #expect(String(decoding: bytes, as: UTF8.self) == "yes\n")
  }

  @Test("A program that complains at length is not held up, and its complaint is cut")
  func longComplaint() async throws {
    var thrown: ProcessFailure?
    do {
      for try await _ in try shell("i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done >&2; exit 1") {}
    } catch let failure as ProcessFailure {
      thrown = failure
    }
    #expect(thrown?.message.hasPrefix("0123456789\n") == true)
    #expect(thrown?.message.utf8.count == 4096)
  }

  @Test("The environment is inherited, with changes")
  func environment() async throws {
    var command = Command(program: "/bin/sh", arguments: ["-c", "echo $A-${PATH:+path}-${HOME:-none}"])
    command.environment = ["A": "a", "HOME": nil]
    var bytes: [UInt8] = []
    for try await piece in try runner.output(of: command) { bytes += piece }
    #expect(String(decoding: bytes, as: UTF8.self) == "a-path-none\n")
  }

  @Test("A program that is not there is an error")
  func missing() {
    #expect(throws: (any Error).self) {
      _ = try runner.output(of: Command(program: "/no/such/program", arguments: []))
    }
  }

  private func shell(_ script: String) throws -> ProcessOutput {
    try runner.output(of: Command(program: "/bin/sh", arguments: ["-c", script]))
  }
}
