/// Whether an instance is the right answer for a pod.
///
/// An instance is right for a pod if its dependencies, direct or not, would have the same definitions and the same scope owners there.
/// Within its home, an override hides instances that are no longer right. So only the pods between the home and the resolving pod have to
/// be checked.
extension PodState {
  /// Whether this pod shares an instance that is visible in its home, and the home is this pod or an ancestor.
  ///
  /// Called without the locks of pods, since the answers to deferred dependencies are looked up. `retained`: retains them, if another lock is
  /// held.
  func shares(_ instance: Instance, _ retained: RetainedObjects? = nil) -> Bool {
    let home = instance.home
    let changes = changes(below: home)
    // First: a pod that changes the end of a long path builds each instance on the path anew, and looks at each.
    if !changes.isEmpty, retained == nil, differs(from: instance, at: chainRevision) { return false }
    let isRight =
      changes.isEmpty || retained == nil && home.isUnchanged(instance, for: self)
      || !isAnyChanged(
        instance.dependencies, of: instance, in: home, by: levels(below: home), retained, remembers: retained == nil)
    // Compared last: if the home has ended meanwhile, its overrides counted as those of an inner pod.
    return isRight && isBelow(orSame: home)
  }

  /// The pods with changes, from this pod up to `other`, without `other`.
  func levels(below other: PodState) -> [PodState] {
    selfAndAncestors.prefix { $0 !== other }.filter { $0.changes.load(ordering: .relaxed) != 0 }
  }

  /// Whether some pods would build one of some dependencies, direct or not, in another way.
  ///
  /// A depth-first search: where the pod changes much of what an ancestor has, the first path leads to a change. `holder`: the instance that
  /// has these dependencies, and lives in `home`. `remembers`: whether the levels are all below the home, so that the pod remembers the path
  /// that was found: the builders of its instances will resolve the others on the path.
  func isAnyChanged(
    _ dependencies: [Dependency], of holder: Instance, in home: PodState, by levels: [PodState],
    _ retained: RetainedObjects? = nil, remembers: Bool = false
  ) -> Bool {
    let (start, revision) = (home, remembers ? chainRevision : 0)
    // Each found instance, retained, with the holder of the direct dependency by which it was found.
    var found: [ObjectIdentifier: (instance: Instance, holder: Instance?)] = [:]
    var rest: [Instance] = []
    var asked: Set<HeldQuestion> = []
    func isBuiltAnew(
      _ other: Instance, of holder: Instance?, isOriginal: Bool = false, hasInnerOwner: Bool = false
    ) -> Bool {
      if found[ObjectIdentifier(other)] == nil {
        found[ObjectIdentifier(other)] = (other, holder)
        rest.append(other)
        if remembers, other.home === start, differs(from: other, at: revision) { return true }
      }
      if other.isConstant(for: self) { return false }
      return !isOriginal && levels.contains { $0.overrides(other.declaration) }
        || !hasInnerOwner && !other.flags.contains(.hasInnerOwner)
          && isOwned(other.scope.identity, by: levels, besides: other.home)
    }
    var (holder, home, dependencies) = (holder, home, dependencies)
    while true {
      for dependency in dependencies {
        switch dependency {
        case .instance(let other):
          // An override that resolves its own provider receives the definition beneath, whichever override takes precedence.
          guard isBuiltAnew(other, of: holder, isOriginal: other.declaration === holder.declaration) else { continue }
          // To repeat a short search costs less than to remember it.
          if remembers, found.count > 16 {
            let path = sequence(first: holder) { found[ObjectIdentifier($0)]?.holder }
            remember(path.filter { $0.home === start }, at: revision)
          }
          return true
        case .crossPod(_, let pod):
          if isFromOtherBranch([dependency], of: pod, in: home, by: levels, retained) { return true }
        case .deferred(let question):
          if let pod = question.pod {
            if isFromOtherBranch([dependency], of: pod, in: home, by: levels, retained) { return true }
            continue
          }
          let isOriginal = question.declaration === holder.declaration
          // An answer of an inner pod may itself have deferred what the inner pod overrides.
          if !question.isConstant(for: self),
            !isOriginal && levels.contains(where: { $0.overrides(question.declaration) })
              || !question.hasInnerOwner && isOwned(question.scope.identity, by: levels, besides: home)
          {
            return true
          }
          let hasInnerOwner = question.hasInnerOwner
          guard isOriginal || asked.insert(HeldQuestion(question, in: home)).inserted else { continue }
          if question.answers(for: home, retained).contains(where: {
            isBuiltAnew($0, of: nil, isOriginal: isOriginal, hasInnerOwner: hasInnerOwner)
          }) {
            return true
          }
          // Else an answer of this pod itself differs from the home's answer, which may not exist yet.
          let own = hasInnerOwner ? [] : question.answers(for: self, retained)
          if own.contains(where: { answer in levels.contains { $0 === answer.home } }) { return true }
        }
      }
      guard let next = rest.popLast() else { return false }
      (holder, home, dependencies) = (next, next.home, next.dependencies)
    }
  }

  /// Whether this pod remembers that it does not share an instance.
  private func differs(from instance: Instance, at revision: UInt) -> Bool {
    withLock { held in
      guard let rare = knownRare(held), rare.differing.revision == revision else { return false }
      return rare.differing.instances[ObjectIdentifier(instance)] != nil
    }
  }

  private func remember(_ instances: [Instance], at revision: UInt) {
    let outdated = withLock { held -> [ObjectIdentifier: Instance]? in
      let rare = madeRare(held)
      // So that weak instances, which the root builds again and again, do not fill the memory.
      let isCurrent = rare.differing.revision == revision && rare.differing.instances.count < 10_000
      let outdated = isCurrent ? nil : rare.differing.instances
      if outdated != nil { rare.differing = ([:], revision) }
      for instance in instances { rare.differing.instances[ObjectIdentifier(instance)] = instance }
      return outdated
    }
    // Released without the lock: an instance may have the last reference to an argument of the user.
    withExtendedLifetime(outdated) {}
  }

