/// What changes which definition counts in a layer: overrides. All with the engine's lock held.
extension Layer {
  /// Replaces a provider, or a family, for this layer and those below, and keeps the override in place of the caller.
  func override(_ new: Override.Pointer, _ aftermath: inout Aftermath) {
    if let old = setOverride(new) { end(CollectionOfOne(old), &aftermath) }
    if isUntouched { verified.removeAll() } else { setAside(new.target, &aftermath) }
    emit(.override(new.object.info), &aftermath)
  }

  /// Takes an override back, if there is one.
  func removeOverride(of target: Declaration, _ aftermath: inout Aftermath) {
    guard let old = removeOverride(of: target) else { return }
    if !endOnly(madeBy: old, of: target, &aftermath) { end(removed: CollectionOfOne(old), &aftermath) }
  }

  /// Ends the only instance of an override, and lets that go in place of the caller, where it has to do with no other and nobody is
  /// called or told; returns whether that was so.
  ///
  /// It is so for most tests. What the override set aside is shown to nobody since then, and is looked at again when it is asked for.
  private func endOnly(
    madeBy override: Override.Pointer, of target: Declaration, _ aftermath: inout Aftermath
  ) -> Bool {
    guard parent == nil, firstChild == nil, Teardown.underWay == 0, !isObserved,
      !(target is FamilyDeclaration), let entry = records(of: target), entry.isMade(by: override),
      entry.dependents.isEmpty, entry.dependencies.isEmpty, entry.endsAlone
    else { return false }
    let others = entry.next
    if let others, others.isAnyMade(by: override) { return false }
    unpublish(entry)
    // Who reads it now gets it to keep; that is for others to see to.
    guard !entry.hasReaders else { return false }
    verified.removeAll()
    Layer.epoch += 1
    removeFirst(entry, of: target)
    entry.endAlone(&aftermath)
    // That took it for the last record of the provider.
    if others != nil { target.home = self }
    // The record has a last one, which goes after the instance, and with it what the override's builder keeps.
    override.unmanaged.release()
    return true
  }

  /// The same for a child of which nothing was asked yet, as each request sets one up; returns whether it is such a one.
  ///
  /// Leaves nothing to do, but for the pod to look under the lock from now on.
  func overrideFirst(_ new: Override.Pointer) -> Bool {
    isUntouched && !isObserved && verified.isEmpty && takeFirst(new)
  }

  /// The same for a root without children that has no record of the provider.
  func overrideUnbuilt(_ new: Override.Pointer) -> Bool {
    guard parent == nil, firstChild == nil, !isOrphaned, !isObserved,
      new.with({ !($0.target is FamilyDeclaration) && records(of: $0.target) == nil })
    else { return false }
    guard takeFirst(new) else { return false }
    forgetVerified()
    return true
  }

  /// Takes over the first override of its provider, in place of the caller, if there is a place left; returns whether it did.
  @inline(__always)
  private func takeFirst(_ new: Override.Pointer) -> Bool {
    let key = new.with { ObjectIdentifier($0.target) }
    guard !state.pointee.overrides.contains(key), state.pointee.overrides.add(new, forNew: key) else { return false }
    new.owner = self
    changes |= new.bits
    return true
  }

  /// Takes overrides back, those that there are.
  ///
  /// What was built from any of them is disposed in one order. `isThorough`: in a block, whether what it has of the pod goes
  /// as well.
  func removeOverrides(of targets: [Declaration], isThorough: Bool = false, _ aftermath: inout Aftermath) {
    var old: [Override.Pointer] = []
    for target in targets {
      while let override = removeOverride(of: target) {
        old.append(override)
        if !isThorough { break }
      }
    }
    end(removed: old, &aftermath)
  }

  private func end(removed overrides: some Collection<Override.Pointer>, _ aftermath: inout Aftermath) {
    end(overrides, &aftermath)
    for override in overrides {
      setAside(override.target, &aftermath)
      emit(.removeOverride(ProviderInfo(override.object.target, scope: override.object.target.scope)), &aftermath)
    }
  }

  /// Whether nothing was built here or below, or as seen from here, as in most children while they are set up: what lives above is
  /// right for those above, whatever this layer overrides.
  private var isUntouched: Bool { parent != nil && isEmpty && !hasDetails && !isInvolved }

