/// Removing instances from the tables of their pods.
extension PodState {
  /// Removes an instance that is to be disposed; returns whether the caller has to dispose the instance.
  ///
  /// An instance that is being built is detached. `isForgotten`: whether the instance leaves no record for the diagram.
  func removeFromTable(
    _ instance: Instance, isForgotten: Bool = false, _ retained: RetainedObjects, _ held: borrowing Held
  ) -> Bool {
    switch instance.state {
    case .building:
      detach(instance, held)
      return false
    case .record:
      if isForgotten {
        unpublish(instance, held)
        remove(instance, held)
      }
      return false
    case .cached:
      unpublish(instance, held)
      instance.state = .record
      guard instance.isAlive(retained, held) else {
        // Nothing is left to dispose. The record names the dependencies of the instance.
        StoredValue(word: instance.word).release()
        instance.word = 0
        if isForgotten { remove(instance, held) }
        return false
      }
      remove(instance, held)
      if !isForgotten, !instance.isConstant { noteCleared(instance, held) }
      return true
    }
  }

  /// Detaches a build: its waiters receive the instance, and no pod caches it.
  func detach(_ instance: Instance, _ held: borrowing Held) {
    guard instance.state == .building, !instance.flags.contains(.isDetached) else { return }
    instance.flags.insert(.isDetached)
    remove(instance, held)
  }

  /// Detaches builds whose home is this pod, and marks their instances as outdated, so that no pod caches their dependents either.
  ///
  /// The condition is evaluated without the lock.
  func detachBuilds(_ retained: RetainedObjects, where matches: (Build) -> Bool) {
    let builds = withLock { held in instances(held) { $0.state == .building }.compactMap(\.build) }
    for build in retained.add(builds) where matches(build) {
      build.withHome { home, held in
        // The build may have ended meanwhile.
        guard build.instance.state == .building else { return }
        build.instance.flags.insert(.isOutdated)
        home.detach(build.instance, held)
      }
    }
  }

  /// Removes the instances that meet a condition from this pod alone; returns the instances to dispose.
  ///
  /// `endsPod`: whether the pod itself ends. Then the instances leave no record for the diagram, and a shutdown of an ancestor finds the
  /// instances here, or among the closures that run.
  func end(
    _ retained: RetainedObjects, endsPod: Bool = false, where matches: (Instance) -> Bool = { _ in true }
  ) -> [Instance] {
    withLock { held in
      // Those that end are among them, and a builder's pod may retain this state for long.
      if let rare = knownRare(held) {
        _ = retained.add(Array(rare.differing.instances.values))
        rare.differing = ([:], 0)
        if endsPod { rare.masks = [:] }
      }
      let ended = retained.add(instances(held, where: matches)).filter {
        removeFromTable($0, isForgotten: endsPod, retained, held)
      }
      if endsPod, ended.contains(where: \.mayBlock) { RunningDisposals.begin(ended) }
      return ended
    }
  }

  /// Removes the instances that meet a condition from this pod and its descendants; returns the instances to dispose.
  func endSubtree(_ retained: RetainedObjects, where matches: (Instance) -> Bool = { _ in true }) -> [Instance] {
    var ended: [Instance] = []
    _ = subtree(retained) { ended += $0.end(retained, where: matches) }
    return ended
  }

  /// Removes the instances of scopes from the owners that this pod sees, and from the descendants down to the next owner of each scope.
  func removeInstances(of scopes: SmallTable<ScopeIdentity>, _ retained: RetainedObjects) -> [Instance] {
    var ended: [Instance] = []
    var owners: [ObjectIdentifier: (state: PodState, meant: Set<ObjectIdentifier>)] = [:]
    for scope in scopes.elements where scope.kind == .custom || scope.kind == .weak {
      let owner = owner(of: scope)
      owners[ObjectIdentifier(owner), default: (owner, [])].meant.insert(ObjectIdentifier(scope))
    }
    var rest = Array(owners.values)
    while let (state, meant) = rest.popLast() {
      ended += state.end(retained) { meant.contains(ObjectIdentifier($0.scope.identity)) }
      for child in retained.add(state.allChildren) {
        let left = child.owned.isEmpty ? meant : meant.filter { child.owned[$0] == nil }
        if !left.isEmpty { rest.append((child, left)) }
      }
    }
    return ended
  }

