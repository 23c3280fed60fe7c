/// Whether an instance is the right answer for a pod.
///
/// An instance is right for a pod if its dependencies, direct or not, would have the same definitions and the same scope owners there.
/// Within its home, an override hides instances that are no longer right. So only the pods between the home and the resolving pod have to
/// be checked.
extension PodState {
  /// Whether this pod shares an instance that is visible in its home, which is this pod or an ancestor.
  ///
  /// Called without locks, since the answers to deferred dependencies are looked up.
  func shares(_ instance: Instance) -> Bool {
    let home = instance.home
    let bits = changes(below: home)
    if bits == 0 { return true }
    return !isAnyChanged([instance], by: levels(below: home), isTop: true)
  }

  /// The pods with changes, from this pod up to `other`, without `other`.
  func levels(below other: PodState) -> [PodState] {
    selfAndAncestors.prefix { $0 !== other }.filter { $0.changes.load(ordering: .relaxed) != 0 }
  }

  /// Whether some pods change the answer to any question among dependencies.
  func isAnyQuestionChanged(_ dependencies: [Dependency], by levels: [PodState]) -> Bool {
    dependencies.contains { dependency in
      guard case .deferred(let question) = dependency, question.pod == nil else { return false }
      return isChanged(question, by: levels)
    }
  }

  /// Whether some pods would build one of some instances, or one of their dependencies, in another way.
  ///
  /// `isTop`: whether the instances answer a request, which has already found their definition.
  func isAnyChanged(_ instances: [Instance], by levels: [PodState], isTop: Bool) -> Bool {
    var seen = Set(instances.map { ObjectIdentifier($0) })
    var rest = instances.map { (instance: $0, judgesDefinition: !isTop, judgesScope: !isTop) }
    while let (instance, judgesDefinition, judgesScope) = rest.popLast() {
      if judgesDefinition, levels.contains(where: { $0.overrides(instance.declaration) }) { return true }
      if judgesScope, !instance.flags.contains(.hasInnerOwner), isOwned(instance.scope.identity, by: levels) {
        return true
      }
      for dependency in instance.dependencies {
        switch dependency {
        case .instance(let other):
          guard seen.insert(ObjectIdentifier(other)).inserted else { continue }
          let isJudged = !other.isConstant(for: self)
          // An override that resolves its own provider receives the definition beneath, whichever override takes precedence.
          rest.append((other, isJudged && other.declaration !== instance.declaration, isJudged))
        case .crossPod: break
        case .deferred(let question):
          guard question.pod == nil else { continue }
          if isChanged(question, by: levels) { return true }
          for other in question.answers(for: instance.home) where seen.insert(ObjectIdentifier(other)).inserted {
            let isJudged = !other.isConstant(for: self)
            rest.append((other, isJudged, isJudged))
          }
        }
      }
    }
    return false
  }

  private func isChanged(_ question: Question, by levels: [PodState]) -> Bool {
    levels.contains { $0.overrides(question.declaration) } || isOwned(question.scope.identity, by: levels)
  }

  private func isOwned(_ scope: ScopeIdentity, by levels: [PodState]) -> Bool {
    levels.contains { $0.owned.contains(scope) }
  }

  /// Whether an instance that was just built for this pod is still right, although overrides changed meanwhile.
  func isStillRight(_ instance: Instance, after outer: Override?) -> Bool {
    if let outer, !hasInstalled(outer) { return false }
    struct Step { let instance: Instance, outer: Override? }
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(instance)]
    var rest = [Step(instance: instance, outer: outer)]
    while let step = rest.popLast() {
      let instance = step.instance
      if instance.flags.contains(.isOutdated) { return false }
      guard definition(of: instance.declaration, after: step.outer) === instance.definition else { return false }
      for dependency in instance.dependencies {
        switch dependency {
        case .instance(let other):
          // An override that resolves its own provider receives the definition beneath. Another dependent of the same instance expects
          // the effective definition, so such a visit does not count as the visit for others.
          let outer = other.declaration === instance.declaration ? instance.definition : nil
          guard outer != nil || seen.insert(ObjectIdentifier(other)).inserted else { continue }
          rest.append(Step(instance: other, outer: outer))
        case .crossPod: break
        case .deferred(let question):
          guard question.pod == nil, question.declaration !== instance.declaration else { continue }
          guard definition(of: question.declaration) === question.definition else { return false }
        }
      }
    }
    return true
  }

  /// Whether the cross-pod dependencies of an instance are still the answers of their pods.
  func hasCurrentCrossPodDependencies(_ instance: Instance) -> Bool {
    var walk = InstanceWalk(from: instance)
    while let current = walk.next() {
      for dependency in current.dependencies {
        if case .crossPod(let other, let pod) = dependency, !pod.effective.isStillRight(other, after: nil) {
          return false
        }
        if let other = dependency.instance, other.traits.contains(.isCrossPod) { walk.add(other) }
      }
    }
    return true
  }
}

extension Instance {
  /// Whether an override of the home built this instance, and the home is neither `view` nor its ancestor; the instance is then constant
  /// for `view`.
  fileprivate func isConstant(for view: PodState) -> Bool {
    guard let owner = definition?.ownerID, owner == ObjectIdentifier(home) else { return false }
    return !view.isBelow(orSame: home)
  }
}
