// MARK: - Overrides

extension Layer {
  /// Takes an override over, and keeps it in place of the caller; returns the one that it replaces, for the caller to keep.
  func setOverride(_ override: Override.Pointer) -> Override.Pointer? {
    override.owner = self
    var inherited = override.inherited
    while let current = inherited {
      current.owner = self
      inherited = current.inherited
    }
    if parent != nil { forEachBelow { $0.forgetDirectory() } }
    changes |= override.bits
    let replaced = overrides.updateValue(override, forKey: override.with { ObjectIdentifier($0.target) })
    guard let replaced, !override.isCopy else { return replaced }
    // In a block, an override of the pod stays below the block's own.
    guard !replaced.isCopy else {
      override.inherited = replaced
      return nil
    }
    override.inherited = replaced.inherited
    replaced.inherited = nil
    replaced.owner = nil
    return replaced
  }

  /// Takes an override out, and returns it for the caller to keep.
  func removeOverride(of target: Declaration) -> Override.Pointer? {
    guard let override = overrides.removeValue(forKey: ObjectIdentifier(target)) else { return nil }
    override.owner = nil
    if let inherited = override.inherited {
      override.inherited = nil
      overrides[ObjectIdentifier(target)] = inherited
    }
    var bits = owned.bits
    if !overrides.isEmpty { overrides.forEachValue { bits |= $0.bits } }
    changes = bits
    return override
  }
}

// MARK: - Records

extension Layer {
  /// The first of this layer's records of a provider.
  @inline(__always)
  func records(of declaration: Declaration) -> Entry? {
    if let table = state.pointee.records {
      return table._withUnsafeGuaranteedRef { $0.record(declaration.index) }
    }
    return ownRecord(of: declaration)
  }

  /// The first of the records that a layer without a table has of a provider.
  @inline(__always)
  func ownRecord(of declaration: Declaration) -> Entry? {
    state.pointee.ownRecords.isEmpty ? nil : state.pointee.ownRecords[declaration.index]
  }

  func insert(_ entry: Entry, of declaration: Declaration) {
    insert(entry, of: declaration, before: records(of: declaration))
  }

  /// Takes a record in, where the others of the provider are known.
  func insert(_ entry: Entry, of declaration: Declaration, before others: Entry?) {
    assert(!isOrphaned && !entry.has(.keepsLayer), "what has gone keeps nothing")
    entry.layer = self
    declaration.register(in: self)
    entry.next = others
    entry.isListed = true
    if others == nil, state.pointee.records == nil, state.pointee.ownRecords.add(entry, forNew: declaration.index) {
      return
    }
    setFirst(entry, declaration.index)
  }

  /// Takes a record out.
  func remove(_ entry: Entry) {
    guard entry.isListed else { return }
    entry.withDeclaration { remove(entry, of: $0) }
  }

  /// Takes a record out that is in.
  func remove(_ entry: Entry, of declaration: Declaration) {
    entry.isListed = false
    let index = declaration.index
    guard !declaration.isGhost else { return removeGhost(entry) }
    // Mostly it is the only one.
    if entry.next == nil, let table = state.pointee.records,
      table._withUnsafeGuaranteedRef({ $0.removeOnly(entry, index) })
    {
      if declaration.home == self { declaration.home = nil }
      return
    }
    var previous: Entry?
    var current = records(of: declaration)
    while let candidate = current, candidate != entry {
      previous = candidate
      current = candidate.next
    }
    guard current != nil else { return }
    if let previous { previous.next = entry.next } else { setFirst(entry.next, index) }
    entry.next = nil
    if declaration.home == self, records(of: declaration) == nil { declaration.home = nil }
  }

  @inline(never)
  private func removeGhost(_ entry: Entry) { ghosts.remove(entry) }

  /// Takes the first record of a provider out.
  func removeFirst(_ entry: Entry, of declaration: Declaration) {
    setFirst(entry.next, declaration.index)
    entry.next = nil
  }

  @inline(__always)
  private func setFirst(_ entry: Entry?, _ index: UInt32) {
    if let table = state.pointee.records {
      table._withUnsafeGuaranteedRef { $0.setRecord(entry, index) }
    } else {
      ownRecords[index] = entry
    }
  }

  /// Whether there is nothing in it that would have to end with it: true of many children.
  var isEmpty: Bool {
    state.pointee.records == nil && ownRecords.isEmpty && firstChild == nil
      && (!hasDetails || ghosts.isEmpty && lingering.isEmpty && captives.isEmpty)
  }

  func forEachRecord(_ body: (Entry) -> Void) {
    if let table {
      table.forEachRecord(body)
    } else {
      ownRecords.forEachValue { first in
        var entry: Entry? = first
        while let current = entry {
          entry = current.next
          body(current)
        }
      }
    }
    if hasDetails { for ghost in ghosts { body(ghost) } }
  }
}
