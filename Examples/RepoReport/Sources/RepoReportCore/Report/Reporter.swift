import Peapod
import PeapodSystem

/// Reads the history of a repository once, and lets every analyser learn from it.
struct Reporter: Sendable {
  let repository: Repository
  let log: LogReader
  let makeAnalysers: @Sendable () -> [any Analyser]
  let settings: Settings
  let date: DateSource
  let progress: ProgressLine

  func report() async throws -> Report {
    var report = Report(path: repository.path, generated: date.now, since: settings.since)
    report.isShallow = try await repository.isShallow()
    guard try await repository.hasCommits() else { return report }

    let analysers = makeAnalysers()
    try await log.forEachCommit { commit in
      for analyser in analysers { analyser.learn(from: commit) }
      progress.advance()
    }
    for analyser in analysers { analyser.complete(&report) }
    return report
  }
}

let reporterProvider = ThrowingProvider(scope: .repository) { pod in
  Reporter(
    repository: try pod.resolve(repositoryProvider),
    log: try pod.resolve(logReaderProvider),
    makeAnalysers: pod.factory(analysersProvider),
    settings: pod.resolve(settingsProvider),
    date: pod.resolve(.date),
    progress: pod.resolve(progressLineProvider))
}

/// The report itself, for which all callers wait while it is being written.
let reportProvider = AsyncProvider(scope: .analysis) { pod in
  try await pod.resolve(reporterProvider).report()
}
