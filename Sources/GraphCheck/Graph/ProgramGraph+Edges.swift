extension ProgramGraph {
  /// The dependencies of a provider: of its own code and of the functions that the code calls.
  ///
  /// Each dependency has the most certain path to it.
  func edges(of provider: StaticProvider) -> [StaticEdge] {
    struct Visit {
      let container: String
      let steps: [StaticEdge.Step]
    }
    // A longer path is never more certain, so each declaration is first reached by its most certain path.
    var visits: [[Visit]] = [[Visit(container: provider.usr, steps: [])], [], []]
    var seen: Set<String> = []
    var edges: [StaticEdge] = []
    var isFound: Set<[String]> = []
    for level in 0..<visits.count {
      var position = 0
      while position < visits[level].count {
        let visit = visits[level][position]
        position += 1
        guard seen.insert(visit.container).inserted else { continue }
        for fact in facts(of: visit.container) {
          switch fact {
          case .call(let usr, let certainty, let step):
            visits[max(level, certainty.rawValue)].append(Visit(container: usr, steps: visit.steps + [step]))
          case .use(let target, let use, let certainty, let step):
            let worst = max(level, certainty.rawValue)
            edges.append(
              StaticEdge(
                target: target, use: use, certainty: StaticEdge.Certainty(rawValue: worst) ?? .uncertain,
                steps: visit.steps + [step]))
          }
        }
      }
    }
    return edges.sorted { $0.certainty < $1.certainty }
      .filter { isFound.insert([$0.target.usr, "\($0.use)"]).inserted }
  }
}
