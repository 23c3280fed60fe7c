/// The end of a pod.
extension Layer {
  /// The pod has gone: disposes what it kept and leaves nothing behind.
  ///
  /// Called without the lock.
  func retire() {
    let above = Engine.locked { aftermath in
      if !isEmpty, !endAtOnce(&aftermath) { clearAll(isFinal: true, &aftermath) }
      return orphan(&aftermath)
    }
    // An optimised program would let the pod above go, and dispose what it kept, before what this one kept.
    withExtendedLifetime(above) {}
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
