/// What a layer answers: which definition counts, which pod a scope belongs to, which instances are right.
///
/// All of it is called with the engine's lock held.
extension Layer {
  /// The override that counts for a provider as seen from here, or `nil` where its own builder does: the nearest pod's
  /// first, then a member's before its family's.
  ///
  /// `outer`: an override whose builder asks for the provider that it overrides: what counts is what comes after it.
  func override(of declaration: Declaration, after outer: Override.Pointer?) -> Override.Pointer? {
    var layer = self
    while layer.changes == 0 {
      guard let parent = layer.parent else { return nil }
      layer = parent
    }
    guard outer == nil, declaration.family == nil else { return layer.furtherOverride(of: declaration, after: outer) }
    let bit = declaration.bit
    while true {
      if layer.changes & bit != 0, let found = layer.ownOverride(of: declaration) { return found }
      guard let parent = layer.parent else { return nil }
      layer = parent
    }
  }

  /// What this layer itself says of a provider, or of a family.
  @inline(__always)
  func ownOverride(of declaration: Declaration) -> Override.Pointer? {
    state.pointee.overrides[ObjectIdentifier(declaration)]
  }

  /// The same, of a member, or beneath an override.
  private func furtherOverride(of declaration: Declaration, after outer: Override.Pointer?) -> Override.Pointer? {
    let bits = declaration.bit | (declaration.family?.bit ?? 0)
    var isFound = outer == nil
    var layer: Layer? = self
    while let current = layer {
      if current.changes & bits != 0, !current.state.pointee.overrides.isEmpty {
        var candidate = current.ownOverride(of: declaration)
        var isMember = declaration.family != nil
        while candidate != nil || isMember {
          if candidate == nil, let family = declaration.family {
            isMember = false
            candidate = current.ownOverride(of: family)
          }
          guard let override = candidate else { continue }
          if isFound { return override }
          isFound = override == outer
          candidate = override.inherited
        }
      }
      layer = current.parent
    }
    return nil
  }

  /// The pod that a scope belongs to as seen from here: the nearest upwards that owns it, else the root.
  func owner(of scope: ScopeIdentity) -> Layer {
    var layer = self
    while let parent = layer.parent, !layer.owns(ObjectIdentifier(scope)) { layer = parent }
    return layer
  }

  @inline(__always)
  func owns(_ scope: ObjectIdentifier) -> Bool { state.pointee.owned.contains(scope) }

  /// Whether this layer or one above owns a scope.
  func isOwned(_ scope: ObjectIdentifier) -> Bool {
    var layer: Layer? = self
    while let current = layer, !current.owns(scope) { layer = current.parent }
    return layer != nil
  }

  /// The outermost layer in which an instance may live that an override makes, or else the provider itself.
  func home(of declaration: Declaration, by override: Override.Pointer?) -> Layer {
    guard parent != nil else { return self }
    let bit = override?.ownBit ?? declaration.scopeBit
    var owner = self
    while let parent = owner.parent {
      if owner.changes & bit != 0, owner.owns(override?.ownScopeID ?? declaration.scopeID) { break }
      owner = parent
    }
    guard let overriding = override?.owner, overriding.depth > owner.depth else { return owner }
    return overriding
  }

  /// Whether this layer, or one between it and another above, overrides a member of a family.
  func overridesMember(of family: FamilyDeclaration, below other: Layer) -> Bool {
    var layer: Layer? = self
    while let current = layer, current != other {
      var isFound = false
      current.state.pointee.overrides.forEachValue { override in
        if !isFound { isFound = override.with { $0.target.family === family } }
      }
      if isFound { return true }
      layer = current.parent
    }
    return false
  }

  /// Whether this layer would build an instance, or what is recorded of it so far, in the same way.
  ///
  /// - Complexity: O(1) where no layer between changes anything that it may have been built from, else linear in what it
  ///   was built from and not yet known to be seen.
  func sees(_ entry: Entry, after outer: Override.Pointer? = nil) -> Bool {
    if isUnchanged(for: entry) || verified.contains(entry.serial) { return true }
    var seen: Set<Visit> = []
    var right: [Entry] = []
    var rest: [(entry: Entry, outer: Override.Pointer?, view: Layer)] = [(entry, outer, self)]
    while let (current, outer, view) = rest.popLast() {
      guard seen.insert(Visit(entry: current, outer: outer, view: view)).inserted else { continue }
      let isPlain = outer == nil && view == self
      if isPlain, isRefuted(current) { return false }
      guard current.isMade(by: view.override(of: current.declaration, after: outer)),
        view.owner(of: current.scope) == current.layer.owner(of: current.scope)
      else {
        if isPlain { refute(current) }
        return false
      }
      // A factory of a family leads to every member.
      if current.state == .promised, let family = current.declaration as? FamilyDeclaration,
        view.overridesMember(of: family, below: current.layer)
      {
        return false
      }
      // What is right only beneath an override is not what others get.
      if outer == nil, view == self, current.state == .kept { right.append(current) }
      for edge in current.dependencies {
        let next = edge.entry
        if edge.isForeign {
          // Another pod was asked. What it would answer now counts, as long as it is there.
          if next.isListed { rest.append((next, nil, next.layer)) }
        } else if next.isSibling(of: current), let decorator = current.override {
          rest.append((next, decorator, view))
        } else if !view.isKnown(next) {
          rest.append((next, nil, view))
        }
      }
      // What a build is just asking for counts as well.
      if let asking = current.build {
        for build in asking.pending.lazy.filter({ !$0.isForeign }).map(\.build) {
          rest.append((build.entry, current.isOf(build.declaration) ? current.override : nil, view))
        }
      }
    }
    guard parent != nil else {
      for entry in right { publish(entry, of: entry.declaration) }
      return true
    }
    if verified.isFull { verified.keep(visibleSerials) }
    for entry in right { _ = verified.insert(entry.serial) }
    return true
  }

