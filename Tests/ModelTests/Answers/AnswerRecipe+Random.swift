extension AnswerDefinition {
  /// Makes a definition of a node at random; `depth` tells how many inner pods lead to it.
  static func random(
    _ node: Int, label: String, isOverride: Bool, depth: Int, hasScopes: Bool, _ generator: inout SplitMix64
  ) -> AnswerDefinition {
    if isOverride, generator.chance(40) { return .value(label: label) }
    var asks: [AnswerAsk] = []
    if isOverride, generator.chance(40) { asks.append(.itself) }
    var deferred: [AnswerDeferred] = []
    if node > 0 {
      for _ in 0..<generator.below(4) {
        asks.append(.random(below: node, depth: depth, hasScopes: hasScopes, &generator))
      }
      if generator.chance(40) {
        deferred.append(AnswerDeferred(node: generator.below(node), isLazy: generator.chance(50)))
      }
    }
    return .builder(label: label, asks, deferred: deferred)
  }
}

extension AnswerAsk {
  fileprivate static func random(below limit: Int, depth: Int, hasScopes: Bool, _ generator: inout SplitMix64)
    -> AnswerAsk
  {
    let node = generator.chance(50) ? limit - 1 : generator.below(limit)
    guard depth < 2, generator.chance(35) else {
      switch generator.below(12) {
      case 0: return .lazy(node)
      case 1: return .factory(node)
      case 2: return .perUse(node)
      case 3: return .fresh(node)
      // Within an override scope of the captured pod itself, that pod acts as the scope says.
      case 4: return hasScopes ? .direct(node) : .captured(node, from: generator.chance(50) ? .main : .other)
      default: return .direct(node)
      }
    }
    var changes: [Int: AnswerDefinition] = [:]
    for index in 0..<generator.below(3) {
      let changed = generator.below(limit)
      let label = "i\(depth)\(index)\(generator.below(1_000))"
      changes[changed] = .random(
        changed, label: label, isOverride: true, depth: depth + 1, hasScopes: hasScopes, &generator)
    }
    return .inner(
      isOverrideScope: hasScopes && generator.chance(40), isOwner: generator.chance(30), isKept: generator.chance(20),
      changes,
      .random(below: limit, depth: depth + 1, hasScopes: hasScopes, &generator))
  }
}
