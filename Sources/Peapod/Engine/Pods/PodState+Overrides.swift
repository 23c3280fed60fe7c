/// The effective definition of a provider.
extension PodState {
  /// Returns the effective override of a provider for this pod; `nil` for the declaration's own builder.
  ///
  /// The nearest pod's override takes precedence, and a member's over a family's. `outer`: the override beneath which the search begins.
  @inline(__always)
  func definition(of declaration: Declaration, after outer: Override? = nil) -> Override? {
    if let outer { return definition(of: declaration, beneath: outer) }
    var found: Override?
    climb { state in
      guard declaration.mayBeOverridden(by: state.overrideBits.load(ordering: .relaxed)) else { return false }
      found = state.ownOverride(of: declaration)
      return found != nil
    }
    return found
  }

  @inline(never)
  private func ownOverride(of declaration: Declaration) -> Override? {
    withLock { held in ownOverride(of: declaration, held) }
  }

  /// The override that this pod itself has of a provider or its family.
  func ownOverride(of declaration: Declaration, _ held: borrowing Held) -> Override? {
    guard declaration.mayBeOverridden(by: overrideBits.load(ordering: .relaxed)) else { return nil }
    return overrides[declaration.index] ?? declaration.family.flatMap { overrides[$0.index] }
  }

  @inline(never)
  private func definition(of declaration: Declaration, beneath outer: Override) -> Override? {
    var isBeneath = false
    for state in selfAndAncestors {
      for target in [declaration, declaration.family] {
        guard let target else { continue }
        for candidate in state.installed(for: target) {
          if isBeneath { return candidate }
          // In an override scope, the pod that acts has copies of the overrides.
          isBeneath = candidate.original === outer.original
        }
        // The outer override may have been removed meanwhile.
        if outer.target === target, state.isOwner(of: outer) { isBeneath = true }
      }
    }
    return isBeneath ? nil : definition(of: declaration)
  }

  /// This pod's own override of a provider or a family, and within an override scope the overrides beneath it.
  private func installed(for target: Declaration) -> [Override] {
    withLock { _ in overrides[target.index].map { Array(sequence(first: $0, next: \.inherited)) } ?? [] }
  }

  /// The override of this pod or an ancestor that is another override, or a copy of it in an override scope.
  func installed(for target: Declaration, copiedFrom original: Override) -> Override? {
    for state in selfAndAncestors {
      if let found = state.installed(for: target).first(where: { $0.original === original }) { return found }
    }
    return nil
  }

  /// Whether an override of this pod or of an ancestor is still installed.
  func hasInstalled(_ override: Override) -> Bool {
    selfAndAncestors.contains { state in
      state.isOwner(of: override) && state.installed(for: override.target).contains { $0 === override }
    }
  }

  /// The nearest pod, from this pod to the root, with an override or a scope; the instance lives there or in a descendant.
  ///
  /// `scope`: `nil` if an inner pod owns the scope.
  func home(of definition: Override?, _ scope: ScopeIdentity?) -> PodState {
    first { state in
      definition.map { state.isOwner(of: $0) } ?? false || scope.map { state.owned.contains($0) } ?? false
    }
  }

  /// The overrides by which this pod and its ancestors below the root change the members of a family.
  ///
  /// The root's overrides do not count: its factories resolve each member anew.
  func memberOverrides(of family: Declaration) -> [Override] {
    guard family is FamilyDeclaration else { return [] }
    return selfAndAncestors.filter { !$0.isRoot }.flatMap { state in
      state.withLock { _ in state.overrides.elements.filter { $0.target.family === family } }
    }
  }

  /// Whether this pod itself overrides a provider, its family, or a member of a family.
  func overrides(_ declaration: Declaration) -> Bool {
    guard !(declaration is FamilyDeclaration) else {
      return withLock { _ in
        overrides.elements.contains { $0.target === declaration || $0.target.family === declaration }
      }
    }
    return declaration.mayBeOverridden(by: overrideBits.load(ordering: .relaxed))
      && ownOverride(of: declaration) != nil
  }
}

/// Changing the overrides of a pod.
extension PodState {
  /// Adds an override.
  ///
  /// The override replaces an earlier override, and hides the instances that depend on its provider.
  func install(_ new: Override) {
    new.install(in: self)
    var queues: [EventQueue] = []
    let isUnused = withLock { held in
      // An override is replaced in turn with the changes that may just be reading it.
      guard !hasInstances, !hasChildren(held), overrides[new.key] == nil else { return false }
      _ = put(new, held)
      revision.wrappingAdd(2, ordering: .releasing)
      queues = queue({ [named = new.named] in [.override(named.info)] }, held)
      return true
    }
    if isUnused { deliver(to: queues) } else { change(adding: new) { held in put(new, held) } }
    // Afterwards, since followers build at once, and observers receive the events of these builds.
    notifyWatchers()
  }

