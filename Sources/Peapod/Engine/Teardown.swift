/// The end of instances: hooks run once, dependents before what they depend on, otherwise the latest built first.
///
/// An instance whose dependents have hooks that could only be started waits until those are done, and is kept until
/// then.
final class Teardown: @unchecked Sendable {
  // Safe: read and written under the engine's lock alone.
  private var remaining = 0
  private var waiting: UnsafeContinuation<Void, Never>?

  /// Takes instances out of their layers and gives each its turn once the lock is let go.
  ///
  /// Called with the engine's lock held.
  ///
  /// `isFinal`: whether nothing is remembered of them either.
  static func begin(
    _ entries: [Entry], for teardown: Teardown? = nil, isFinal: Bool = false, _ aftermath: inout Aftermath
  ) {
    var ending = entries
    for entry in ending {
      entry.layer.unpublish(entry)
      if isFinal { entry.isForgotten = true }
      entry.state = .dying
      entry.dyingIn = entry.layer
      entry.teardown = teardown
      // Only those in a table are told that their declaration ends.
      if !entry.isListed { entry.keepDescription() }
    }
    teardown?.remaining += ending.count
    for entry in ending where !entry.dependents.isEmpty { block(entry, isStrict: false) }
    if ending.contains(where: { $0.blockers > 0 }), hasCycle(ending) {
      for entry in ending {
        entry.blockers = 0
        for other in dyingDependents(of: entry) { other.blocked.removeAll { $0 === entry } }
      }
      for entry in ending { block(entry, isStrict: true) }
    }
    if ending.count > 1 { ending.sort { $0.serial > $1.serial } }
    aftermath.work.dying.append(contentsOf: ending)
  }

  /// Makes an instance wait for those of its dependents that are not disposed yet.
  private static func block(_ entry: Entry, isStrict: Bool) {
    for other in dyingDependents(of: entry, isStrict: isStrict) {
      other.blocked.append(entry)
      entry.blockers += 1
    }
  }

  /// What was built from an instance and is not disposed yet, also by way of what is gone already or stays.
  ///
  /// `isStrict`: whether what holds a handle alone does not count.
  private static func dyingDependents(of entry: Entry, isStrict: Bool = false) -> [Entry] {
    var dying: [Entry] = []
    var seen: Set<ObjectIdentifier> = []
    var rest = [entry]
    while let current = rest.popLast() {
      for dependent in current.dependents {
        let other = dependent.entry
        if isStrict, other.dependencies[Int(dependent.position)].isDeferred { continue }
        guard other !== entry, seen.insert(ObjectIdentifier(other)).inserted else { continue }
        if other.state == .dying {
          dying.append(other)
        } else if other.state == .record || other.state == .kept {
          rest.append(other)
        }
      }
    }
    return dying
  }

  /// Whether handles made some wait for each other.
  private static func hasCycle(_ entries: [Entry]) -> Bool {
    // What waits for an earlier teardown as well gets its turn from that one: only waits among these count.
    var waits: [ObjectIdentifier: Int] = [:]
    for entry in entries { waits[ObjectIdentifier(entry)] = 0 }
    for entry in entries {
      for other in entry.blocked { waits[ObjectIdentifier(other)]? += 1 }
    }
    var ready = entries.filter { waits[ObjectIdentifier($0)] == 0 }
    var done = 0
    while let entry = ready.popLast() {
      done += 1
      for other in entry.blocked {
        guard let left = waits[ObjectIdentifier(other)] else { continue }
        waits[ObjectIdentifier(other)] = left - 1
        if left == 1 { ready.append(other) }
      }
    }
    return done < entries.count
  }

  /// An instance's turn has come: it is disposed, or else as soon as its dependents are.
  ///
  /// Called without the lock.
  static func turn(of entry: Entry) {
    let (isBlocked, wasOverdue) = Engine.locked { _ in
      let wasOverdue = entry.isOverdue
      entry.isOverdue = entry.blockers > 0
      return (entry.isOverdue, wasOverdue)
    }
    if !isBlocked { dispose(entry, isLate: wasOverdue) }
  }

  /// Runs the hook of an instance and lets it go.
  ///
  /// `isLate`: whether it comes after the end of another hook, and not in the order of a teardown.
  private static func dispose(_ entry: Entry, isLate: Bool) {
    guard let value = entry.value, !entry.definition.isGiven else { return finish(entry) }
    switch entry.declaration.hook {
    case .none:
      finish(entry)
    case .sync(let hook):
      if !entry.declaration.isMainActor || ThreadContext.isMain {
        hook(value)
        finish(entry)
      } else {
        start(isLate: isLate) {
          await MainActor.run { hook(value) }
          finish(entry)
        }
      }
    case .async(let hook):
      start(isLate: isLate) {
        await hook(value)
        finish(entry)
      }
    }
  }

  /// Starts what cannot be done at once; it is no part of any build that is running here.
  ///
  /// Tasks that are merely made may begin in any order. So where the runtime can, each runs here until it first suspends;
  /// but not one inside the end of another, which would nest them without limit.
  private static func start(isLate: Bool, _ operation: @escaping @Sendable () async -> Void) {
    TaskContext.$build.withValue(nil) {
      if !isLate, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        Task.immediate { await operation() }
      } else {
        Task { await operation() }
      }
    }
  }

  /// An instance was disposed: lets it go, and gives their turn to those that waited for it.
  private static func finish(_ entry: Entry) {
    Engine.locked { aftermath in
      let declaration = entry.declaration
      if let value = entry.value {
        entry.value = nil
        if entry.hasReaders, !entry.layer.isUnread(declaration) {
          entry.layer.leave(value, of: declaration)
        } else {
          aftermath.work.values.append((declaration, value))
        }
        if !entry.definition.isGiven { entry.layer.emit(.dispose(entry.info), &aftermath) }
      }
      entry.state = .record
      if let layer = entry.dyingIn {
        aftermath.work.trash.append(layer)
        entry.dyingIn = nil
      }
      for other in entry.blocked {
        other.blockers -= 1
        if other.blockers == 0, other.isOverdue { aftermath.work.dying.append(other) }
      }
      entry.blocked = []
      var unnamed: [Entry] = []
      for edge in entry.dependencies {
        let other = edge.entry
        if other.state == .kept, other.declaration.isGhost, !other.isLingering { unnamed.append(other) }
      }
      if entry.dependents.isEmpty, !entry.isRemembered { Engine.discard(entry, &aftermath) }
      for ghost in unnamed where !ghost.hasLiveDependents { begin([ghost], &aftermath) }
      if let teardown = entry.teardown {
        entry.teardown = nil
        teardown.remaining -= 1
        if teardown.remaining == 0, let waiting = teardown.waiting {
          teardown.waiting = nil
          aftermath.work.resumed.append(waiting)
        }
      }
    }
  }

  /// Waits until everything that belongs to this teardown was disposed.
  nonisolated(nonsending) func wait() async {
    await withUnsafeContinuation { continuation in
      let isDone = Engine.locked { _ in
        if remaining > 0 { waiting = continuation }
        return remaining == 0
      }
      if isDone { continuation.resume() }
    }
  }
}

extension Entry {
  /// Whether anything that is kept was built from it.
  var hasLiveDependents: Bool {
    var seen: Set<ObjectIdentifier> = []
    var rest = [self]
    while let current = rest.popLast() {
      for dependent in current.dependents where seen.insert(ObjectIdentifier(dependent.entry)).inserted {
        switch dependent.entry.state {
        case .kept, .building, .promised, .dying: return true
        case .record: rest.append(dependent.entry)
        case .gone: break
        }
      }
    }
    return false
  }
}