  /// Makes every instance that was built from a provider prove that it is still right, before it is given out.
  ///
  /// Nothing is moved: what was built from the provider is no longer seen while a definition differs from the one that
  /// it was built by, and is seen again when that is back.
  private func setAside(_ target: Unmanaged<Declaration>, _ aftermath: inout Aftermath) {
    forgetVerified()
    forEachBuilt(from: target, where: { !outranks($0, target) }, &aftermath) { entry in
      let isElsewhere = entry.asksElsewhere
      if entry.isPublished, isElsewhere || entry.layer.isBelow(orSame: self) { entry.layer.unpublish(entry) }
      if let build = entry.build, isElsewhere || build.view.isBelow(orSame: self) { Engine.detach(build) }
      if isElsewhere, entry.isListed { entry.layer.root.forgetVerified() }
    }
  }

  /// Whether an instance was built by an override that counts before what this layer says of a provider or a family: one of a
  /// pod below, or of a member.
  private func outranks(_ entry: Entry, _ target: Unmanaged<Declaration>) -> Bool {
    guard let override = entry.override, let owner = override.owner else { return false }
    if owner == self {
      return override.target.toOpaque() != target.toOpaque() && target.takeUnretainedValue() is FamilyDeclaration
    }
    return owner.isBelow(orSame: self)
  }

  /// Disposes what was built from overrides, directly or not, and lets the overrides go in place of the caller.
  private func end(_ overrides: some Collection<Override.Pointer>, _ aftermath: inout Aftermath) {
    var kept = ShortList<Entry>()
    var records = ShortList<Entry>()
    defer {
      kept.free()
      records.free()
    }
    var seen: Set<Entry> = []
    for override in overrides {
      forEachBuilt(by: override, &records, &aftermath) { entry in
        // What was built from several of them is found several times.
        if overrides.count == 1 || seen.insert(entry).inserted { kept.append(entry) }
      }
    }
    if !kept.isEmpty { Teardown.begin(kept, isFinal: true, &aftermath) }
    // What is remembered of an override's instances would keep the override.
    forget(records, &aftermath)
  }

  /// Calls the body with each kept instance that was built from an override, and collects the records of others.
  private func forEachBuilt(
    by override: Override.Pointer, _ records: inout ShortList<Entry>, _ aftermath: inout Aftermath,
    _ body: (Entry) -> Void
  ) {
    aftermath.release(override.unmanaged)
    forEachBuilt(from: override.target, where: { $0.isMade(by: override) }, &aftermath) { entry in
      if let build = entry.build {
        Engine.detach(build)
      } else if entry.state == .kept {
        // What is graph-scoped ends with its outermost resolve.
        if entry.isGraphScoped { entry.isForgotten = true } else if !entry.isInUse { body(entry) }
      } else if entry.state == .record {
        records.append(entry)
      }
    }
  }

  /// Calls the body with each record of a provider that this layer may see, and of all that was built from those.
  private func forEachBuilt(
    from target: Unmanaged<Declaration>, where isIncluded: (Entry) -> Bool, _ aftermath: inout Aftermath,
    _ body: (Entry) -> Void
  ) {
    var rest = ShortList<Entry>()
    defer { rest.free() }
    // Safe: the override keeps it.
    target._withUnsafeGuaranteedRef { target in
      if target.home != nil || target.isElsewhere { collect(target, where: isIncluded, into: &rest) }
      guard let family = target as? FamilyDeclaration else { return }
      let members = family.members.all
      for member in members { collect(member, where: isIncluded, into: &rest) }
      // These references may be the last ones.
      for member in members { aftermath.release(.passRetained(member)) }
    }
    guard !rest.isEmpty else { return }
    // Mostly there is one that nothing was built from.
    if rest.count == 1, let only = rest.first, only.dependents.isEmpty, only.build == nil { return body(only) }
    var seen = Set(rest)
    while !rest.isEmpty {
      let entry = rest.removeLast()
      for dependent in entry.dependents where seen.insert(dependent.entry).inserted {
        rest.append(dependent.entry)
      }
      // Those who are just being built from it have no edge yet.
      if let build = entry.build {
        for asker in build.askers where seen.insert(asker.entry).inserted { rest.append(asker.entry) }
      }
      body(entry)
    }
  }

  /// Collects the records of a provider that this layer may see.
  private func collect(
    _ declaration: Declaration, where isIncluded: (Entry) -> Bool, into records: inout ShortList<Entry>
  ) {
    var above = parent
    while let layer = above {
      layer.collectOwn(declaration, where: isIncluded, into: &records)
      above = layer.parent
    }
    guard firstChild != nil else { return collectOwn(declaration, where: isIncluded, into: &records) }
    forEachBelow { $0.collectOwn(declaration, where: isIncluded, into: &records) }
  }

  private func collectOwn(
    _ declaration: Declaration, where isIncluded: (Entry) -> Bool, into records: inout ShortList<Entry>
  ) {
    var entry = self.records(of: declaration)
    while let current = entry {
      entry = current.next
      if isIncluded(current) { records.append(current) }
    }
  }
}
