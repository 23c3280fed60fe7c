@testable import RepoReportCore

/// A machine on which nothing is installed.
struct NoGit: ProcessRunner {
  func locate(_ program: String) -> String? { nil }

  func output(of command: Command) throws -> ProcessOutput {
    throw ProcessFailure(status: 127, message: "there is nothing to run")
  }
}
