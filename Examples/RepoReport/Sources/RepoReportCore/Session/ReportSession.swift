import Peapod

/// Reports on several repositories at the same time, each in a child pod of its own.
public struct ReportSession: Sendable {
  private static let repositoriesAtOnce = 8

  private let pod: Pod

  /// Makes a session that takes everything it needs from a pod.
  public init(in pod: Pod) {
    self.pod = pod
  }

  /// Writes the reports in the order of the paths, and what went wrong to standard error.
  ///
  /// - Parameter paths: The repositories.
  /// - Returns: Whether all went well.
  public func run(_ paths: [String]) async -> Bool {
    let repositories = paths.map(makeChild)
    let outcomes = await repositories.concurrentMap(limit: Self.repositoriesAtOnce) { await Outcome(of: $0) }

    pod.resolve(progressLineProvider).erase()
    // The graph shows the pods of the repositories as long as they live.
    withExtendedLifetime(repositories) { write(outcomes.compactMap(\.report)) }
    let complaints = zip(paths, outcomes).compactMap { path, outcome in
      outcome.complaint.map { "repo-report: \(path): \($0)".printable + "\n" }
    }
    pod.resolve(consoleProvider).writeError(complaints.joined())
    return complaints.isEmpty
  }

  /// Makes the pod of one repository.
  ///
  /// It owns what belongs to a repository, and so has a log reader, a mail map and a report of its own. All else, from
  /// git to the progress line, it shares with the other children.
  private func makeChild(for path: String) -> Pod {
    pod.makeChild(path, owning: [.repository]) { $0.overrideProvider(repositoryPathProvider, withValue: path) }
  }

  private func write(_ reports: [Report]) {
    let settings = pod.resolve(settingsProvider)
    let renderer = pod.resolve(rendererProvider(settings.format))
    let graph = settings.graph.map { GraphDrawing(of: pod.graph, style: $0) }
    pod.resolve(consoleProvider).write(renderer.render(Document(reports: reports, graph: graph)))
  }
}