  /// The serials of all instances that this layer might see.
  private var visibleSerials: [UInt64] {
    var serials: [UInt64] = []
    var layer: Layer? = self
    while let current = layer {
      current.forEachRecord { serials.append($0.serial) }
      layer = current.parent
    }
    return serials
  }

  private func isRefuted(_ entry: Entry) -> Bool {
    guard let details = state.pointee.details, details.refutedAt == Layer.epoch else { return false }
    return details.refuted.contains(entry.serial)
  }

  /// Remembers that an instance, and with it all that was built from it, is not right as seen from here.
  ///
  /// Else each step of a long chain that is built again would walk down to what was overridden.
  private func refute(_ entry: Entry) {
    let details = details
    if details.refutedAt != Layer.epoch {
      details.refutedAt = Layer.epoch
      details.refuted.removeAll()
    } else if details.refuted.isFull {
      details.refuted.keep(visibleSerials)
    }
    var rest = [entry]
    while let current = rest.popLast() {
      guard current.state == .kept || current.state == .record, current.serial != 0,
        details.refuted.insert(current.serial)
      else { continue }
      for dependent in current.dependents {
        let other = dependent.entry
        // What another pod was asked for, and what a decorator asked for, is judged as seen from elsewhere.
        guard !other.dependencies[dependent.position].isForeign, !other.isSibling(of: current) else { continue }
        rest.append(other)
      }
    }
  }

  /// An entry that was looked at, the override beneath which, and from where.
  private struct Visit: Hashable {
    let entry: Entry
    let outer: Override.Pointer?
    let view: Layer
  }

  /// Copies a kept instance that is known to be right as seen from here; returns its entry.
  ///
  /// A shortcut that counts no references on its way, for what is asked most: what it does not find may still be there. `isNew`:
  /// set where nothing is found, to whether there is no record of the provider at all.
  func copyKept(_ declaration: Declaration, to memory: UnsafeMutableRawPointer, isNew: inout Bool) -> Entry? {
    var home: Layer? = self
    var isRecorded = false
    while let layer = home {
      if let entry = layer.records(of: declaration) {
        if entry.state == .kept, let value = entry.value, !entry.isGraphScoped, knows(entry) {
          declaration.copy(value, to: memory)
          // Who asks a pod below the root reads no slot.
          if layer == self { restock(entry) }
          return entry
        }
        isRecorded = true
      }
      home = layer.parent
    }
    isNew = !isRecorded
    return nil
  }

  /// Whether an instance was found to be right before, or nothing from here up to the root concerns it.
  private func knows(_ entry: Entry) -> Bool {
    if verified.contains(entry.serial) { return true }
    let bits = entry.mask
    var layer = self
    while let above = layer.parent {
      if layer.mayChange(entry, bits) { return false }
      layer = above
    }
    // What the root answers is known to be right there, whatever it overrides.
    return entry.isPublished || (layer.changes & bits == 0 && entry.isMade(by: nil) && !entry.asksElsewhere)
  }

  /// Whether no layer between changes anything that an entry was built from, as far as the bits tell.
  private func isUnchanged(for entry: Entry) -> Bool {
    if entry.isPublished, parent == nil { return true }
    // While it is being built, what it will ask for is not in the bits, but what it has asked for is.
    var bits = entry.mask
    if let build = entry.build { for pending in build.pending { bits |= pending.build.entry.mask } }
    var layer = self
    while let parent = layer.parent {
      if layer.mayChange(entry, bits) { return false }
      layer = parent
    }
    return entry.isPublished || (layer.changes & bits == 0 && !entry.asksElsewhere)
  }

  /// Whether this layer may change anything that an entry was built from, of which these are the bits.
  @inline(__always)
  func mayChange(_ entry: Entry, _ bits: UInt64) -> Bool {
    changes & bits != 0 && mayReallyChange(entry, bits)
  }

  /// Looks more closely, since many things share a bit.
  ///
  /// What a root's instance was built from has a record in that root. So a provider that has none there changes nothing, and most
  /// of those that each request overrides have none. It is not remembered, so it is for where there is little to look at; else
  /// the caller walks through what the instance was built from, and remembers that.
  @inline(never)
  private func mayReallyChange(_ entry: Entry, _ bits: UInt64) -> Bool {
    let home = entry.layer
    if home.parent != nil || state.pointee.overrides.count > Layer.closeLook { return true }
    if state.pointee.owned.bits & bits != 0 || entry.build != nil || entry.asksElsewhere { return true }
    var isFound = false
    state.pointee.overrides.forEachValue { override in
      guard !isFound, override.bits & bits != 0 else { return }
      // What stands for a whole family leads to every member.
      isFound = override.with {
        $0.target.family != nil || $0.target is FamilyDeclaration || home.records(of: $0.target) != nil
      }
    }
    return isFound
  }

  /// How many overrides a layer may have for each of them to be looked at by a cached resolve.
  private static var closeLook: Int { 8 }

  private func isKnown(_ entry: Entry) -> Bool {
    parent == nil ? entry.isPublished : verified.contains(entry.serial)
  }
}
