/// Which definition of a provider counts.
extension PodState {
  /// Returns the override of a provider as seen from this pod: the nearest pod's, of the member before the family's; `nil` for the
  /// declaration's own builder.
  ///
  /// `outer`: an override beneath which the definition is looked for.
  @inline(__always)
  func definition(of declaration: Declaration, after outer: Override? = nil) -> Override? {
    if let outer { return definition(of: declaration, beneath: outer) }
    var state = self
    while true {
      if declaration.mayBeOverridden(by: state.overrideBits.load(ordering: .relaxed)),
        let found = state.firstOverride(of: declaration)
      {
        return found
      }
      guard let parent = state.parent else { return nil }
      state = parent
    }
  }

  @inline(never)
  private func firstOverride(of declaration: Declaration) -> Override? {
    lock.withLock {
      overrides[declaration.index] ?? declaration.family.flatMap { overrides[$0.index] }
    }
  }

  @inline(never)
  private func definition(of declaration: Declaration, beneath outer: Override) -> Override? {
    var isBeneath = false
    var state: PodState? = self
    while let current = state {
      for target in [declaration, declaration.family] {
        guard let target else { continue }
        var override = current.lock.withLock { current.overrides[target.index] }
        while let candidate = override {
          if isBeneath { return candidate }
          isBeneath = candidate === outer
          override = candidate.inherited
        }
        // The outer override may have been removed meanwhile.
        if outer.target === target, outer.ownerID == ObjectIdentifier(current) { isBeneath = true }
      }
      state = current.parent
    }
    return isBeneath ? nil : definition(of: declaration)
  }

  /// The nearest pod, from this one up, that has an override or owns a scope: an instance lives there or below.
  func home(of definition: Override?, _ scope: ScopeIdentity, _ kind: ScopeIdentity.Kind) -> PodState {
    var state = self
    while let parent = state.parent {
      if let definition, definition.ownerID == ObjectIdentifier(state) { return state }
      if state.owned.contains(scope) { return state }
      state = parent
    }
    return state
  }

  /// Whether this pod itself overrides a provider, its family, or a member of a family.
  func overrides(_ declaration: Declaration) -> Bool {
    guard !(declaration is FamilyDeclaration) else {
      return lock.withLock {
        overrides.elements.contains { $0.target === declaration || $0.target.family === declaration }
      }
    }
    return declaration.mayBeOverridden(by: overrideBits.load(ordering: .relaxed))
      && firstOverride(of: declaration) != nil
  }
}

/// Changing the overrides of a pod.
extension PodState {
  /// Adds an override.
  ///
  /// It replaces an earlier one, and hides the instances that depend on its provider.
  func install(_ new: Override) {
    new.install(in: self)
    let bits = isRoot ? 0 : new.target.assignChangeBit() | ChangeBits.deferred
    var replaced: Override?
    defer { withExtendedLifetime(replaced) {} }
    let isUnused = lock.withLock {
      guard table.isEmpty, !hasChildList else { return false }
      replaced = put(new, bits)
      revision.wrappingAdd(2, ordering: .releasing)
      return true
    }
    if !isUnused { settle(new, bits) }
    notifyWatchers()
    emit(.override(new.info))
  }

  /// Puts an override in its place; returns the one that it replaces.
  ///
  /// Called with the lock held.
  private func put(_ new: Override, _ bits: UInt64) -> Override? {
    let former = overrides[new.target.index]
    let isInherited = former?.origin != nil
    new.inherited = isInherited ? former : former?.inherited
    overrides[new.target.index] = new
    overrideBits.bitwiseOr(new.target.overrideBit, ordering: .relaxed)
    changes.bitwiseOr(bits, ordering: .relaxed)
    return isInherited ? nil : former
  }

  /// One after the other in a tree, so that the revision is odd as long as any of them lasts.
  @inline(never)
  private func settle(_ new: Override, _ bits: UInt64) {
    var replaced: Override?
    defer { withExtendedLifetime(replaced) {} }
    let ended = root.changing { kept -> [Instance] in
      lock.withLock {
        replaced = put(new, bits)
        revision.wrappingAdd(1, ordering: .releasing)
      }
      defer { revision.wrappingAdd(1, ordering: .releasing) }
      let ended = replaced.map { endInstances(builtFrom: $0, kept) } ?? []
      hide(instancesThatDependOn: new, kept)
      if let replaced { show(instancesHiddenBy: replaced, kept) }
      return ended
    }
    Teardown.run(ended)
  }

