/// What ends instances of a layer: clears, the end of the pod, and the end of a provider. All with the engine's lock held, where
/// nothing else is said.
extension Layer {
  // MARK: - Clears

  /// Disposes the instances of some scopes, in the pods they belong to as seen from here and in all below.
  func clear(_ scopes: ScopeSet, for teardown: Teardown? = nil, _ aftermath: inout Aftermath) -> Int {
    var ending: Set<Entry> = []
    for scope in scopes.all where scope.kind != .singleton && scope.kind != .alwaysCreateNew {
      owner(of: scope).forEachBelow(unless: { $0.owns(ObjectIdentifier(scope)) }) { layer in
        layer.forEachRecord { if $0.scopeKind == scope.kind, $0.scope === scope { ending.insert($0) } }
      }
    }
    teardown?.join { entry in
      let scope = entry.scope
      return scopes.contains(ObjectIdentifier(scope)) && entry.layer.owner(of: scope) == owner(of: scope)
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
    var all = ShortList<Entry>()
    defer { all.free() }
    forEachBelow { layer in
      layer.forEachRecord { all.append($0) }
      layer.verified.removeAll()
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
    // Records that nothing was built from decide no order, and would only be in the way of what they were built from.
    forget(all, where: \.dependents.isEmpty, &aftermath)
    teardown?.join { $0.layer.isBelow(orSame: self) }
    _ = end(all, for: teardown, isFinal: true, &aftermath)
    forget(all, &aftermath)
    // A layer that ends keeps no records; those of instances that are still being disposed go on without it.
    if isFinal {
      for entry in all where entry.state != .gone {
        entry.keepLayer()
        entry.unlist()
      }
    }
  }

  /// Forgets the records among entries, or some of them; with each goes what was remembered for it alone.
  func forget(
    _ entries: ShortList<Entry>, where isMeant: (Entry) -> Bool = { _ in true }, _ aftermath: inout Aftermath
  ) {
    for entry in entries where (entry.state == .record || entry.state == .promised) && isMeant(entry) {
      entry.layer.unpublish(entry)
      entry.isForgotten = true
    }
    for entry in entries where entry.isForgotten && (entry.state == .record || entry.state == .promised) {
      Engine.discardUnneeded(entry, &aftermath)
    }
  }

  private func end(
    _ entries: some Sequence<Entry>, for teardown: Teardown?, isFinal: Bool = false, _ aftermath: inout Aftermath
  ) -> Int {
    var ending = ShortList<Entry>()
    defer { ending.free() }
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
        if Teardown.take(entry, for: teardown, isFinal: isFinal, &aftermath) { ending.append(entry) }
      }
    }
    Teardown.begin(taken: &ending, &aftermath)
    return count
  }

  // MARK: - Ends

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
    case .record, .promised: Engine.discardUnneeded(leaving, &aftermath)
    default: break
    }
  }

  /// A declaration is ending: what was built by it can no longer be asked for.
  ///
  /// Called from the end of the declaration: without the lock, or by a thread that holds it and took the last reference for a
  /// moment.
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
            if let retained = current.releaseDeclaration() { aftermath.release(retained) }
            entry = current.next
          }
        }
      }
    }
    _ = members
  }
}
