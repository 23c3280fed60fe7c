/// The end of instances: hooks run once, dependents before what they depend on, otherwise the latest built first.
///
/// An instance whose dependents have hooks that could only be started waits until those are done, and is kept until
/// then.
final class Teardown: @unchecked Sendable {
  // Safe: read and written under the engine's lock alone.
  private var remaining = 0
  private var waiting: UnsafeContinuation<Void, Never>?

  /// How many instances are being disposed, in all.
  @exclusivity(unchecked) nonisolated(unsafe) private static var underWay = 0

  /// Takes instances out of their layers and gives each its turn once the lock is let go.
  ///
  /// Called with the engine's lock held.
  ///
  /// `isFinal`: whether nothing is remembered of them either.
  static func begin(
    _ entries: [Entry], for teardown: Teardown? = nil, isFinal: Bool = false, _ aftermath: inout Aftermath
  ) {
    if entries.count == 1 { return begin(entries[0], for: teardown, isFinal: isFinal, &aftermath) }
    var ending = entries
    for entry in ending { take(entry, for: teardown, isFinal: isFinal) }
    ending.sort { $0.serial > $1.serial }
    // What goes one after the other anyway need not wait for each other.
    let isPlain = underWay == 0 && ending.allSatisfy(\.isPlain)
    underWay += ending.count
    aftermath.work.dying.append(contentsOf: ending)
    if isPlain { return }
    for entry in ending where !entry.dependents.isEmpty { block(entry, isStrict: false) }
    if ending.contains(where: { $0.blockers > 0 }), hasCycle(ending) {
      for entry in ending {
        entry.blockers = 0
        for other in dyingDependents(of: entry) where !other.blocked.isEmpty { other.blocked.removeAll { $0 == entry } }
      }
      for entry in ending { block(entry, isStrict: true) }
    }
  }

  /// Takes one instance out of its layer and gives it its turn once the lock is let go.
  static func begin(
    _ entry: Entry, for teardown: Teardown? = nil, isFinal: Bool = false, _ aftermath: inout Aftermath
  ) {
    take(entry, for: teardown, isFinal: isFinal)
    let isPlain = underWay == 0 && entry.isPlain
    underWay += 1
    aftermath.work.dying.append(entry)
    if !isPlain { block(entry, isStrict: false) }
  }

