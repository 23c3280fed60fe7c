/// Records of one provider that tell the same, with the engine's lock held.
///
/// Of what is not kept there is one after the other. What is remembered of them must not grow with their number.
extension Engine {
  /// A record of the same provider, made in the same way from the same things.
  static func equalRecord(_ entry: Entry, of declaration: Declaration) -> Entry? {
    // Each of these has it among what was built from them, where there may be fewer than there are records of the provider.
    var rarest: Entry?
    for edge in entry.dependencies where edge.entry.dependents.count < rarest?.dependents.count ?? .max {
      rarest = edge.entry
    }
    var left = rarest?.dependents.count ?? .max
    var candidate = entry.layer.records(of: declaration)
    while let other = candidate, left > 0 {
      if other.isLike(entry) { return other }
      candidate = other.next
      left -= 1
    }
    guard candidate != nil, let rarest else { return nil }
    return rarest.dependents.first {
      $0.entry.isSibling(of: entry) && $0.entry.isListed && $0.entry.layer == entry.layer && $0.entry.isLike(entry)
    }?.entry
  }

  /// Drops earlier records of something that tell nothing more than a new one: what they were built from is gone, and the
  /// new one was built from the same providers.
  ///
  /// Else a record would be left of each build that asks for something that is kept for less long than the pod.
  static func dropOutlived(_ entry: Entry, of declaration: Declaration, _ aftermath: inout Aftermath) {
    var candidate = entry.layer.records(of: declaration)
    while let other = candidate {
      candidate = other.next
      guard other != entry, other.state == .record, other.isMade(as: entry), other.dependents.isEmpty,
        other.isOutlived(by: entry)
      else { continue }
      entry.buildCount += other.buildCount
      discard(other, &aftermath)
    }
  }

  /// Something graph-scoped has gone: lets one record stand for it and all that tell the same, and so for what was built from it and is
  /// not kept either.
  @inline(never)
  static func merge(_ entry: Entry, _ aftermath: inout Aftermath) {
    guard !entry.waitsForGraph else { return }
    guard entry.dependents.contains(where: { $0.entry.isMergeable }) else {
      return mergeOne(entry, &aftermath)
    }
    // What was built from others comes after them.
    for entry in above(entry).sorted(by: { $0.serial < $1.serial }) { mergeOne(entry, &aftermath) }
  }

  /// Something, and what was built from it that is not kept and waits for nothing else.
  private static func above(_ entry: Entry) -> Set<Entry> {
    var found: Set<Entry> = [entry]
    var rest = [entry]
    while let entry = rest.popLast() {
      for dependent in entry.dependents {
        let other = dependent.entry
        if other.isMergeable, !other.waitsForGraph, found.insert(other).inserted { rest.append(other) }
      }
    }
    return found
  }

  private static func mergeOne(_ entry: Entry, _ aftermath: inout Aftermath) {
    guard entry.isMergeable, entry.isListed, !entry.isForgotten, !entry.isOfGhost else { return }
    let declaration = entry.declaration
    guard !entry.isAlone(as: declaration) else { return }
    guard let equal = equalRecord(entry, of: declaration) else {
      return dropOutlived(entry, of: declaration, &aftermath)
    }
    entry.leadDependents(to: equal)
    equal.buildCount += entry.buildCount
    if entry.isPublished {
      // It is the provider that is shown.
      entry.isPublished = false
      equal.isPublished = true
    }
    discard(entry, &aftermath)
  }
}

extension Entry {
  /// Whether this is the record of something that was made in the same way from the same things.
  fileprivate func isLike(_ entry: Entry) -> Bool {
    self != entry && state == .record && isMade(as: entry) && dependencies.count == entry.dependencies.count
      && zip(dependencies, entry.dependencies).allSatisfy {
        $0.entry == $1.entry && $0.isDeferred == $1.isDeferred && $0.isForeign == $1.isForeign
      }
  }

  /// Whether all that it was built from is what another was built from, or gone where another one of the same is there.
  func isOutlived(by entry: Entry) -> Bool {
    dependencies.count == entry.dependencies.count
      && zip(dependencies, entry.dependencies).allSatisfy { $0.entry == $1.entry || $0.isOutlived(by: $1) }
  }

  /// Whether it was built from something graph-scoped that is still kept, and will be looked at when that goes.
  var waitsForGraph: Bool {
    dependencies.contains { edge in
      guard edge.entry.isGraphScoped, !edge.isDeferred else { return false }
      return edge.entry.state == .building || edge.entry.state == .kept || edge.entry.state == .dying
    }
  }

  /// Whether it is the record of something that is not kept.
  fileprivate var isMergeable: Bool { state == .record && (isGraphScoped || scopeKind == .alwaysCreateNew) }
}

extension Entry.Dependency {
  /// Whether this leads to what is gone, where another leads to an instance of the same provider, or of the same family or place.
  fileprivate func isOutlived(by other: Entry.Dependency) -> Bool {
    guard entry.state == .record, isDeferred == other.isDeferred, isForeign == other.isForeign else { return false }
    if entry.isSibling(of: other.entry) { return true }
    let (declaration, another) = (entry.declaration, other.entry.declaration)
    if declaration.isGhost { return declaration.isDeclared(where: another) }
    return declaration.family.map { $0 === another.family } ?? false
  }
}
