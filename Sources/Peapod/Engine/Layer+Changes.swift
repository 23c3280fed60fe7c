/// What changes what a layer answers: overrides, clears, and the end of the pod. All with the engine's lock held.
extension Layer {
  // MARK: - Overrides

  /// Replaces a provider, or a family, for this layer and those below.
  func override(_ new: Override, _ aftermath: inout Aftermath) {
    let old = setOverride(new)
    if let old { end(old, &aftermath) }
    setAside(new.target, &aftermath)
    emit(.override(ProviderInfo(new.target, scope: new.scope(of: new.target))), &aftermath)
  }

  /// Takes an override back, if there is one.
  func removeOverride(of target: Declaration, _ aftermath: inout Aftermath) {
    guard let old = removeOverride(of: target) else { return }
    end(old, &aftermath)
    tell(removed: old, &aftermath)
  }

  /// Takes overrides back, those that there are.
  ///
  /// What was built from any of them is disposed in one order. `isThorough`: in a block, whether what it has of the pod goes
  /// as well.
  func removeOverrides(of targets: [Declaration], isThorough: Bool = false, _ aftermath: inout Aftermath) {
    var old: [Override] = []
    for target in targets {
      while let override = removeOverride(of: target) {
        old.append(override)
        if !isThorough { break }
      }
    }
    end(old, &aftermath)
    for override in old { tell(removed: override, &aftermath) }
  }

  private func tell(removed override: Override, _ aftermath: inout Aftermath) {
    setAside(override.target, &aftermath)
    emit(.removeOverride(ProviderInfo(override.target, scope: override.target.scope)), &aftermath)
  }

