/// What happens to builds that keep nothing, with the engine's lock held.
extension Engine {
  /// A build that keeps nothing is done: its value is in the caller's memory.
  static func finishTransient(_ build: Build, isFresh: Bool = false, _ aftermath: inout Aftermath) {
    let entry = build.entry
    end(build)
    entry.state = .record
    let record = isFresh || build.isDetached ? entry : equalRecord(entry) ?? entry
    if record != entry {
      record.buildCount += 1
      // A builder on another thread may have made a handle of it meanwhile.
      entry.moveHandles(to: record)
      entry.isForgotten = true
      if entry.dependents.isEmpty { discard(entry, &aftermath) }
    } else if !isFresh, entry.isListed, !entry.isAlone(as: build.declaration) {
      dropOutlived(entry, &aftermath)
    }
    if let parent = build.parent { note(record, for: parent, view: build.view, &aftermath) }
    build.settle(at: record.layer, &aftermath)
    informFamily(of: record)
    report(build, &aftermath)
    if entry.state == .record, entry.dependents.isEmpty, !isFresh,
      entry.declaration.family != nil || !entry.isListed || build.isDetached
    {
      // Members come and go with their arguments: only what was built from one is worth remembering.
      discard(entry, &aftermath)
    } else if !isFresh {
      record.layer.publishTransient(record)
    }
    endGraph(build, &aftermath)
  }

  /// What a factory of the family leads to is what its members are built from.
  static func informFamily(of member: Entry) {
    guard let family = member.declaration.family else { return }
    var layer: Layer? = member.layer
    while let current = layer {
      var record = current.records(of: family)
      while let whole = record {
        record = whole.next
        guard whole.state == .promised else { continue }
        for edge in member.dependencies where edge.entry != whole {
          whole.depend(on: edge.entry, isDeferred: true, isForeign: edge.isForeign)
        }
      }
      layer = current.parent
    }
  }

  /// A record of the same provider, made in the same way from the same things.
  private static func equalRecord(_ entry: Entry) -> Entry? {
    var candidate = entry.layer.records(of: entry.declaration)
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
  private static func dropOutlived(_ entry: Entry, _ aftermath: inout Aftermath) {
    var candidate = entry.layer.records(of: entry.declaration)
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
