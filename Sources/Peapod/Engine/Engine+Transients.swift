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
      if build.recorder != nil, !entry.layer.isOrphaned { record = recordOfUse(entry, of: declaration, &aftermath) }
    } else if !entry.isAlone(as: declaration) {
      record = recordAmongOthers(entry, of: build, declaration, &aftermath)
    }
    if let recorder = build.recorder {
      note(record, for: recorder, view: build.view, isForeign: build.isForeign, &aftermath)
    }
    build.settle(at: record.layer, &aftermath)
    informHandles(of: record, declaration, for: build.view, &aftermath)
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

  /// Instances go: has transients recorded again that were built from them, for they will be built from others.
  static func recordAgain(from ending: ShortList<Entry>) {
    var seen: Set<Entry> = []
    for entry in ending where !entry.dependents.isEmpty && !entry.isGraphScoped { recordAgain(from: entry, &seen) }
  }

  @inline(never)
  private static func recordAgain(from entry: Entry, _ seen: inout Set<Entry>) {
    var rest = ShortList<Entry>()
    defer { rest.free() }
    rest.append(entry)
    while !rest.isEmpty {
      for dependent in rest.removeLast().dependents {
        let other = dependent.entry
        switch other.scopeKind {
        case .singleton, .custom: continue
        case .alwaysCreateNew, .graph, .weak: break
        }
        // Each once: what is shown is shown no longer then.
        guard other.isPublished || seen.insert(other).inserted else { continue }
        other.layer.unpublish(other)
        rest.append(other)
      }
    }
  }

  /// What is remembered of a transient that has other records: one that tells the same, or its own.
  @inline(never)
  private static func recordAmongOthers(
    _ entry: Entry, of build: Build, _ declaration: Declaration, _ aftermath: inout Aftermath
  ) -> Entry {
    if entry.waitsForGraph { return entry }
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
    if !record.isAlone(as: declaration), !record.waitsForGraph { dropOutlived(record, of: declaration, &aftermath) }
    return record
  }
}
