/// What handles may lead to, with the engine's lock held.
///
/// A promise stands for it: the record of what was never asked for, of what is not kept, or of a whole family. It depends on what
/// the handle was led to so far, or on what that was built from.
extension Engine {
  /// What a handle of it leads to, where nothing is kept, is what it is built from; so is what a factory of its family leads to.
  @inline(__always)
  static func informHandles(
    of entry: Entry, _ declaration: Declaration, for view: Layer, _ aftermath: inout Aftermath
  ) {
    let kind = entry.scopeKind
    if kind == .alwaysCreateNew || kind == .graph, declaration.mayBePromised {
      inform(declaration, of: entry, for: view, &aftermath)
    }
    if let family = declaration.family, family.mayBePromised { inform(family, of: entry, for: view, &aftermath) }
  }

  @inline(never)
  private static func inform(
    _ declaration: Declaration, of entry: Entry, for view: Layer, _ aftermath: inout Aftermath
  ) {
    // What its pod left behind says nothing to those above that.
    var layer: Layer? = entry.layer.isOrphaned ? nil : entry.layer
    while let current = layer {
      var record = current.records(of: declaration)
      while let candidate = record {
        record = candidate.next
        guard candidate.state == .promised, !entry.isOf(declaration) || candidate.isMade(as: entry),
          view.sees(candidate)
        else { continue }
        // What was built for a child says nothing to those who hold a handle above it.
        let own =
          current == entry.layer ? candidate : splitPromise(candidate, into: entry.layer) { $0.isInside(entry.layer) }
        guard let promised = own else { continue }
        leadOn(promised, from: entry, &aftermath)
      }
      layer = current.parent
    }
  }

  /// Leads a handle to what something was built from.
  static func leadOn(_ promised: Entry, from entry: Entry, _ aftermath: inout Aftermath) {
    // All of them at first: what goes with the first may take others along.
    for edge in parts(of: entry, for: promised) where edge.entry.state != .gone {
      lead(promised, to: edge.entry, isForeign: edge.isForeign, &aftermath)
    }
  }

  /// What an instance was built from, for what leads to it.
  ///
  /// What a decorator gets is an answer for that alone. So for a promise of anything else, what it was built from stands in its place.
  private static func parts(of entry: Entry, for promised: Entry) -> [Entry.Dependency] {
    guard entry.override != nil, !promised.isSibling(of: entry) else { return Array(entry.dependencies) }
    var parts: [Entry.Dependency] = []
    var seen: Set<Entry> = [entry]
    var rest = [entry]
    while let current = rest.popLast() {
      for edge in current.dependencies {
        if edge.isForeign || !edge.entry.isSibling(of: entry) {
          parts.append(edge)
        } else if seen.insert(edge.entry).inserted {
          rest.append(edge.entry)
        }
      }
    }
    return parts
  }

  private static func lead(_ promised: Entry, to entry: Entry, isForeign: Bool, _ aftermath: inout Aftermath) {
    guard entry != promised else { return }
    guard !entry.isGoneGhost else { return leadPast(entry, promised, isForeign: isForeign, &aftermath) }
    attach(promised, to: entry, isForeign: isForeign, &aftermath)
  }

  private static func attach(_ promised: Entry, to entry: Entry, isForeign: Bool, _ aftermath: inout Aftermath) {
    guard promised.depend(on: entry, isDeferred: true, isForeign: isForeign) else { return }
    if entry.scopeKind == .alwaysCreateNew || entry.isGraphScoped { leaveOutlived(promised, by: entry, &aftermath) }
    if let family = entry.livingFamily { limit(promised, family, &aftermath) }
  }

  /// Leads a handle no longer to records of something that is not kept which tell nothing more than the latest one.
  private static func leaveOutlived(_ promised: Entry, by entry: Entry, _ aftermath: inout Aftermath) {
    guard entry.isListed, !entry.isOfGhost else { return }
    var candidate = entry.layer.records(of: entry.declaration)
    while let other = candidate {
      candidate = other.next
      guard other != entry, other.state == .record, other.isMade(as: entry), other.isOutlived(by: entry),
        let index = promised.edge(to: other), promised.dependencies[index].isDeferred
      else { continue }
      _ = promised.stopDepending(at: index)
      if other.dependents.isEmpty { discard(other, &aftermath) }
    }
  }

