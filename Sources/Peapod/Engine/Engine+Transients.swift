/// What happens to builds that keep nothing, with the engine's lock held.
extension Engine {
  /// A build that keeps nothing is done: its value is in the caller's memory, or belongs to one use.
  static func finishTransient(
    _ build: Build, of declaration: Declaration, fresh value: StoredValue? = nil, _ aftermath: inout Aftermath
  ) {
    let entry = build.entry
    let isFresh = value != nil
    end(build)
    entry.value = value
    entry.state = isFresh ? .kept : .record
    entry.isInUse = isFresh
    var record = entry
    if isFresh {
      // The builder may have let the pod go, and its table is empty then.
      if build.parent != nil, !entry.layer.isOrphaned { record = recordOfUse(entry, of: declaration, &aftermath) }
    } else if !entry.isAlone(as: declaration) {
      record = recordAmongOthers(entry, of: build, declaration, &aftermath)
    }
    if let parent = build.parent { note(record, for: parent, view: build.view, &aftermath) }
    build.settle(at: record.layer, &aftermath)
    informHandles(of: record, declaration, for: build.view)
    report(build, &aftermath)
    if entry.state == .record, entry.dependents.isEmpty, !isFresh,
      declaration.family != nil || !entry.isListed || build.isDetached
    {
      // Members come and go with their arguments: only what was built from one is worth remembering.
      discard(entry, &aftermath)
    } else if !isFresh {
      record.layer.publishTransient(record)
    }
    endGraph(build, &aftermath)
  }

  /// What is remembered of a transient that has other records: one that says the same, or its own.
  @inline(never)
  private static func recordAmongOthers(
    _ entry: Entry, of build: Build, _ declaration: Declaration, _ aftermath: inout Aftermath
  ) -> Entry {
    if !build.isDetached, let equal = equalRecord(entry, of: declaration) {
      equal.buildCount += 1
      // A builder on another thread may have made a handle of it meanwhile.
      entry.moveHandles(to: equal)
      entry.isForgotten = true
      if entry.dependents.isEmpty { discard(entry, &aftermath) }
      return equal
    }
    if entry.isListed { dropOutlived(entry, of: declaration, &aftermath) }
    return entry
  }

  /// What stands in the table for an instance of one use, which is in none: what is built from that is found through this.
  private static func recordOfUse(
    _ entry: Entry, of declaration: Declaration, _ aftermath: inout Aftermath
  ) -> Entry {
    if let known = equalRecord(entry, of: declaration) {
      known.buildCount += 1
      return known
    }
    let record = Entry.make(declaration, entry.override, in: entry.layer, state: .record)
    for edge in entry.dependencies {
      record.depend(on: edge.entry, isDeferred: edge.isDeferred, isForeign: edge.isForeign)
    }
    record.buildCount = 1
    entry.layer.insert(record, of: declaration)
    if !record.isAlone(as: declaration) { dropOutlived(record, of: declaration, &aftermath) }
    return record
  }

  /// What a handle of it leads to, where nothing is kept, is what it is built from; so is what a factory of its family leads to.
  @inline(__always)
  static func informHandles(of entry: Entry, _ declaration: Declaration, for view: Layer) {
    let kind = entry.scopeKind
    if kind == .alwaysCreateNew || kind == .graph, declaration.mayBePromised {
      inform(declaration, of: entry, for: view)
    }
    if let family = declaration.family, family.mayBePromised { inform(family, of: entry, for: view) }
  }

  @inline(never)
  private static func inform(_ declaration: Declaration, of entry: Entry, for view: Layer) {
    var layer: Layer? = entry.layer
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
        for edge in entry.dependencies where edge.entry != promised {
          promised.depend(on: edge.entry, isDeferred: true, isForeign: edge.isForeign)
        }
      }
      layer = current.parent
    }
  }

  /// A record of the same provider, made in the same way from the same things.
  private static func equalRecord(_ entry: Entry, of declaration: Declaration) -> Entry? {
    var candidate = entry.layer.records(of: declaration)
    while let other = candidate {
      candidate = other.next
      guard other != entry, other.state == .record, other.isMade(as: entry),
        other.dependencies.count == entry.dependencies.count,
        zip(other.dependencies, entry.dependencies).allSatisfy({
          $0.entry == $1.entry && $0.isDeferred == $1.isDeferred && $0.isForeign == $1.isForeign
        })
      else { continue }
      return other
    }
    return nil
  }

  /// Drops earlier records of a transient that tell nothing more than a new one: what they were built from is gone, and the
  /// new one was built from the same providers.
  ///
  /// Else a record would be left of each build that asks for something that is kept for less long than the pod.
  private static func dropOutlived(_ entry: Entry, of declaration: Declaration, _ aftermath: inout Aftermath) {
    var candidate = entry.layer.records(of: declaration)
    while let other = candidate {
      candidate = other.next
      guard other != entry, other.state == .record, other.isMade(as: entry), other.dependents.isEmpty,
        other.dependencies.count == entry.dependencies.count,
        zip(other.dependencies, entry.dependencies).allSatisfy({ $0.entry == $1.entry || $0.isOutlived(by: $1) })
      else { continue }
      entry.buildCount += other.buildCount
      discard(other, &aftermath)
    }
  }
}
