import Peapod

/// Adds up a whole history.
final class TotalsAnalyser: Analyser {
  private var totals = Totals()
  private var first: CommitDate?
  private var last: CommitDate?

  func learn(from commit: Commit) {
    totals.commits += 1
    for change in commit.changes {
      totals.added += change.added
      totals.deleted += change.deleted
    }
    if first.map({ commit.date.seconds < $0.seconds }) ?? true { first = commit.date }
    if last.map({ commit.date.seconds > $0.seconds }) ?? true { last = commit.date }
  }

  func complete(_ report: inout Report) {
    totals.firstDay = first?.day
    totals.lastDay = last?.day
    report.totals = totals
  }
}

let totalsAnalyserProvider = Provider(scope: .alwaysCreateNew) { _ in TotalsAnalyser() }
