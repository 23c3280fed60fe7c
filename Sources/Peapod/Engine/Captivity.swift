/// Finds instances that are kept longer than what they were built from.
enum Captivity {
  /// A pair that is one, or may be.
  struct Suspect: Sendable {
    let pair: CaptivePair
    // Safe: kept here, and read under the engine's lock alone.
    nonisolated(unsafe) let layer: Layer.Object
    let dependent: ProviderInfo
    let dependency: ProviderInfo
    let dependentScope: ScopeIdentity
    let dependencyScope: ScopeIdentity
  }

  /// Collects the pairs of a new instance.
  ///
  /// Called with the engine's lock held.
  static func suspect(_ entry: Entry, _ aftermath: inout Aftermath) {
    guard entry.mayBeCaptor, entry.scopeKind == .singleton || entry.scopeKind == .custom else { return }
    let scope = entry.scope
    var seen: Set<Entry> = []
    var rest = [entry]
    while let current = rest.popLast() {
      for edge in current.dependencies where !edge.isDeferred {
        let other = edge.entry
        switch other.scopeKind {
        case .alwaysCreateNew, .graph, .weak:
          // What no pod keeps goes on living in the new instance: what it was built from counts.
          if seen.insert(other).inserted { rest.append(other) }
        case .custom where other.scope !== scope:
          let pair = CaptivePair(dependent: entry.declaration.number, dependency: other.declaration.number)
          guard entry.layer.captives[pair] == nil else { continue }
          aftermath.work.seldom.suspects.append(
            Suspect(
              pair: pair, layer: entry.layer.object, dependent: entry.info, dependency: other.info,
              dependentScope: scope, dependencyScope: other.scope))
        default: break
        }
      }
    }
  }

  /// Decides and reports.
  ///
  /// Asks scopes for their children, so it is called without the lock.
  static func examine(_ suspects: [Suspect]) {
    for suspect in suspects {
      let ending = ScopeIdentity.tree(below: [suspect.dependencyScope.scope])
      guard !ending.contains(suspect.dependentScope) else { continue }
      Engine.locked { aftermath in
        let found = ProviderGraph.CaptiveDependency(dependent: suspect.dependent, dependency: suspect.dependency)
        let layer = Layer(suspect.layer)
        guard layer.captives.updateValue(found, forKey: suspect.pair) == nil else { return }
        // A pair is told once for the whole tree of pods.
        guard layer.root.reportedCaptives.insert(suspect.pair).inserted else { return }
        layer.emit(
          .captiveDependency(dependent: suspect.dependent, dependency: suspect.dependency), &aftermath)
        #if DEBUG
          aftermath.work.seldom.warnings.append(
            Failure.captive(suspect.dependent, suspect.dependency))
        #endif
      }
    }
  }
}

/// Two providers, by number.
struct CaptivePair: Hashable, Sendable {
  let dependent: UInt64
  let dependency: UInt64
}
