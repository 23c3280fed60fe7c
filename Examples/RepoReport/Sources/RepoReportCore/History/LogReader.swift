import Foundation
import Peapod

/// Reads the history of a repository, commit by commit, with no more than one piece of it in memory.
struct LogReader: Sendable {
  let repository: Repository
  let mailMap: @Sendable () async throws -> MailMap
  let since: Date?

  /// Gives every commit to `body`, the newest first, with its real author and the present names of its files.
  func forEachCommit(_ body: (Commit) -> Void) async throws {
    let mailMap = try await mailMap()
    var renames = RenameTracker()
    func complete(_ commit: Commit) {
      var commit = commit
      commit.author = mailMap.author(commit.author)
      commit.changes = commit.changes.map { renames.follow($0) }
      body(commit)
    }

    var parser = LogParser()
    do {
      for try await piece in try repository.log(arguments) { try parser.parse(piece, complete) }
    } catch let failure as ProcessFailure {
      throw ReportError(failure)
    }
    try parser.finish(complete)
  }

  /// The arguments that make git's output independent of its configuration.
  private var arguments: [String] {
    let fixed = [
      "--numstat", "-z", "--find-renames", "--format=\(LogParser.format)", "--date=raw", "--encoding=UTF-8",
      "--no-color", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-relative", "--root",
    ]
    // Before 1970 git cannot count, and there was none.
    guard let seconds = since?.timeIntervalSince1970, seconds > 0 else { return fixed }
    return fixed + ["--since=@\(Int(seconds)) +0000"]
  }
}

let logReaderProvider = ThrowingProvider(scope: .repository) { pod in
  LogReader(
    repository: try pod.resolve(repositoryProvider),
    mailMap: pod.factory(mailMapProvider),
    since: pod.resolve(settingsProvider).since)
}
