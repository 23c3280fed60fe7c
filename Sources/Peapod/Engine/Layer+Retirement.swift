/// The end of a pod.
extension Layer {
  /// The pod has gone: disposes what it kept and leaves nothing behind.
  ///
  /// Called without the lock.
  func retire() {
    if state.pointee.records == nil, retireUnnoticed() { return }
    let above = Engine.locked { aftermath in
      if !isEmpty, !endAtOnce(&aftermath) { clearAll(isFinal: true, &aftermath) }
      return orphan(&aftermath)
    }
    // An optimised program would let the pod above go, and dispose what it kept, before what this one kept.
    withExtendedLifetime(above) {}
  }

  /// The same for a child that kept little but what it was given, where nobody is called or told; returns whether it is such a one.
  ///
  /// It is so for most requests, each of which passes this once: it is short rather than general.
  @inline(never)
  private func retireUnnoticed() -> Bool {
    var freed: Entry?
    var above: Pod?
    let isDone = Engine.lockedBriefly {
      guard state.pointee.firstChild == nil, state.pointee.details == nil, state.pointee.handle == nil,
        state.pointee.parent != nil, !state.pointee.isOrphaned, Teardown.underWay == 0, !Engine.hasSuspects,
        !isObserved, let count = state.pointee.ownRecords.placedCount
      else { return false }
      for place in 0..<count where !state.pointee.ownRecords.value(at: place).endsUnnoticed(in: self) { return false }
      // All of them before the first one goes: an edge that is taken out moves others.
      for place in 0..<count { state.pointee.ownRecords.value(at: place).stopDepending(outside: self) }
      for place in 0..<count {
        let entry = state.pointee.ownRecords.value(at: place)
        entry.endUnnoticed(in: self)
        entry.next = freed
        freed = entry
      }
      state.pointee.ownRecords.removeAll()
      state.pointee.isOrphaned = true
      state.pointee.pod = nil
      detach()
      above = state.pointee.parentPod
      state.pointee.parentPod = nil
      return true
    }
    guard isDone else { return false }
    if let freed { EntryPool.giveBack(ended: freed) }
    withExtendedLifetime(above) {}
    return true
  }

  /// Lets everything go in one walk, where nobody is called or told and nothing else is concerned; returns whether that was so.
  ///
  /// It is so for most requests. What is left to do by others, step by step, is mostly to take apart what goes as a whole here.
  private func endAtOnce(_ aftermath: inout Aftermath) -> Bool {
    guard state.pointee.records == nil, firstChild == nil, !hasDetails, Teardown.underWay == 0, !isObserved else {
      return false
    }
    var count = 0
    var mayEnd = true
    forEachOwn { entry in
      mayEnd = mayEnd && count < Teardown.batch && entry.endsAlone
      count += 1
    }
    guard mayEnd else { return false }
    // The latest built first. What links the records of one provider links them in this order instead: the table is given up.
    var latest: Entry?
    forEachOwn { $0.enqueue(behind: &latest) }
    state.pointee.ownRecords.removeAll()
    while let entry = latest {
      latest = entry.next
      entry.endAlone(&aftermath)
    }
    return true
  }

  /// Calls the body with each record of a layer without a table.
  @inline(never)
  private func forEachOwn(_ body: (Entry) -> Void) {
    state.pointee.ownRecords.forEachValue { first in
      var entry: Entry? = first
      while let current = entry {
        entry = current.next
        body(current)
      }
    }
  }
}

extension Entry {
  /// Whether this can go at once, together with all in its layer that was built from it: no code of the user's is called, nobody
  /// looks for it, and what it was built from elsewhere stays as it is.
  var endsAlone: Bool {
    let layer = layer
    // What is weak, or waits for something, has details.
    guard state == .kept || state == .record, !isGraphScoped, self[.holds] == 0,
      storage.pointee.flags.isDisjoint(with: [.hasDetails, .keepsLayer, .isInUse]), !hasHook
    else { return false }
    for dependent in dependents where !dependent.entry.isKept(by: layer) || dependent.entry.serial <= serial {
      return false
    }
    for edge in dependencies where !edge.entry.isKept(by: layer) && (edge.entry.isLeftOver || edge.entry.isOfGhost) {
      return false
    }
    return true
  }

  /// Whether it can go at once with a child, together with all in there, and has nothing but plain bits, an override, and edges.
  @inline(__always)
  fileprivate func endsUnnoticed(in child: Layer) -> Bool {
    guard storage.pointee.next == nil, state == .kept || state == .record, self[.holds] == 0,
      storage.pointee.flags.subtracting([.isOverridden, .ranOnMain, .mayBeCaptor]).rawValue & Field.flagBits
        == Flags.isListed.rawValue, storage.pointee.content == 0 || has(.isOverridden) && isLentByOverride
    else { return false }
    for dependent in storage.pointee.dependents {
      guard dependent.entry.isKept(by: child), dependent.entry.serial > storage.pointee.serial else { return false }
    }
    for edge in storage.pointee.dependencies where !edge.entry.isKept(by: child) {
      // What is kept stays, whatever was built from it.
      guard edge.entry.state == .kept, !edge.entry.isOfGhost else { return false }
    }
    return true
  }

  /// Forgets its edges to what lives elsewhere.
  @inline(__always)
  fileprivate func stopDepending(outside child: Layer) {
    for index in storage.pointee.dependencies.indices.reversed()
    where !storage.pointee.dependencies[index].entry.isKept(by: child) {
      _ = stopDepending(at: index)
    }
  }

  /// Ends it when all in there have no edges but to each other, for the caller to free it once the lock is let go.
  @inline(__always)
  fileprivate func endUnnoticed(in child: Layer) {
    withDeclaration { if $0.home == child { $0.home = nil } }
    storage.pointee.dependencies.free()
    storage.pointee.dependents.free()
    storage.pointee.content = 0
    set(.isListed, false)
    state = .gone
  }

  /// Whether its value is that of the override that made it.
  @inline(__always)
  private var isLentByOverride: Bool { isLent(StoredValue(word: storage.pointee.content)) }

  /// Whether it is in the table of a layer; the layer of what is in no table may be gone.
  private func isKept(by other: Layer) -> Bool { isListed && layer == other }

  /// Takes its place in a list that begins with the latest built.
  fileprivate func enqueue(behind latest: inout Entry?) {
    guard var place = latest, place.serial > serial else {
      next = latest
      return latest = self
    }
    while let after = place.next, after.serial > serial { place = after }
    next = place.next
    place.next = self
  }

  /// Ends an entry that is no longer in its table, as the last of its provider there, and before what it was built from in its layer.
  func endAlone(_ aftermath: inout Aftermath) {
    let layer = layer
    withDeclaration { declaration in
      if let value {
        self.value = nil
        if !isLent(value) { aftermath.release(Leftover(value, of: declaration)) }
      }
      if declaration.home == layer { declaration.home = nil }
    }
    for index in dependencies.indices.reversed() where !dependencies[index].entry.isKept(by: layer) {
      _ = stopDepending(at: index)
    }
    // What is left leads to what goes as well.
    storage.pointee.dependencies.free()
    storage.pointee.dependents.free()
    set(.isListed, false)
    end(&aftermath)
  }
}
