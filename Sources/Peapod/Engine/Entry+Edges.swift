extension Entry {
  /// Records that this was built from another entry.
  ///
  /// - Complexity: O(the smaller of the two numbers of edges).
  @inline(__always) @discardableResult
  func depend(on other: Entry, isDeferred: Bool, isForeign: Bool) -> Bool {
    let isNews = link(to: other, isDeferred: isDeferred, isForeign: isForeign)
    if isNews { lookAgain() }
    return isNews
  }

  /// Records that this was built from another entry; returns whether it was not known, or not as much, so that those who found this to
  /// be right are to look again.
  @discardableResult
  func link(to other: Entry, isDeferred: Bool, isForeign: Bool) -> Bool {
    guard other != self else { return false }
    widen(other.mask)
    if isForeign || other.asksElsewhere { noteElsewhere() }
    if let known = edge(to: other) { return note(known, isDeferred: isDeferred, isForeign: isForeign) }
    dependencies.append(
      Dependency(
        entry: other, position: other.dependents.count, isDeferred: isDeferred, hasHandle: isDeferred,
        isForeign: isForeign))
    other.dependents.append(Dependent(entry: self, position: dependencies.count - 1))
    noteScope(of: other, isDeferred: isDeferred)
    return true
  }

  /// Where it lists another entry among what it was built from.
  @inline(__always)
  func edge(to other: Entry) -> Int? {
    if dependencies.count <= other.dependents.count { return dependencies.firstIndex { $0.entry == other } }
    return other.dependents.first { $0.entry == self }?.position
  }

  /// Has those look again who found this, or what was built from this, to be right: it turns out to be built from more, as what a
  /// handle leads to does.
  @inline(__always)
  private func lookAgain() {
    // What has neither a serial nor dependents was seen by nobody. The layer of what is in no table may be gone.
    guard serial != 0 || !dependents.isEmpty, isListed || build != nil else { return }
    layer.root.forgetVerified()
  }

  /// Notes whether a dependency, or what that was built from, may be cleared before this is.
  func noteScope(of other: Entry, isDeferred: Bool) {
    guard !isDeferred else { return }
    switch other.scopeKind {
    case .alwaysCreateNew, .graph, .weak: if scopeKind != other.scopeKind { mayBeCaptor = true }
    case .custom: if scopeKind != .custom || other.scope !== scope { mayBeCaptor = true }
    default: break
    }
  }

  /// Adds bits to what this was built from, and to all that was built from it.
  @inline(__always)
  private func widen(_ bits: UInt64) {
    guard mask | bits != mask else { return }
    mask |= bits
    if !dependents.isEmpty { widenDependents(bits) }
  }

  @inline(never)
  private func widenDependents(_ bits: UInt64) {
    var rest = dependents.map(\.entry)
    while let entry = rest.popLast() {
      guard entry.mask | bits != entry.mask else { continue }
      entry.mask |= bits
      rest.append(contentsOf: entry.dependents.map(\.entry))
    }
  }

  /// Notes that this, and with it all that was built from it, depends on what another pod answers.
  @inline(never)
  private func noteElsewhere() {
    guard !asksElsewhere else { return }
    var rest = [self]
    while let entry = rest.popLast() {
      guard !entry.asksElsewhere else { continue }
      entry.asksElsewhere = true
      for dependent in entry.dependents { rest.append(dependent.entry) }
    }
  }

  private func note(_ index: Int, isDeferred: Bool, isForeign: Bool) -> Bool {
    if isDeferred { dependencies[index].hasHandle = true } else { dependencies[index].isDeferred = false }
    noteScope(of: dependencies[index].entry, isDeferred: isDeferred)
    guard dependencies[index].isForeign, !isForeign else { return false }
    dependencies[index].isForeign = false
    return true
  }

  /// Forgets an edge; returns the dependency.
  func stopDepending(at index: Int) -> Entry {
    let edge = dependencies[index]
    let lastDependent = edge.entry.dependents.removeLast()
    if edge.position < edge.entry.dependents.count {
      edge.entry.dependents[edge.position] = lastDependent
      lastDependent.entry.dependencies[lastDependent.position].position = edge.position
    }
    let last = dependencies.removeLast()
    if index < dependencies.count {
      dependencies[index] = last
      last.entry.dependents[last.position].position = index
    }
    return edge.entry
  }

  /// Leads the handles that others hold of this to another entry.
  func moveHandles(to other: Entry) {
    guard !dependents.isEmpty else { return }
    for position in dependents.indices.reversed() {
      let holder = dependents[position].entry
      let index = dependents[position].position
      let edge = holder.dependencies[index]
      guard edge.hasHandle, holder.state != .dying, holder != other else { continue }
      Layer.epoch += 1
      if edge.isDeferred { _ = holder.stopDepending(at: index) } else { holder.dependencies[index].hasHandle = false }
      holder.depend(on: other, isDeferred: true, isForeign: edge.isForeign)
    }
  }

  /// Has those of its dependents that a condition names depend on another entry instead.
  func moveDependents(to other: Entry, where isMeant: (Entry) -> Bool) {
    for position in dependents.indices.reversed() {
      let dependent = dependents[position].entry
      guard dependent != other, isMeant(dependent) else { continue }
      let index = dependents[position].position
      let edge = dependent.dependencies[index]
      Layer.epoch += 1
      _ = dependent.stopDepending(at: index)
      dependent.depend(on: other, isDeferred: edge.isDeferred, isForeign: edge.isForeign)
      if edge.hasHandle { dependent.depend(on: other, isDeferred: true, isForeign: edge.isForeign) }
    }
  }

  /// Has all that was built from this depend on a record that tells the same.
  ///
  /// Nobody has to look again. Each edge stays where it is among the others.
  func leadDependents(to other: Entry) {
    while let last = dependents.last {
      let (holder, index) = (last.entry, last.position)
      let edge = holder.dependencies[index]
      if holder == other || holder.edge(to: other) != nil {
        _ = holder.stopDepending(at: index)
        holder.link(to: other, isDeferred: edge.isDeferred, isForeign: edge.isForeign)
        if edge.hasHandle { holder.link(to: other, isDeferred: true, isForeign: edge.isForeign) }
      } else {
        _ = dependents.removeLast()
        holder.dependencies[index] = Dependency(
          entry: other, position: other.dependents.count, isDeferred: edge.isDeferred, hasHandle: edge.hasHandle,
          isForeign: edge.isForeign)
        other.dependents.append(Dependent(entry: holder, position: index))
        holder.widen(other.mask)
      }
    }
  }

  /// Whether it lies in a layer or below; the layer of what is in no table and not being built may be gone.
  func isInside(_ other: Layer) -> Bool { (isListed || build != nil) && layer.isBelow(orSame: other) }
}
