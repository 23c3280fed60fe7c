extension ProgramGraph {
  /// The providers whose instances stay cached longer than one of their dependencies.
  func captives() -> [Finding] {
    sorted.filter(\.isOwn).flatMap { provider -> [Finding] in
      switch provider.scope {
      case .singleton, .custom: return captives(of: provider)
      default: return []
      }
    }
  }

  /// Follows the dependencies through transient, graph and weak instances, the certain paths first.
  private func captives(of keeper: StaticProvider) -> [Finding] {
    var found: [Finding] = []
    var seen: Set<String> = []
    var visits: [[(provider: StaticProvider, way: [StaticEdge])]] = [[(keeper, [])], []]
    for level in 0..<visits.count {
      var position = 0
      while position < visits[level].count {
        let (provider, way) = visits[level][position]
        position += 1
        // A provider that was reached by a certain path is not visited again.
        guard seen.insert(provider.usr).inserted else { continue }
        if provider !== keeper, case .custom = provider.scope {
          found += captive(keeper, way, isCertain: level == 0)
          continue
        }
        for edge in provider.edges where edge.use == .direct || edge.use == .peek {
          switch edge.target.scope {
          case .transient, .graph, .weak, .custom:
            let isCertain = edge.certainty != .uncertain && edge.use == .direct
            visits[isCertain ? level : 1].append((edge.target, way + [edge]))
          case .singleton, .unknown: break
          }
        }
      }
    }
    return found
  }

  private func captive(_ keeper: StaticProvider, _ way: [StaticEdge], isCertain: Bool) -> [Finding] {
    guard let kept = way.last?.target else { return [] }
    let isCleared = isCleared(keeper.scope, with: kept.scope)
    guard isCleared != true else { return [] }
    let subject = "\(keeper.name) keeps \(kept.name)"
    func finding(_ severity: Finding.Severity, _ verb: String, _ reason: String) -> [Finding] {
      [
        Finding(
          severity, .captive, at: keeper, subject: subject, text: "\(keeper.label) \(verb) \(kept.label), \(reason)",
          way: way)
      ]
    }
    guard isCertain, isCleared == false else {
      return finding(.warning, "may keep", "which can be cleared under it.")
    }
    if keeper.scope == .singleton, requiresOwner(kept.scope) {
      return finding(
        .warning, "keeps",
        "which belongs to one owner. It then lives in that owner's pod, and not as long as a singleton.")
    }
    return finding(.error, "keeps", "which can be cleared under it.")
  }
}