  /// Removes the instances of providers from the pods in which this pod's answers live, and from the descendants of those pods.
  ///
  /// `isRefreshed`: whether the dependents are removed too, and hidden instances stay.
  func removeInstances(of declarations: [Declaration], isRefreshed: Bool = false, _ retained: RetainedObjects)
    -> [Instance]
  {
    let view = effective
    var homes: [ObjectIdentifier: (home: PodState, meant: Set<ObjectIdentifier>)] = [:]
    var isAnyRejected = false
    for declaration in declarations {
      var isRejected = isAnyRejected && declaration is FamilyDeclaration
      let definition = view.definition(of: declaration)
      // If there is no answer, descendants may have answers of their own. If an ancestor has none either, it may have dependents of earlier
      // answers. The family comes after its members.
      let highest = view.home(of: definition, (definition?.ownScope ?? declaration.scope).identity)
      let known = view.home(of: declaration, definition, upTo: highest, &isRejected, retained)
      let home = known ?? (isRefreshed && !isRejected ? highest : self)
      homes[ObjectIdentifier(home), default: (home, [])].meant.insert(ObjectIdentifier(declaration))
      isAnyRejected = isAnyRejected || isRejected
    }
    let families = Set(declarations.compactMap { $0.family.map { ObjectIdentifier($0) } })
    return homes.values.flatMap { home, meant in
      isRefreshed
        ? home.refresh(meant, families, retained)
        : home.endSubtree(retained) { meant.contains(ObjectIdentifier($0.declaration)) }
    }
  }

  /// Removes the instances with which this pod and its descendants answer requests for providers, and all their dependents.
  ///
  /// `families`: the families of the providers.
  private func refresh(_ meant: Set<ObjectIdentifier>, _ families: Set<ObjectIdentifier>, _ retained: RetainedObjects)
    -> [Instance]
  {
    // Before the lists of children are read: a child made later finds this change under way.
    revision.wrappingAdd(1, ordering: .releasing)
    defer { revision.wrappingAdd(1, ordering: .releasing) }
    let states = subtree(retained)
    // Members whose arguments are not hashable are known by their family alone.
    func isMeant(_ declaration: Declaration) -> Bool {
      if meant.contains(ObjectIdentifier(declaration)) { return true }
      guard let family = declaration.family, declaration.details?.arguments?.hash == nil else { return false }
      return meant.contains(ObjectIdentifier(family))
    }
    let all = retained.add(states.flatMap { $0.finishedInstances })
    let graph = DependencyGraph(all, retained)
    let concerned = graph.dependents(
      includingThemselves: true,
      where: { instance in
        // An original beneath an override answers no request.
        isMeant(instance.declaration) && instance.hiddenCount == 0
          && instance.definition === instance.home.definition(of: instance.declaration)
      },
      orQuestion: { question, _ in
        meant.contains(ObjectIdentifier(question.declaration))
          || families.contains(ObjectIdentifier(question.declaration))
      })
    let outdated =
      all.contains { $0.hiddenCount != 0 }
      ? graph.dependents(
        where: { concerned.contains(ObjectIdentifier($0)) && $0.hiddenCount == 0 && !$0.isConstant })
      : []
    for state in states { state.detachBuilds(retained) { isMeant($0.declaration) } }
    return all.filter { instance in
      guard concerned.contains(ObjectIdentifier(instance)), !instance.isConstant else { return false }
      return instance.home.withLock { held in
        guard instance.hiddenCount == 0 else {
          // A hidden original stays until its override is removed, and does not return with a disposed dependency.
          if outdated.contains(ObjectIdentifier(instance)) { instance.flags.insert(.isOutdated) }
          return false
        }
        // Later builds of a transient get a record of their own.
        if instance.state == .record { instance.home.noteCleared(instance, held) }
        instance.flags.insert(.isOutdated)
        return instance.home.removeFromTable(instance, isForgotten: instance.state == .record, retained, held)
      }
    }
  }

  /// The pod in which the answer lives, or is being built.
  ///
  /// `isRejected`: set if another pod has an answer that this pod does not share.
  private func home(
    of declaration: Declaration, _ definition: Override?, upTo highest: PodState, _ isRejected: inout Bool,
    _ retained: RetainedObjects
  ) -> PodState? {
    for state in selfAndAncestors {
      let found = state.withLock { held -> [(instance: Instance, build: Build?)] in
        state.instances(of: declaration, held).compactMap { candidate in
          guard candidate.definition === definition, candidate.state != .record, candidate.hiddenCount == 0,
            candidate.isAlive(retained, held)
          else { return nil }
          let build = candidate.build
          _ = retained.add([candidate])
          if let build { _ = retained.add([build]) }
          return (candidate, build)
        }
      }
      if found.contains(where: { $0.build?.willBeShared(by: self, retained) ?? shares($0.instance, retained) }) {
        return state
      }
      isRejected = isRejected || !found.isEmpty
      if state === highest { break }
    }
    return nil
  }
}

// MARK: - The end of a pod

extension PodState {
  /// Ends the pod when the last reference to it is released: disposes all cached instances.
  ///
  /// Its ancestors stay.
  func end() {
    let (pods, isEmpty) = withLock { held in (takePods(held), !self.hasInstances) }
    let retained = isEmpty ? nil : RetainedObjects()
    let ended = retained.map { end($0, endsPod: true) } ?? []
    unregister()
    Teardown.run(ended)
    withExtendedLifetime(retained) {}
    notifyWatchers()
    withExtendedLifetime(pods) {}
  }
}
