extension ProgramGraph {
  /// The dependency cycles: one shortest cycle for each provider that no reported cycle contains.
  func cycles() -> [Finding] {
    var found: [Finding] = []
    var isReported: Set<String> = []
    for isCertain in [true, false] {
      for start in sorted where start.isOwn && !isReported.contains(start.usr) {
        guard let way = shortestCycle(from: start, isCertain: isCertain) else { continue }
        let usrs = way.map(\.target.usr)
        guard isReported.isDisjoint(with: usrs) || isCertain else { continue }
        isReported.formUnion(usrs)
        let chain = ([start] + way.map(\.target)).map(\.name).joined(separator: " → ")
        found.append(
          Finding(
            isCertain ? .error : .warning, .cycle, at: start, subject: chain,
            text: "\(chain) \(isCertain ? "is" : "may be") a dependency cycle. Break it with lazy or factory.", way: way
          ))
      }
    }
    return found
  }

  private func shortestCycle(from start: StaticProvider, isCertain: Bool) -> [StaticEdge]? {
    var previous: [String: (edge: StaticEdge, from: StaticProvider)] = [:]
    var queue = [start]
    var position = 0
    while position < queue.count {
      let provider = queue[position]
      position += 1
      for edge in provider.edges where edge.use == .direct || edge.use == .borrow {
        guard !isCertain || edge.certainty == .certain else { continue }
        if edge.target === start {
          var way = [edge]
          var current = provider
          while current !== start, let (step, from) = previous[current.usr] {
            way.append(step)
            current = from
          }
          return way.reversed()
        }
        if previous[edge.target.usr] == nil {
          previous[edge.target.usr] = (edge, provider)
          queue.append(edge.target)
        }
      }
    }
    return nil
  }
}
