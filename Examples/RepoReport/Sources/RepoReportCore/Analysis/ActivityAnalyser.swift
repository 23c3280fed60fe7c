import Peapod

/// Finds out on which days and at which hours people work.
final class ActivityAnalyser: Analyser {
  private var activity = Activity()

  func learn(from commit: Commit) {
    activity.commits[commit.date.weekday][commit.date.hour] += 1
  }

  func complete(_ report: inout Report) {
    report.activity = activity
  }
}

let activityAnalyserProvider = Provider(scope: .alwaysCreateNew) { _ in ActivityAnalyser() }
