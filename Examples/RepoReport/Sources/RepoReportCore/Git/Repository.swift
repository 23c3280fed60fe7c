import Foundation
import Peapod

/// One repository, asked through git.
struct Repository: Sendable {
  let git: Git
  let path: String

  /// Returns whether older history was left out when the repository was cloned.
  ///
  /// Every report asks this first: it fails, with a clear error, where there is no repository.
  func isShallow() async throws -> Bool {
    do {
      return try await git.text(["rev-parse", "--is-shallow-repository"], in: path).hasPrefix("true")
    } catch let failure as ProcessFailure {
      throw ReportError(failure)
    }
  }

  /// Returns whether anything was ever committed to the current branch.
  func hasCommits() async throws -> Bool {
    try await text(["rev-parse", "--verify", "--quiet", "HEAD"]) != nil
  }

  /// Returns the text of a file in the last commit, or `nil` if there is no such file.
  func committedFile(_ name: String) async throws -> String? {
    try await text(["show", "HEAD:\(name)"])
  }

  /// Starts `git log` for the current branch.
  func log(_ arguments: [String]) throws -> ProcessOutput {
    try git.output(["log"] + arguments, in: path)
  }

  /// Returns what git writes, or `nil` if it does not succeed.
  private func text(_ arguments: [String]) async throws -> String? {
    do {
      return try await git.text(arguments, in: path)
    } catch is ProcessFailure {
      return nil
    }
  }
}

/// The path of the repository that a pod reports on; each child pod overrides it.
let repositoryPathProvider = Provider("repositoryPath", scope: .repository) { _ in "." }

let repositoryProvider = ThrowingProvider(scope: .repository) { pod in
  Repository(git: try pod.resolve(gitProvider), path: pod.resolve(repositoryPathProvider))
}
