/// The options of a check, and its findings.
package struct GraphChecker {
  /// Whether providers that no code resolves are findings.
  package var includesUnused = false
  /// Whether other packages may resolve public providers.
  package var allowsUnusedPublic = false
  /// The subjects of findings that are accepted, with or without the module: `appThing keeps screenThing`.
  package var accepted: [String] = []

  package init() {}

  /// Checks a graph.
  ///
  /// - Returns: The findings in the order of their places.
  /// - Throws: A ``CheckError`` if a source that the checks need cannot be read.
  package func findings(of graph: ProgramGraph) throws(CheckError) -> [Finding] {
    let found =
      graph.captives() + graph.cycles()
      + (includesUnused ? graph.unused(allowsPublic: allowsUnusedPublic) : [])
    try graph.source.check()
    let isFound = Set(found.flatMap(\.subjects))
    let stale = accepted.filter { !isFound.contains($0) }.compactMap { graph.stale($0) }
      .filter { includesUnused || $0.kind != .unused }
    return (found.filter { !$0.subjects.contains(where: accepted.contains) } + stale).sorted {
      ($0.location.file, $0.location.position, $0.text) < ($1.location.file, $1.location.position, $1.text)
    }
  }
}

extension ProgramGraph {
  /// The finding for a subject that is accepted and no longer found.
  fileprivate func stale(_ subject: String) -> Finding? {
    let own = sorted.filter(\.isOwn)
    // The finding is placed at the first provider if its own provider no longer exists.
    let named = own.filter { provider in
      [provider.name, "\(provider.definition.module).\(provider.name)"].contains {
        subject == $0 || subject.hasPrefix("\($0) ")
      }
    }
    guard let provider = named.max(by: { $0.name.count < $1.name.count }) ?? own.first else { return nil }
    let kind: Finding.Kind = subject.contains(" keeps ") ? .captive : subject.contains(" → ") ? .cycle : .unused
    return Finding(
      .warning, kind, at: provider, subject: subject,
      text: "\(subject): this accepted finding was not found. Remove it from the accepted findings.")
  }
}
