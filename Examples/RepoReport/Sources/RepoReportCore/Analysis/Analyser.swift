import Peapod

/// Learns from one commit after another, and then adds what it knows to a report.
protocol Analyser: AnyObject {
  func learn(from commit: Commit)
  func complete(_ report: inout Report)
}

/// A new set of analysers, which know nothing yet.
///
/// An analyser need not be `Sendable`: no pod caches it, and it belongs to the caller.
let analysersProvider = Provider<[any Analyser]>("analysers", scope: .alwaysCreateNew) { pod in
  [
    pod.resolve(totalsAnalyserProvider),
    pod.resolve(authorAnalyserProvider),
    pod.resolve(activityAnalyserProvider),
    pod.resolve(fileAnalyserProvider),
    pod.resolve(couplingAnalyserProvider),
    pod.resolve(folderAnalyserProvider),
  ]
}
