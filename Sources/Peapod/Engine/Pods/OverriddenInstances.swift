/// The instances that an override concerns.
extension PodState {
  /// Hides the instances of this pod and its descendants that depend, directly or not, on the provider of an override.
  ///
  /// This includes records, since cached instances depend on them. Called within `changing`.
  func hide(instancesThatDependOn new: Override, _ retained: RetainedObjects) {
    let states = subtree(retained)
    // An override of a descendant, or of the member itself, takes precedence, so its dependents stay visible.
    let below = Set(states.dropFirst().compactMap(\.lineage).map { ObjectIdentifier($0) })
    let isFamily = new.target is FamilyDeclaration
    func isConcerned(_ definition: Override?) -> Bool {
      guard let definition, let owner = definition.owner else { return true }
      if definition === new || below.contains(ObjectIdentifier(owner)) { return false }
      return !(isFamily && definition.target !== new.target && isOwner(of: definition))
    }
    let finished = retained.add(states.flatMap { $0.finishedInstances })
    func isOfTarget(_ instance: Instance) -> Bool {
      instance.declaration === new.target || instance.declaration.family === new.target
    }
    // What is being built from the provider is not cached, even if the override is removed meanwhile.
    for state in states { state.detachBuilds(retained) { !$0.isRightSoFar } }
    // Fast path for most tests, and for a child that has built no instance yet.
    guard finished.contains(where: { isOfTarget($0) || !$0.dependencies.isEmpty }) else { return }
    var graph = DependencyGraph(finished, followsFormerAnswers: true, retained)
    let concerned = graph.dependents(
      where: { isOfTarget($0) && isConcerned($0.definition) },
      orQuestion: { question, holder in
        // The factory of an ancestor's instance gives the ancestor's member, whether that exists yet or not.
        let isOfFamily =
          question.pod == nil && question.declaration === new.target.family && holder.home !== self
          && isBelow(orSame: holder.home)
        return (isOfFamily || question.declaration === new.target || question.declaration.family === new.target)
          && isConcerned(question.definition)
      },
      exceptFor: { decorator in
        guard let definition = decorator.definition, let owner = definition.owner else { return false }
        // The new override takes precedence over overrides of this pod and its ancestors, but a member's override precedes a family's.
        let isBefore = isOwner(of: definition) && isFamily && definition.target !== new.target
        return !below.contains(ObjectIdentifier(owner)) && !isBefore
      })
    var hidden: [Instance] = []
    for state in states { state.sweepFormerAnswers(retained) }
    for instance in graph.instances {
      let isHidden = concerned.contains(ObjectIdentifier(instance))
      guard isHidden || isOfTarget(instance), instance.home.isBelow(orSame: self) else { continue }
      let answers = isHidden && instance.hiddenCount == 0 ? graph.answers(of: instance) : []
      let isCounted = instance.home.withLock { held -> Bool in
        instance.home.unpublish(instance, held)
        // A graph-scoped instance is in no table, and ends with its resolve.
        guard isHidden, instance.scopeKind != .graph || instance.state != .cached else { return false }
        if !answers.isEmpty {
          instance.home.madeRare(held).formerAnswers[ObjectIdentifier(instance)] = (WeakReference(instance), answers)
        }
        instance.hiddenCount += 1
        return true
      }
      if isCounted { hidden.append(instance) }
    }
    new.hide(hidden)
  }

  /// The answers to the deferred dependencies of a hidden instance at the moment when it was hidden.
  ///
  /// A clear of the instance does not change them: a dependent may still refer to the instance.
  func formerAnswers(of instance: Instance) -> [FormerAnswers] {
    withLock { held in
      guard let entry = knownRare(held)?.formerAnswers[ObjectIdentifier(instance)] else { return [] }
      // Otherwise the instance has the address of a deallocated one.
      return entry.holder.object == nil ? [] : entry.answers
    }
  }

  /// Forgets the former answers of instances that were deallocated while they were hidden.
  private func sweepFormerAnswers(_ retained: RetainedObjects) {
    withLock { held in
      guard let rare = knownRare(held), !rare.formerAnswers.isEmpty else { return }
      let holders = rare.formerAnswers.compactMapValues { $0.holder.object }
      _ = retained.add(Array(holders.values))
      rare.formerAnswers = rare.formerAnswers.filter { holders[$0.key] != nil }
    }
  }

