extension Pod {
  /// A snapshot of the dependency graph of this pod and its descendants.
  ///
  /// The graph of a child also has the instances that the child shares with its ancestors.
  ///
  /// - Complexity: O(instances). The pod's lock is held only while references to the instances are copied.
  public var graph: ProviderGraph { GraphSnapshot(of: actingState).graph() }

  /// The class instances that this pod built and caches, with their providers.
  ///
  /// Without the objects that were given as the values of overrides, which other providers may return too.
  package func instances() -> [(info: ProviderInfo, object: AnyObject?)] {
    let state = actingState
    let overrides = state.selfAndAncestors.flatMap { pod in pod.withLock { _ in pod.overrides.elements } }
    let given = overrides.compactMap { override in override.constant.flatMap { override.target.object(in: $0) } }
    let identities = Set(given.map { ObjectIdentifier($0) })
    return state.cachedInstances.compactMap { instance in
      guard !instance.isConstant else { return nil }
      let (isThere, object) = state.withLock { held -> (Bool, AnyObject?) in
        guard instance.state == .cached else { return (false, nil) }
        if instance.flags.contains(.isWeak) {
          let object = instance.weakObject(held)?.object.takeRetainedValue()
          return (object != nil, object)
        }
        return (true, instance.declaration.object(in: StoredValue(word: instance.word)))
      }
      let isGiven = object.map { identities.contains(ObjectIdentifier($0)) } ?? false
      return isThere && !isGiven ? (instance.info, object) : nil
    }
  }

  /// The overrides of this pod that no resolve has used, without those of sets.
  package func unresolvedOverrides() -> [ProviderInfo] {
    let state = actingState
    let overrides = state.withLock { _ in state.overrides.elements }
    return overrides.filter { $0.origin == nil && !$0.isOfSet && !$0.isUsed }.map(\.info)
  }

  /// The number of callers that wait while this pod builds the instance of a provider.
  ///
  /// Only tests use this number.
  package func waiterCount(of provider: some ProviderProtocol) -> Int {
    guard let declaration = provider.id.declaration else { return 0 }
    let state = actingState
    let build = state.withLock { held in state.instances(of: declaration, held).lazy.compactMap(\.build).first }
    return build.map { build in WaitGraph.withLock { build.waiters.count } } ?? 0
  }

  /// Whether two references stand for one pod, or for the override scope that acts for it.
  package func isSame(as other: Pod) -> Bool { actingState === other.actingState }

  /// Whether this pod or an ancestor overrides a provider or a family.
  ///
  /// An override of a family counts for its members.
  package func isOverridden(_ id: ProviderID) -> Bool {
    actingState.selfAndAncestors.contains { state in
      state.withLock { _ in state.overrides.elements }
        .contains { id.isCovered(by: ProviderID($0.target, isBound: false)) }
    }
  }
}

extension ProviderFamily {
  /// A description of the family as a whole.
  package var info: ProviderInfo { ProviderInfo(family, scope: family.scope) }
}