  private static func take(_ entry: Entry, for teardown: Teardown?, isFinal: Bool) {
    entry.layer.unpublish(entry)
    if isFinal { entry.isForgotten = true }
    entry.state = .dying
    entry.keepLayer()
    if let teardown {
      entry.teardown = teardown
      teardown.remaining += 1
    }
    // Only those in a table are told that their declaration ends.
    if !entry.isListed { entry.keepDescription() }
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
    var seen: Set<Entry> = []
    var rest = [entry]
    while let current = rest.popLast() {
      for dependent in current.dependents {
        let other = dependent.entry
        if isStrict, other.dependencies[Int(dependent.position)].isDeferred { continue }
        guard other != entry, seen.insert(other).inserted else { continue }
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
    var waits: [Entry: Int] = [:]
    for entry in entries { waits[entry] = 0 }
    for entry in entries {
      for other in entry.blocked { waits[other]? += 1 }
    }
    var ready = entries.filter { waits[$0] == 0 }
    var done = 0
    while let entry = ready.popLast() {
      done += 1
      for other in entry.blocked {
        guard let left = waits[other] else { continue }
        waits[other] = left - 1
        if left == 1 { ready.append(other) }
      }
    }
    return done < entries.count
  }

  /// How many instances without hooks are let go at a time: other threads want the lock too.
  private static let batch = 64

  /// The turn of some instances has come: each is disposed, or else as soon as its dependents are.
  ///
  /// Called without the lock.
  static func turn(of entries: [Entry]) {
    var rest = entries[...]
    while !rest.isEmpty {
      let next = Engine.locked { aftermath -> Call? in
        for _ in 0..<batch {
          guard let entry = rest.popFirst() else { return nil }
          let wasOverdue = entry.isOverdue
          entry.isOverdue = entry.blockers > 0
          if entry.isOverdue { continue }
          if let call = Call(entry, isLate: wasOverdue) { return call }
          finish(entry, &aftermath)
        }
        return nil
      }
      if let next { make(next) }
    }
  }

  /// A hook to be called, with all that is needed of its instance.
  private struct Call {
    let entry: Entry
    let value: StoredValue
    let hook: Declaration.Hook
    let isMainActor: Bool
    /// Whether it comes after the end of another hook, and not in the order of a teardown.
    let isLate: Bool

    /// `nil` if there is nothing to call.
    init?(_ entry: Entry, isLate: Bool) {
      guard entry.hasHook, let value = entry.value else { return nil }
      self.entry = entry
      self.value = value
      self.isLate = isLate
      (hook, isMainActor) = (entry.declaration.hook, entry.declaration.isMainActor)
    }
  }

  /// Calls the hook of an instance and lets the instance go.
  private static func make(_ call: Call) {
    let (entry, value) = (call.entry, call.value)
    switch call.hook {
    case .none:
      finish(entry)
    case .sync(let hook):
      if !call.isMainActor || ThreadContext.isMain {
        hook(value)
        finish(entry)
      } else {
        start(isLate: call.isLate) {
          await MainActor.run { hook(value) }
          finish(entry)
        }
      }
    case .async(let hook):
      start(isLate: call.isLate) {
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
    Engine.locked { finish(entry, &$0) }
  }

  private static func finish(_ entry: Entry, _ aftermath: inout Aftermath) {
    underWay -= 1
    let declaration = entry.declaration
    if let value = entry.value {
      entry.value = nil
      if entry.hasReaders, !entry.layer.isUnread(declaration) {
        entry.layer.leave(value, of: declaration)
      } else {
        aftermath.work.values.append((declaration, value))
      }
      if !entry.isGiven { entry.layer.emit(.dispose(entry.info), &aftermath) }
    }
    entry.state = .record
    entry.releaseLayer(&aftermath)
    for other in entry.blocked {
      other.blockers -= 1
      if other.blockers == 0, other.isOverdue { aftermath.work.dying.append(other) }
    }
    if !entry.blocked.isEmpty { entry.blocked = [] }
    var unnamed: [Entry] = []
    for edge in entry.dependencies {
      let other = edge.entry
      if other.state == .kept, other.declaration.isGhost, !other.isLingering { unnamed.append(other) }
    }
    if entry.dependents.isEmpty, !entry.isRemembered { Engine.discard(entry, &aftermath) }
    for ghost in unnamed where !ghost.hasLiveDependents { begin(ghost, &aftermath) }
    if let teardown = entry.teardown {
      entry.teardown = nil
      teardown.remaining -= 1
      if teardown.remaining == 0, let waiting = teardown.waiting {
        teardown.waiting = nil
        aftermath.work.seldom.resumed.append(waiting)
      }
    }
  }

  /// Waits until everything that belongs to this teardown was disposed.
  nonisolated(nonsending) func wait() async {
    if Engine.locked({ _ in remaining == 0 }) { return }
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
  /// Whether code of the user's is to be called with the instance.
  fileprivate var hasHook: Bool { value != nil && !isGiven && declaration.hook.exists }

  /// Whether the instance goes when those of its dependents have gone that go at the same time, if each goes in its turn.
  ///
  /// Asked when nothing else is being disposed.
  fileprivate var isPlain: Bool {
    guard !hasHook || declaration.hasPlainHook else { return false }
    return dependents.allSatisfy { dependent in
      let other = dependent.entry
      return switch other.state {
      case .dying: other.serial > serial
      case .record, .kept: other.dependents.isEmpty
      case .promised, .building, .gone: true
      }
    }
  }

  /// Whether anything that is kept was built from it.
  var hasLiveDependents: Bool {
    var seen: Set<Entry> = []
    var rest = [self]
    while let current = rest.popLast() {
      for dependent in current.dependents where seen.insert(dependent.entry).inserted {
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
