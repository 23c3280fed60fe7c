extension AnswerDefinition {
  /// Makes a definition of a node at random; `depth` tells how many inner pods lead to it.
  static func random(
    _ node: Int, label: String, isOverride: Bool, depth: Int, _ contents: AnswerContents,
    _ generator: inout SplitMix64
  ) -> AnswerDefinition {
    if isOverride, generator.chance(40) { return .value(label: label) }
    var asks: [AnswerAsk] = []
    if isOverride, generator.chance(40) { asks.append(.itself) }
    var deferred: [AnswerDeferred] = []
    if node > 0 {
      for _ in 0..<generator.below(4) {
        asks.append(.random(below: node, depth: depth, contents, &generator))
      }
      // An async node has no lazy, and a handle is used outside of tasks.
      let limit = min(node, contents.syncCount)
      if contents.hasHandles, generator.chance(40), limit > 0 {
        deferred.append(AnswerDeferred(node: generator.below(limit), isLazy: generator.chance(50)))
      }
    }
    return .builder(label: label, asks, deferred: deferred)
  }
}

extension AnswerAsk {
  fileprivate static func random(
    below limit: Int, depth: Int, _ contents: AnswerContents, _ generator: inout SplitMix64
  ) -> AnswerAsk {
    let node = generator.chance(50) ? limit - 1 : generator.below(limit)
    guard depth < 2, generator.chance(35) else {
      switch generator.below(16) {
      case 0: return .fresh(node)
      case 1 where contents.hasHandles: return .lazy(node)
      case 2 where contents.hasHandles: return .factory(node)
      case 3 where contents.hasHandles: return .perUse(node)
      case 4 where contents.hasHandles: return .cached(node)
      case 5..<7: return contents.hasCurrent ? .current(node) : .injected(node)
      case 7 where contents.hasCurrent: return .current(node)
      case 7 where contents.hasCaptured: return .captured(node, from: generator.chance(50) ? .main : .other)
      default: return .direct(node)
      }
    }
    var changes: [Int: AnswerDefinition] = [:]
    for index in 0..<generator.below(3) {
      let changed = generator.below(limit)
      let label = "i\(depth)\(index)\(generator.below(1_000))"
      changes[changed] = .random(
        changed, label: label, isOverride: true, depth: depth + 1, contents, &generator)
    }
    return .inner(
      isOverrideScope: contents.hasScopes && generator.chance(40), isOwner: generator.chance(30),
      // A child that is kept is not `Pod.current`.
      isKept: !contents.hasCurrent && generator.chance(20), changes,
      .random(below: limit, depth: depth + 1, contents, &generator))
  }
}