  /// Removes the overrides of providers and families, as far as there are any.
  ///
  /// `isThorough`: whether those are removed too that an override scope has from the original pod.
  func removeOverrides(of targets: [Declaration], isThorough: Bool = false) {
    let bits = overrideBits.load(ordering: .relaxed)
    guard targets.contains(where: { $0.overrideBit & bits != 0 }) else { return }
    var removed: [Override] = []
    let ended = root.changing { kept -> [Instance] in
      lock.withLock {
        for target in targets {
          while let next = takeOverride(of: target) {
            removed.append(next)
            if !isThorough { break }
          }
        }
        if !removed.isEmpty { revision.wrappingAdd(1, ordering: .releasing) }
      }
      guard !removed.isEmpty else { return [] }
      defer { revision.wrappingAdd(1, ordering: .releasing) }
      let ended = removed.flatMap { endInstances(builtFrom: $0, kept) }
      for override in removed { show(instancesHiddenBy: override, kept) }
      return ended
    }
    guard !removed.isEmpty else { return }
    Teardown.run(ended)
    notifyWatchers()
    for override in removed { emit(.removeOverride(override.info)) }
  }

  /// Called with the lock held.
  private func takeOverride(of target: Declaration) -> Override? {
    guard let former = overrides[target.index], former.target === target else { return nil }
    overrides[target.index] = former.inherited
    if overrides.isEmpty {
      overrideBits.store(0, ordering: .relaxed)
      if !isRoot { changes.store(ownedBits, ordering: .relaxed) }
    }
    return former
  }

  /// The changes of a child pod without overrides.
  private var ownedBits: UInt64 {
    owned.isEmpty ? 0 : owned.all.reduce(ChangeBits.deferred) { $0 | $1.assignChangeBit() }
  }

  /// Returns a new and empty state with the overrides and the scopes of this one.
  ///
  /// `parentPod`: the pod above; that of this one if `nil`. `isSubstitute`: whether the copy acts for this state in an override scope.
  func emptyCopy(below parentPod: Pod? = nil, observers: [any PodObserver], isSubstitute: Bool = false) -> PodState {
    let maker = isSubstitute ? Caller.currentBuild?.token : self.maker
    let copy = PodState(
      name, parentPod: parentPod ?? weakParentPod, owned: owned, observers: observers,
      original: isSubstitute ? self : nil, maker: maker)
    let known = lock.withLock { overrides.elements }
    // Another one, and even: a request that began with this state is outdated.
    copy.revision.store((revision.load(ordering: .relaxed) | 1) + 1, ordering: .relaxed)
    for override in known {
      let own = override.copy()
      own.install(in: copy)
      var (last, next) = (own, override.inherited)
      while let beneath = next {
        let inherited = beneath.copy()
        inherited.install(in: copy)
        last.inherited = inherited
        (last, next) = (inherited, beneath.inherited)
      }
      copy.overrides[override.target.index] = own
      copy.overrideBits.bitwiseOr(override.target.overrideBit, ordering: .relaxed)
      if !copy.isRoot {
        copy.changes.bitwiseOr(override.target.assignChangeBit() | ChangeBits.deferred, ordering: .relaxed)
      }
    }
    return copy
  }
}

// MARK: - The instances that an override concerns

