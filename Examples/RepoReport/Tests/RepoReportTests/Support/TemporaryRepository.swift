import Foundation

@testable import RepoReportCore

/// A real repository in a temporary folder, which is deleted with this object.
final class TemporaryRepository: Sendable {
  let folder: URL
  private let git: Git

  var path: String { folder.path(percentEncoded: false) }

  init() async throws {
    git = try Git(runner: SystemProcessRunner())
    folder = FileManager.default.temporaryDirectory.appending(path: "repo-report \(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try await run("init", "--quiet")
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  func write(_ text: String, to name: String) throws {
    let file = folder.appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func commit(_ author: String, _ date: String) async throws {
    try await run("add", "--all")
    try await run("commit", "--quiet", "--allow-empty", "--message=m", "--author=\(author)", "--date=\(date)")
  }

  func run(_ arguments: String...) async throws {
    let identity = ["-c", "user.name=Committer", "-c", "user.email=c@example.com", "-c", "commit.gpgSign=false"]
    _ = try await git.text(identity + arguments, in: path)
  }
}