  /// Leads a handle to what something was built from that is gone and whose provider is, too.
  @inline(never)
  private static func leadPast(
    _ entry: Entry, _ promised: Entry, isForeign: Bool, _ aftermath: inout Aftermath
  ) {
    var seen: Set<Entry> = [entry]
    var rest = [(entry: entry, isForeign: isForeign)]
    while let (entry, isForeign) = rest.popLast() {
      guard entry.isGoneGhost else {
        if entry != promised { attach(promised, to: entry, isForeign: isForeign, &aftermath) }
        continue
      }
      for edge in parts(of: entry, for: promised) where seen.insert(edge.entry).inserted {
        rest.append((edge.entry, edge.isForeign || isForeign))
      }
    }
  }

  private static func promise(of family: FamilyDeclaration, as member: Entry) -> Entry? {
    var record = member.layer.records(of: family)
    while let candidate = record {
      if candidate.state == .promised, candidate.isMade(as: member) { return candidate }
      record = candidate.next
    }
    return nil
  }

  private static func makePromise(of family: FamilyDeclaration, as member: Entry) -> Entry {
    family.mayBePromised = true
    let promise = Entry.make(family, member.override, in: member.layer, state: .promised)
    member.layer.insert(promise, of: family)
    return promise
  }

  /// How many members of a family that are gone a handle may have led to before it counts as leading to any.
  private static let memberLimit = 64

  /// Has the family stand for its members that are gone, where a handle led to many of them.
  ///
  /// - Complexity: O(1) amortised: it looks only when the handle leads to twice as much as at the last time, or to little.
  private static func limit(_ promised: Entry, _ family: FamilyDeclaration, _ aftermath: inout Aftermath) {
    func isMeant(_ edge: Entry.Dependency) -> Bool { edge.entry.state == .record && edge.entry.livingFamily === family }
    let count = promised.dependencies.count
    guard count > memberLimit, count & (count - 1) == 0, promised.dependencies.count(where: isMeant) > memberLimit
    else {
      return
    }
    var members: [Entry] = []
    var seen: Set<Entry> = []
    while let index = promised.dependencies.lastIndex(where: isMeant) {
      let isForeign = promised.dependencies[index].isForeign
      let member = promised.stopDepending(at: index)
      members.append(member)
      let standIn = promise(of: family, as: member) ?? makePromise(of: family, as: member)
      promised.depend(on: standIn, isDeferred: true, isForeign: isForeign)
      // What such members were built from, each once: they may have been built from one another.
      var rest = seen.insert(member).inserted ? [member] : []
      while let member = rest.popLast() {
        for edge in parts(of: member, for: standIn) {
          if !isMeant(edge) {
            standIn.depend(on: edge.entry, isDeferred: true, isForeign: edge.isForeign)
          } else if seen.insert(edge.entry).inserted {
            rest.append(edge.entry)
          }
        }
      }
    }
    for member in members where member.state == .record { discardUnneeded(member, &aftermath) }
  }

  /// An instance whose provider is gone has gone too: leads handles past it.
  ///
  /// Else a record would be left of each that a handle ever led to.
  @inline(never)
  static func leavePromises(of entry: Entry, _ aftermath: inout Aftermath) {
    guard entry.isGoneGhost else { return }
    for position in entry.dependents.indices.reversed() where position < entry.dependents.count {
      let (holder, index) = (entry.dependents[position].entry, entry.dependents[position].position)
      let edge = holder.dependencies[index]
      guard holder.state == .promised, edge.isDeferred else { continue }
      _ = holder.stopDepending(at: index)
      leadPast(entry, holder, isForeign: edge.isForeign, &aftermath)
    }
  }
}

extension Entry {
  /// Whether it is gone and its provider as well, so that there will be no other one in its place.
  fileprivate var isGoneGhost: Bool { state == .record && isListed && isOfGhost }

  /// The family that it is a member of, unless an override of the member alone made it, or the family can no longer be named.
  fileprivate var livingFamily: FamilyDeclaration? {
    withDeclaration { declaration -> FamilyDeclaration? in
      guard let family = declaration.family, family.isNamed, !declaration.isGhost else { return nil }
      let isOfFamily = override.map { $0.with { $0.target === family } } ?? true
      return isOfFamily ? family : nil
    }
  }
}
