import Peapod

/// Finds the files that change most often.
final class FileAnalyser: Analyser {
  private let rows: Int
  private var summaries: [String: FileSummary] = [:]

  init(rows: Int) {
    self.rows = rows
  }

  func learn(from commit: Commit) {
    for change in commit.changes {
      var summary = summaries[change.path] ?? FileSummary(path: change.path)
      summary.changes += 1
      summary.added += change.added
      summary.deleted += change.deleted
      summaries[change.path] = summary
    }
  }

  func complete(_ report: inout Report) {
    report.files = Ranking(summaries.values, limit: rows) { ($1.changes, $0.path) < ($0.changes, $1.path) }
  }
}

let fileAnalyserProvider = Provider(scope: .alwaysCreateNew) { pod in
  FileAnalyser(rows: pod.resolve(settingsProvider).rows)
}