  /// Shows the instances that a removed override hid; returns the instances in their place, which are to be disposed, and those
  /// that a refresh has outdated meanwhile.
  ///
  /// The shown instances are published when they are resolved next.
  func show(instancesHiddenBy override: Override, _ retained: RetainedObjects) -> [Instance] {
    let shown = retained.add(override.takeHidden())
    if shown.isEmpty { return [] }
    let outdated = shown.filter { instance in
      instance.home.withLock { held in
        let isLast = instance.hiddenCount == 1
        if isLast { instance.home.knownRare(held)?.formerAnswers[ObjectIdentifier(instance)] = nil }
        // It stays hidden until it is taken.
        if isLast, instance.flags.contains(.isOutdated) { return true }
        instance.hiddenCount -= 1
        if isLast { instance.home.removeRepeated(instance, held) }
        return false
      }
    }
    // A pod may have built a second holder for a changed answer. Of several visible instances, the oldest is the original and stays.
    let replacements = shown.flatMap { instance in
      instance.home.withLock { held -> [Instance] in
        let alike = retained.add(
          instance.home.instances(of: instance.declaration, held).filter {
            // A weak original whose object is deallocated does not return.
            $0.isVisible(as: instance.definition, held) && $0.isAlive(retained, held)
          })
        guard alike.contains(where: { $0 === instance }) else { return [] }
        let oldest = alike.min { $0.serial < $1.serial }
        return alike.filter { $0 !== oldest }
      }
    }
    let ended = take(outdated + replacements, retained)
    guard !ended.isEmpty else { return [] }
    let known = Set(ended.map { ObjectIdentifier($0) })
    let all = retained.add(subtree(retained).flatMap { $0.finishedInstances })
    let graph = DependencyGraph(ended + all, followsFormerAnswers: true, retained)
    let concerned = graph.dependents(where: { known.contains(ObjectIdentifier($0)) })
    return ended + take(all, where: concerned, with: known, in: graph, except: shown, retained)
  }

  /// Removes the instances of an override and their dependents from this pod and its descendants; returns the cached instances.
  ///
  /// Called within `changing`, while the override still hides instances.
  ///
  /// - Complexity: O(instances with a deferred dependency, or with an overridden dependency and built since the first use of the override).
  func removeInstances(builtFrom override: Override, _ retained: RetainedObjects) -> [Instance] {
    guard override.wasUsed() else { return [] }
    if let only = onlyInstance(of: override) {
      return take(retained.add([only]), retained)
    }
    let all = retained.add(subtree(retained).flatMap { $0.instances(thatMayDependOn: override) })
    let graph = DependencyGraph(all, followsFormerAnswers: true, retained)
    let concerned = graph.dependents(
      includingThemselves: true, where: { $0.definition === override },
      orQuestion: { question, _ in question.depends(on: override) })
    return take(all, where: concerned, in: graph, except: retained.add(override.hiddenInstances), retained)
  }

  /// The instances of an override, and the instances that may depend on them according to the serials.
  private func instances(thatMayDependOn override: Override) -> [Instance] {
    let firstUse = UInt64(bitPattern: override.firstUse)
    return withLock { held in
      var found: [Instance] = []
      // This includes a constant, whose serial is no time.
      for instance in instances(of: override.target, held)
      where instance.definition === override && instance.state != .building {
        found.append(instance)
      }
      forEachInstance(overriddenSince: firstUse, held) { instance in
        // A running build has written neither its traits nor its serial yet.
        guard instance.state != .building,
          instance.declaration !== override.target || instance.definition !== override
        else { return }
        // The holder of a deferred dependency may be older than the answer.
        let isYounger = instance.traits.contains(.isOverridden) && instance.serial >= firstUse
        if isYounger || instance.traits.contains(.isDeferred) { found.append(instance) }
      }
      return found
    }
  }

  /// The instance of an override, if there is only one, no instance ever depended on an instance of the override, and this pod has no children.
  private func onlyInstance(of override: Override) -> Instance? {
    guard !(override.target is FamilyDeclaration), !override.hasDependents.load(ordering: .relaxed) else { return nil }
    return withLock { held in
      guard !hasChildren(held) else { return nil }
      let own = instances(of: override.target, held).filter { $0.definition === override }
      return own.count == 1 && own[0].state != .building ? own[0] : nil
    }
  }

  /// Removes instances and records from the tables of their pods; returns those that were cached, to be disposed.
  func take(_ instances: [Instance], _ retained: RetainedObjects) -> [Instance] {
    instances.filter { instance in
      instance.home.withLock { held in
        instance.home.removeFromTable(instance, isForgotten: true, retained, held)
      }
    }
  }

  /// Takes concerned instances, except for those that an override hid.
  ///
  /// Hidden instances are older than the override, although their deferred dependencies may lead to answers that were built from it. The
  /// pod removes them only with an instance that they resolved, or on which the cached value of their `Lazy` depends. `ended`: the instances
  /// that were taken before.
  private func take(
    _ instances: [Instance], where concerned: Set<ObjectIdentifier>, with ended: Set<ObjectIdentifier> = [],
    in graph: DependencyGraph, except hidden: [Instance], _ retained: RetainedObjects
  ) -> [Instance] {
    let meant = concerned.subtracting(hidden.map { ObjectIdentifier($0) })
    let taken = instances.filter { meant.contains(ObjectIdentifier($0)) }
    if hidden.isEmpty { return take(taken, retained) }
    let gone = ended.union(taken.map { ObjectIdentifier($0) })
    let holders = graph.dependents(followsAnswers: false, where: { gone.contains(ObjectIdentifier($0)) })
    return take(taken + hidden.filter { holders.contains(ObjectIdentifier($0)) }, retained)
  }
}