  /// Whether a builder resolved or deferred dependencies from a descendant of its instance's home, such as the child of another request, and
  /// some pods override or own what is concerned, directly or not.
  func isFromOtherBranch(
    _ dependencies: [Dependency], of pod: PodState, in home: PodState, by levels: [PodState],
    _ retained: RetainedObjects? = nil
  ) -> Bool {
    guard pod !== home, pod.isBelow(orSame: home) else { return false }
    var walk = Walk<Instance>()
    var asked: Set<HeldQuestion> = []
    var (home, dependencies) = (pod, dependencies)
    while true {
      for dependency in dependencies {
        let (declaration, scope) = (dependency.declaration, dependency.scope.identity)
        if levels.contains(where: { $0.overrides(declaration) || $0.owned.contains(scope) }) { return true }
        switch dependency {
        case .instance(let other), .crossPod(let other, _): walk.add(other)
        case .deferred(let question):
          guard asked.insert(HeldQuestion(question, in: home)).inserted else { continue }
          for answer in question.answers(for: home, retained) { walk.add(answer) }
        }
      }
      guard let next = walk.next() else { return false }
      (home, dependencies) = (next.home, next.dependencies)
    }
  }

  /// Whether some pods own a scope, and not an inner pod in which the instance of this scope, or its holder, lives.
  private func isOwned(_ scope: ScopeIdentity, by levels: [PodState], besides home: PodState) -> Bool {
    levels.contains { $0.owned.contains(scope) } && (isBelow(orSame: home) || !home.ownsInside(scope, of: self))
  }

  /// Whether an instance that was just built for this pod, or is being built, is still right, although overrides changed meanwhile.
  ///
  /// `dependencies`: the dependencies so far of an instance that is being built.
  func isStillRight(_ instance: Instance, _ dependencies: [Dependency]? = nil, after outer: Override?) -> Bool {
    if let outer, !hasInstalled(outer) { return false }
    struct Step { let instance: Instance, dependencies: [Dependency], outer: Override? }
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(instance)]
    var rest = [Step(instance: instance, dependencies: dependencies ?? instance.dependencies, outer: outer)]
    while let step = rest.popLast() {
      let instance = step.instance
      if instance.flags.contains(.isOutdated) { return false }
      guard definition(of: instance.declaration, after: step.outer) === instance.definition else { return false }
      for dependency in step.dependencies {
        switch dependency {
        case .instance(let other):
          // An override that resolves its own provider receives the definition beneath. Another dependent of the same instance expects
          // the effective definition, so such a visit does not count as the visit for others.
          let outer = other.declaration === instance.declaration ? instance.definition : nil
          guard outer != nil || seen.insert(ObjectIdentifier(other)).inserted else { continue }
          rest.append(Step(instance: other, dependencies: other.dependencies, outer: outer))
        case .crossPod: break
        case .deferred(let question):
          guard question.pod == nil, question.declaration !== instance.declaration else { continue }
          if question.isChanged(in: self) { return false }
        }
      }
    }
    return true
  }
}

extension PodState {
  /// Whether this pod was a descendant of another pod, had an instance that a builder there resolved, and has ended.
  ///
  /// `isDirect`: whether the answer itself has this dependency. A child that a builder made ends with the build, so it does not count for that
  /// builder's instance, which has the dependency through another.
  fileprivate func hasEndedRequest(of instance: Instance, builtFrom home: PodState, isDirect: Bool) -> Bool {
    isEnded && (isDirect || maker == nil) && !home.isBelow(orSame: instance.home)
  }
}

extension Question {
  /// Whether the override of an inner pod, in which the holder lives, answers this question, so that the question is constant for `view`.
  fileprivate func isConstant(for view: PodState) -> Bool {
    guard let definition else { return false }
    return !view.selfAndAncestors.contains { $0.isOwner(of: definition) || $0.isOwner(of: definition.original) }
  }
}

extension Instance {
  /// Whether the cross-pod dependencies of this instance are the present answers of their pods in this task.
  ///
  /// `soFar`: the dependencies and the home of an instance that is being built.
  func isCurrentElsewhere(_ soFar: (dependencies: [Dependency], home: PodState)? = nil) -> Bool {
    guard soFar != nil || traits.contains(.isCrossPod) else { return true }
    var walk = Walk(from: self)
    while let current = walk.next() {
      let (dependencies, home) = current === self ? soFar ?? (dependencies, home) : (current.dependencies, current.home)
      for dependency in dependencies {
        if case .crossPod(let other, let pod) = dependency {
          // Builders of the same tree do not use the scope.
          let acting =
            pod.root !== home.root
            ? TaskContext.state(actingElsewhereFor: pod, inBuilderFor: home)
            : pod.hasEndedRequest(of: other, builtFrom: home, isDirect: current === self) ? nil : pod
          guard let acting, acting.isBelow(orSame: other.home), acting.effective.isStillRight(other, after: nil) else {
            return false
          }
        }
        if let other = dependency.instance, other.traits.contains(.isCrossPod) { walk.add(other) }
      }
    }
    return true
  }

  /// Whether an override of the home built this instance, and the home is neither `view` nor its ancestor; the instance is then constant
  /// for `view`.
  fileprivate func isConstant(for view: PodState) -> Bool {
    guard let definition, home.isOwner(of: definition) else { return false }
    return !view.isBelow(orSame: home)
  }
}
