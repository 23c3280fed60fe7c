import Peapod

/// Finds out who did how much.
final class AuthorAnalyser: Analyser {
  private let rows: Int
  private var summaries: [Author: AuthorSummary] = [:]

  init(rows: Int) {
    self.rows = rows
  }

  func learn(from commit: Commit) {
    var summary = summaries[commit.author] ?? AuthorSummary(author: commit.author)
    summary.commits += 1
    for change in commit.changes {
      summary.added += change.added
      summary.deleted += change.deleted
    }
    summaries[commit.author] = summary
  }

  func complete(_ report: inout Report) {
    report.authors = Ranking(summaries.values, limit: rows) {
      ($1.commits, $0.author.name, $0.author.email) < ($0.commits, $1.author.name, $1.author.email)
    }
  }
}

let authorAnalyserProvider = Provider(scope: .alwaysCreateNew) { pod in
  AuthorAnalyser(rows: pod.resolve(settingsProvider).rows)
}