  /// Puts an override into the table; returns the override that it replaces, if there is one.
  private func put(_ new: Override, _ held: borrowing Held) -> [Override] {
    let former = overrides.update(with: new)
    let isInherited = isSubstitute && former?.origin != nil
    new.inherited = isInherited ? former : former?.inherited
    overrideBits.bitwiseOr(new.target.overrideBit, ordering: .relaxed)
    if !isRoot {
      // A holder of deferred dependencies may have stayed here after the last override was removed.
      let answers = hasChanges ? 0 : answerBits(held)
      changes.bitwiseOr(new.target.changeNumber.assign() | answers, ordering: .relaxed)
    }
    return former.map { isInherited ? [] : [$0] } ?? []
  }

  /// Changes the table of overrides, and the instances of this pod and its descendants accordingly, and notifies the observers; returns the
  /// removed overrides.
  ///
  /// These changes run one at a time in a tree, so that the revision of a pod is odd during each change. `edit`: changes the table, and
  /// returns the removed overrides.
  @inline(never) @discardableResult
  private func change(adding new: Override? = nil, _ edit: (borrowing Held) -> [Override]) -> [Override] {
    var removed: [Override] = []
    var queues: [EventQueue] = []
    let disposal = root.changing { retained -> (() -> Void)? in
      withLock { held in
        removed = edit(held)
        queues = queue(
          { [added = new?.named, removed = removed.map(\.named)] in
            added.map { [.override($0.info)] } ?? removed.map { .removeOverride($0.info) }
          }, held)
        if new != nil || !removed.isEmpty { revision.wrappingAdd(1, ordering: .releasing) }
      }
      guard new != nil || !removed.isEmpty else { return nil }
      defer { revision.wrappingAdd(1, ordering: .releasing) }
      // The last override first: the removal of an override visits what was built since its first use.
      let inOrder = removed.map { (override: $0, firstUse: $0.firstUse) }.sorted { $0.firstUse > $1.firstUse }
      var ended = inOrder.flatMap { removeInstances(builtFrom: $0.override, retained) }
      if let new { hide(instancesThatDependOn: new, retained) }
      for override in removed { ended += show(instancesHiddenBy: override, retained) }
      return ended.isEmpty ? nil : Teardown.prepare(ended, retained)
    }
    deliver(to: queues)
    disposal?()
    return removed
  }

  /// Removes the overrides of providers and families, as far as there are any.
  ///
  /// `isThorough`: whether the overrides that an override scope copied from the original pod are removed too.
  func removeOverrides(of targets: [Declaration], isThorough: Bool = false) {
    let bits = overrideBits.load(ordering: .relaxed)
    guard targets.contains(where: { $0.overrideBit & bits != 0 }) else { return }
    let removed = change { held in
      var removed: [Override] = []
      for target in targets {
        while let next = takeOverride(of: target, held) {
          removed.append(next)
          if !isThorough { break }
        }
      }
      return removed
    }
    guard !removed.isEmpty else { return }
    notifyWatchers()
  }

  private func takeOverride(of target: Declaration, _ held: borrowing Held) -> Override? {
    guard let former = overrides[target.index], former.target === target else { return nil }
    if let inherited = former.inherited {
      overrides.update(with: inherited)
    } else {
      overrides.remove(target.index)
    }
    if overrides.isEmpty {
      overrideBits.store(0, ordering: .relaxed)
      guard !isRoot else { return former }
      // In one step, since readers compare these bits. Without owned scopes, the parent acts for this pod until its next override.
      changes.store(owned.isEmpty ? 0 : ownedBits | answerBits(held), ordering: .relaxed)
    }
    return former
  }

  /// The changes of a child pod without overrides.
  var ownedBits: UInt64 {
    owned.isEmpty ? 0 : owned.elements.reduce(0) { $0 | $1.changeNumber.assign() }
  }

  /// Returns an empty state that continues after the end of this state, with the same scopes and the same overrides.
  ///
  /// So instances of these overrides in children from before the end stay right, and go when an override is removed.
  func emptySuccessor(below parentPod: Pod?) -> PodState {
    let made = PodState(name, parentPod: parentPod, owned: owned, actingFor: self, maker: maker)
    made.revision.store(nextRevision, ordering: .relaxed)
    // No other thread has the new state. The bits belong to these overrides.
    withLock { _ in
      made.overrides = overrides
      made.overrideBits.store(overrideBits.load(ordering: .relaxed), ordering: .relaxed)
      made.changes.store(changes.load(ordering: .relaxed), ordering: .relaxed)
    }
    return made
  }

  /// Returns an empty state that acts for this state in an override scope, with the same scopes and copies of the overrides.
  func emptySubstitute(below parentPod: Pod?, observers: [EventQueue.Entry]) -> PodState {
    let made = PodState(
      name, parentPod: parentPod, owned: owned, observers: observers, original: self, maker: Caller.currentBuild?.token)
    made.revision.store(nextRevision, ordering: .relaxed)
    let known = withLock { _ in overrides.elements }
    made.withLock { held in
      for top in known {
        for override in sequence(first: top, next: \.inherited).reversed() {
          let copy = override.copy()
          copy.install(in: made)
          _ = made.put(copy, held)
        }
      }
    }
    return made
  }

  /// A different and even revision, so that a request that began with this state is outdated.
  private var nextRevision: UInt { (revision.load(ordering: .relaxed) | 1) + 1 }
}
