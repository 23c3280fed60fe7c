// MARK: - Overrides

extension Layer {
  /// Takes an override over; returns the one that it replaces.
  func setOverride(_ override: Override) -> Override? {
    override.owner = self
    var inherited = override.inherited
    while let current = inherited {
      current.owner = self
      inherited = current.inherited
    }
    if parent != nil { forEachBelow { $0.forgetDirectory() } }
    changes |= override.bits
    let replaced = overrides.updateValue(override, forKey: ObjectIdentifier(override.target))
    guard override.origin == nil, let replaced else { return replaced }
    // In a block, an override of the pod stays below the block's own.
    override.inherited = replaced.origin == nil ? replaced.inherited : replaced
    guard replaced.origin == nil else { return nil }
    replaced.owner = nil
    return replaced
  }

  func removeOverride(of target: Declaration) -> Override? {
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
    return ownRecords.isEmpty ? nil : ownRecords[declaration.index]
  }

  func insert(_ entry: Entry, of declaration: Declaration) {
    entry.layer = self
    declaration.isRegistered = true
    if declaration.home == nil {
      declaration.home = self
    } else if declaration.home != self {
      declaration.isElsewhere = true
    }
    entry.next = records(of: declaration)
    entry.isListed = true
    setFirst(entry, declaration.index)
  }

  /// Takes a record out.
  func remove(_ entry: Entry) {
    guard entry.isListed else { return }
    let declaration = entry.declaration
    // Should this be the last reference, the declaration ends when the record is out.
    defer { withExtendedLifetime(declaration) {} }
    entry.isListed = false
    let index = declaration.index
    if declaration.isGhost {
      ghosts.remove(entry)
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
