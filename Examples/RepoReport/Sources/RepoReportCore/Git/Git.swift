import Peapod

/// The git that is installed on this machine.
struct Git: Sendable {
  private let executable: String
  private let runner: any ProcessRunner

  init(runner: any ProcessRunner) throws(ReportError) {
    guard let executable = runner.locate("git") else { throw .gitNotFound }
    self.executable = executable
    self.runner = runner
  }

  /// Starts git in a folder, and returns what it writes.
  func output(_ arguments: [String], in folder: String) throws -> ProcessOutput {
    try runner.output(
      of: Command(program: executable, arguments: ["-C", folder] + arguments, environment: Self.environment))
  }

  /// Returns everything that git writes; only for what is short.
  func text(_ arguments: [String], in folder: String) async throws -> String {
    var bytes: [UInt8] = []
    for try await piece in try output(arguments, in: folder) { bytes += piece }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Messages in English, and the repository of the folder even where git itself started this program, as in a git hook.
  private static let environment: [String: String?] = [
    "LC_ALL": "C",
    "GIT_COMMON_DIR": nil,
    "GIT_DIR": nil,
    "GIT_INDEX_FILE": nil,
    "GIT_OBJECT_DIRECTORY": nil,
    "GIT_PREFIX": nil,
    "GIT_WORK_TREE": nil,
  ]
}

let gitProvider = ThrowingProvider { pod in
  try Git(runner: pod.resolve(processRunnerProvider))
}