extension PodState {
  /// Hides the cached instances, here and below, that were built from what an override replaces, directly or not.
  ///
  /// Called while the tree is being changed.
  private func hide(instancesThatDependOn new: Override, _ kept: Kept) {
    let states = subtree(kept)
    // An override of a pod below, or of the member itself, comes first: what was built from that stays as it is.
    let below = Set(states.dropFirst().map { ObjectIdentifier($0) })
    let isFamily = new.target is FamilyDeclaration
    func isConcerned(_ definition: Override?) -> Bool {
      guard let definition, let owner = definition.ownerID else { return true }
      if definition === new || below.contains(owner) { return false }
      return !(isFamily && definition.target !== new.target && owner == ObjectIdentifier(self))
    }
    let finished = kept.keep(states.flatMap { $0.finishedInstances })
    let instances = kept.keep(states.flatMap { $0.cachedInstances })
    var graph = DependencyGraph(instances, kept)
    let concerned = graph.dependents(
      where: { ($0.declaration === new.target || $0.declaration.family === new.target) && isConcerned($0.definition) },
      orQuestion: {
        ($0.declaration === new.target || $0.declaration.family === new.target) && isConcerned($0.definition)
      },
      exceptFor: { decorator in
        guard let definition = decorator.definition, let owner = definition.ownerID else { return false }
        // The new override comes before those of this pod and of its ancestors, but a family's after a member's.
        let isBefore = owner == ObjectIdentifier(self) && isFamily && definition.target !== new.target
        return !below.contains(owner) && !isBefore
      })
    var hidden: [Instance] = []
    for instance in finished {
      let isHidden = concerned.contains(ObjectIdentifier(instance))
      guard isHidden || instance.declaration === new.target || instance.declaration.family === new.target else {
        continue
      }
      let isCounted = instance.home.lock.withLock { () -> Bool in
        instance.home.unpublish(instance)
        guard isHidden, instance.state == .cached else { return false }
        instance.hiddenCount += 1
        return true
      }
      if isCounted { hidden.append(instance) }
    }
    lock.withLock { new.hidden = hidden.map { WeakReference($0) } }
  }

  /// Shows the instances that a removed override hid.
  ///
  /// They are published when they are resolved next.
  private func show(instancesHiddenBy removed: Override, _ kept: Kept) {
    let hidden = lock.withLock {
      defer { removed.hidden = [] }
      return removed.hidden
    }
    for instance in kept.keep(hidden.compactMap { $0.object as? Instance }) {
      instance.home.lock.withLock { instance.hiddenCount -= 1 }
    }
  }

  /// Takes the instances, here and below, that were built from an override, directly or not.
  ///
  /// Called while the tree is being changed. Takes as long as there are such instances if nothing was built from those of the override
  /// itself, and else as there are instances in the pods.
  private func endInstances(builtFrom override: Override, _ kept: Kept) -> [Instance] {
    guard override.isUsed else { return [] }
    if children(isMade: false) == nil, let only = onlyInstance(of: override) {
      return take(kept.keep([only]), kept)
    }
    let states = subtree(kept)
    let all = kept.keep(states.flatMap { $0.finishedInstances })
    var graph = DependencyGraph(
      all.filter { $0.traits.contains(.isOverridden) || $0.traits.contains(.isDeferred) }, kept)
    let concerned = graph.dependents(
      includingThemselves: true, where: { $0.definition === override }, orQuestion: { $0.definition === override })
    return take(all.filter { concerned.contains(ObjectIdentifier($0)) }, kept)
  }

  /// The instance that an override's builder made, if there is one and nothing was ever built from such an instance.
  private func onlyInstance(of override: Override) -> Instance? {
    guard !(override.target is FamilyDeclaration), !override.hasDependents else { return nil }
    return lock.withLock {
      var only: Instance?
      var next = table.first(override.target)
      while let current = next {
        if current.definition === override {
          guard only == nil, current.state != .building else { return nil }
          only = current
        }
        next = current.next
      }
      return only
    }
  }

  /// Removes instances and records from the tables of their pods; returns those that were cached, to be disposed.
  func take(_ instances: [Instance], _ kept: Kept) -> [Instance] {
    var objects: [AnyObject] = []
    defer { _ = kept.keep(objects) }
    return instances.filter { instance in
      instance.home.lock.withLock {
        instance.home.removeFromTable(instance, isForgotten: true, retaining: &objects)
      }
    }
  }

  /// The cached instances, hidden or not, and the records.
  var finishedInstances: [Instance] {
    lock.withLock {
      var found: [Instance] = []
      table.forEach { if $0.state != .building { found.append($0) } }
      return found
    }
  }

  /// The cached instances, hidden or not.
  var cachedInstances: [Instance] {
    lock.withLock {
      var found: [Instance] = []
      table.forEach { if $0.state == .cached { found.append($0) } }
      return found
    }
  }
}