  /// Makes every instance that was built from a provider prove that it is still right, before it is given out.
  ///
  /// Nothing is moved: what was built from the provider is no longer seen while a definition differs from the one that
  /// it was built by, and is seen again when that is back.
  private func setAside(_ target: Declaration, _ aftermath: inout Aftermath) {
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
  private func outranks(_ entry: Entry, _ target: Declaration) -> Bool {
    guard let override = entry.override, let owner = override.owner else { return false }
    if owner == self { return override.target !== target && target is FamilyDeclaration }
    return owner.isBelow(orSame: self)
  }

  /// Disposes what was built from overrides, directly or not.
  private func end(_ overrides: [Override], _ aftermath: inout Aftermath) {
    var kept: [Entry] = []
    var seen: Set<Entry> = []
    var records = ShortList<Entry>()
    defer { records.free() }
    for override in overrides {
      // What was built from several of them is found several times.
      forEachBuilt(by: override, &records, &aftermath) { if seen.insert($0).inserted { kept.append($0) } }
    }
    if !kept.isEmpty { Teardown.begin(kept, isFinal: true, &aftermath) }
    forget(records, &aftermath)
  }

  /// Disposes what was built from an override, directly or not.
  private func end(_ override: Override, _ aftermath: inout Aftermath) {
    var kept = ShortList<Entry>()
    var records = ShortList<Entry>()
    defer {
      kept.free()
      records.free()
    }
    forEachBuilt(by: override, &records, &aftermath) { kept.append($0) }
    if kept.count == 1 {
      Teardown.begin(kept[0], isFinal: true, &aftermath)
    } else if !kept.isEmpty {
      Teardown.begin(Array(kept), isFinal: true, &aftermath)
    }
    forget(records, &aftermath)
  }

  /// Calls the body with each kept instance that was built from an override, and collects the records of others.
  private func forEachBuilt(
    by override: Override, _ records: inout ShortList<Entry>, _ aftermath: inout Aftermath, _ body: (Entry) -> Void
  ) {
    aftermath.work.trash.append(override)
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

  /// Forgets records: what is remembered of an override's instances would keep the override.
  private func forget(_ records: ShortList<Entry>, _ aftermath: inout Aftermath) {
    for entry in records { entry.isForgotten = true }
    for entry in records where entry.state == .record && entry.dependents.isEmpty {
      entry.layer.unpublish(entry)
      Engine.discard(entry, &aftermath)
    }
  }

  /// Calls the body with each record of a provider that this layer may see, and of all that was built from those.
  private func forEachBuilt(
    from target: Declaration, where isIncluded: (Entry) -> Bool, _ aftermath: inout Aftermath, _ body: (Entry) -> Void
  ) {
    var rest = ShortList<Entry>()
    defer { rest.free() }
    func collect(_ declaration: Declaration) {
      func add(_ layer: Layer) {
        var entry = layer.records(of: declaration)
        while let current = entry {
          entry = current.next
          if isIncluded(current) { rest.append(current) }
        }
      }
      var above = parent
      while let layer = above {
        add(layer)
        above = layer.parent
      }
      if firstChild == nil { add(self) } else { forEachBelow { add($0) } }
    }
    if target.home != nil || target.isElsewhere { collect(target) }
    if let family = target as? FamilyDeclaration {
      let members = family.members.all
      for member in members { collect(member) }
      // These references may be the last ones.
      aftermath.work.trash.append(contentsOf: members)
    }
    // Mostly there is one that nothing was built from.
    while let last = rest.last, last.dependents.isEmpty, last.build == nil {
      _ = rest.removeLast()
      body(last)
    }
    if rest.isEmpty { return }
    var seen = Set(rest)
    while !rest.isEmpty {
      let entry = rest.removeLast()
      for dependent in entry.dependents where seen.insert(dependent.entry).inserted {
        rest.append(dependent.entry)
      }
      // Those who are just being built from it have no edge yet.
      if let build = entry.build {
        for asker in [build.parent].compactMap(\.self) + build.waiters.compactMap(\.asker)
        where seen.insert(asker.entry).inserted {
          rest.append(asker.entry)
        }
      }
      body(entry)
    }
  }

  // MARK: - Clears

  /// Disposes the instances of some scopes, in the pods they belong to as seen from here and in all below.
  func clear(_ scopes: ScopeSet, for teardown: Teardown? = nil, _ aftermath: inout Aftermath) -> Int {
    var ending: Set<Entry> = []
    for scope in scopes.all where scope.kind != .singleton && scope.kind != .alwaysCreateNew {
      owner(of: scope).forEachBelow(unless: { $0.owned.contains(scope) }) { layer in
        layer.forEachRecord { if $0.scopeKind == scope.kind, $0.scope === scope { ending.insert($0) } }
      }
    }
    return end(ending, for: teardown, &aftermath)
  }

  /// Disposes the instances of some providers, in the pods in which they live as seen from here and in all below.
  func clear(_ declarations: [Declaration], _ aftermath: inout Aftermath) {
    var ending: Set<Entry> = []
    for declaration in declarations {
      var top = self
      var layer: Layer? = self
      while let current = layer {
        var entry = current.records(of: declaration)
        while let candidate = entry {
          if candidate.state == .building || candidate.isLive(&aftermath), sees(candidate) { top = current }
          entry = candidate.next
        }
        layer = current.parent
      }
      top.forEachBelow { layer in
        var entry = layer.records(of: declaration)
        while let current = entry {
          ending.insert(current)
          entry = current.next
        }
      }
    }
    _ = end(ending, for: nil, &aftermath)
  }

  /// Disposes everything that this layer and those below keep.
  func clearAll(for teardown: Teardown? = nil, isFinal: Bool = false, _ aftermath: inout Aftermath) {
    var all: [Entry] = []
    forEachBelow { layer in
      layer.forEachRecord { all.append($0) }
      layer.verified = []
      guard layer.hasDetails else { return }
      for entry in layer.lingering {
        entry.isLingering = false
        entry.letGo(&aftermath)
      }
      layer.lingering = []
      layer.nextToLeave = 0
      if !layer.captives.isEmpty { aftermath.work.seldom.keepsakes.append(layer.captives) }
      layer.captives = [:]
    }
    _ = end(all, for: teardown, isFinal: true, &aftermath)
    for entry in all {
      if entry.state == .record || entry.state == .promised {
        entry.layer.unpublish(entry)
        entry.isForgotten = true
        if entry.dependents.isEmpty { Engine.discard(entry, &aftermath) }
      }
      // A layer that ends keeps no records; those of instances that are still being disposed go on without it.
      if isFinal, entry.state != .gone {
        entry.keepLayer()
        entry.unlist()
      }
    }
  }

  private func end(
    _ entries: some Sequence<Entry>, for teardown: Teardown?, isFinal: Bool = false, _ aftermath: inout Aftermath
  ) -> Int {
    var ending: [Entry] = []
    var count = 0
    for entry in entries {
      if entry.isGraphScoped {
        // It ends with its outermost resolve, which may outlast the pod.
        if isFinal, entry.state == .kept { entry.keepLayer() }
        continue
      }
      if let build = entry.build, entry.state == .building {
        Engine.detach(build)
      } else if entry.state == .kept {
        if entry.isLive(&aftermath) { count += 1 }
        ending.append(entry)
      }
    }
    Teardown.begin(ending, for: teardown, isFinal: isFinal, &aftermath)
    return count
  }

  // MARK: - Ends

  /// The pod has gone: disposes what it kept and leaves nothing behind.
  ///
  /// Called without the lock.
  func retire() {
    let above = Engine.locked { aftermath in
      if !isEmpty { clearAll(isFinal: true, &aftermath) }
      return orphan(&aftermath)
    }
    // An optimised program would let the pod above go, and dispose what it kept, before what this one kept.
    withExtendedLifetime(above) {}
  }

  /// How many instances a layer keeps for providers that have gone.
  private static let lingeringLimit = 256

  /// Keeps what a provider built that has gone, until as many others have come to that.
  ///
  /// An optimised program lets go of a local provider right after its last mention. If its instance went at that moment
  /// too, the same program would keep an instance or not, and dispose in one order or another, as it was compiled.
  private func linger(_ entry: Entry, _ aftermath: inout Aftermath) {
    entry.isLingering = true
    entry.hold()
    guard lingering.count == Layer.lingeringLimit else { return lingering.append(entry) }
    let leaving = lingering[nextToLeave]
    lingering[nextToLeave] = entry
    nextToLeave = (nextToLeave + 1) % Layer.lingeringLimit
    leaving.isLingering = false
    defer { leaving.letGo(&aftermath) }
    switch leaving.state {
    case .kept where !leaving.hasLiveDependents: Teardown.begin(leaving, isFinal: true, &aftermath)
    case .record where leaving.dependents.isEmpty, .promised where leaving.dependents.isEmpty:
      Engine.discard(leaving, &aftermath)
    default: break
    }
  }

  /// A declaration is ending: what was built by it can no longer be asked for.
  ///
  /// Called from the end of the declaration, without the lock.
  static func forget(_ declaration: Declaration) {
    Engine.lockedAnyway { aftermath in
      var ghost: Declaration?
      func forget(in layer: Layer) {
        var entries: [Entry] = []
        var next = layer.records(of: declaration)
        while let entry = next {
          entries.append(entry)
          next = entry.next
        }
        // What leaves for one of these may take another of them along, which was there for it alone.
        for entry in entries where entry.state != .gone {
          layer.unpublish(entry)
          entry.delist()
          let known = ghost ?? declaration.ghost()
          ghost = known
          entry.outlive(known)
          entry.isListed = true
          layer.ghosts.insert(entry)
          layer.linger(entry, &aftermath)
        }
      }
      if declaration.isElsewhere {
        Layer.forEach { forget(in: $0) }
      } else if let home = declaration.home {
        forget(in: home)
      }
      declaration.home = nil
    }
  }

  /// A family can no longer be named: its instances stop keeping their members alive.
  static func forgetMembers(of family: FamilyDeclaration) {
    let members = family.members.all
    Engine.locked { aftermath in
      family.isNamed = false
      for member in members {
        Layer.forEach { layer in
          var entry = layer.records(of: member)
          while let current = entry {
            if let retained = current.releaseDeclaration() { aftermath.work.trash.append(retained) }
            entry = current.next
          }
        }
      }
    }
    _ = members
  }
}
