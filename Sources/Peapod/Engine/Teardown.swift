/// The end of instances: hooks run once, dependents before what they depend on, otherwise the latest built first.
///
/// An instance whose dependents have hooks that could only be started waits until those are done, and is kept until
/// then. So does one that is still being used by a builder whose instance is to be disposed as well.
///
/// An object of this class stands for someone who waits for that.
final class Teardown: @unchecked Sendable {
  // Safe: read and written under the engine's lock alone.
  private var remaining = 0
  private var waiting: UnsafeContinuation<Void, Never>?
  private let waitsForBuilders: Bool
  /// Whether a builder or a hook waits, so that it must not wait for what waits for that.
  private let isNested: Bool

  /// `waitsForBuilders`: whether hooks that come after the end of builders are waited for too, where neither a builder nor a hook waits.
  init(waitsForBuilders: Bool = false) {
    isNested = Asker.runningBuild != nil || TaskContext.isInHook
    self.waitsForBuilders = waitsForBuilders && !isNested
  }

  // Safe: as the state above.
  /// What is being disposed, but for what goes before the lock is let go.
  @exclusivity(unchecked) nonisolated(unsafe) private static var dying: Set<Entry> = []

  /// How many instances are being disposed, in all.
  // Safe: as the state above.
  @exclusivity(unchecked) nonisolated(unsafe) private(set) static var underWay = 0

  /// Takes instances out of their layers and gives each its turn once the lock is let go.
  ///
  /// Called with the engine's lock held.
  ///
  /// `isFinal`: whether nothing is remembered of them either.
  static func begin(
    _ entries: some Sequence<Entry>, for teardown: Teardown? = nil, isFinal: Bool = false, _ aftermath: inout Aftermath
  ) {
    var ending = ShortList<Entry>()
    defer { ending.free() }
    for entry in entries where take(entry, for: teardown, isFinal: isFinal, &aftermath) { ending.append(entry) }
    begin(taken: &ending, &aftermath)
  }

  /// Gives instances that were taken out of their layers their turn.
  static func begin(taken ending: inout ShortList<Entry>, _ aftermath: inout Aftermath) {
    Engine.recordAgain(from: ending)
    if ending.count > 1 { ending.sort { $0.serial > $1.serial } }
    let isFirst = underWay == 0
    underWay += ending.count
    if isFirst, ending.count <= batch, ending.allSatisfy(\.isSilent), ending.count == 1 || ending.allSatisfy(\.isPlain)
    {
      for entry in ending {
        entry.isEntering = false
        // What is in a table ends before the lock is let go, and so before its layer may go.
        if !entry.isListed { entry.keepLayer() }
      }
      for entry in ending { _ = finish(entry, &aftermath) }
      return
    }
    // What goes one after the other anyway need not wait for each other.
    if !isFirst || Engine.detachedBuilds > 0 || !ending.allSatisfy(\.isPlain) {
      order(Array(ending), &aftermath)
    }
    for entry in ending {
      entry.isEntering = false
      entry.keepLayer()
      dying.insert(entry)
    }
    aftermath.work.dying.append(contentsOf: ending)
  }

  /// Takes one instance out of its layer and gives it its turn once the lock is let go.
  static func begin(
    _ entry: Entry, for teardown: Teardown? = nil, isFinal: Bool = false, _ aftermath: inout Aftermath
  ) {
    begin(CollectionOfOne(entry), for: teardown, isFinal: isFinal, &aftermath)
  }

  /// Takes one instance out of its layer, for its turn to be given to it; returns `false` if it has gone already.
  static func take(
    _ entry: Entry, for teardown: Teardown?, isFinal: Bool, _ aftermath: inout Aftermath
  ) -> Bool {
    if isFinal { entry.isForgotten = true }
    guard entry.state == .kept else { return false }
    if !entry.isLive(&aftermath) {
      // Nothing waits for a weak instance that has gone.
      entry.state = .record
      if !entry.isRemembered { Engine.discardUnneeded(entry, &aftermath) }
      return false
    }
    entry.layer.unpublish(entry)
    entry.state = .dying
    entry.isEntering = true
    teardown?.add(entry)
    // Only those in a table are told that their declaration ends.
    if !entry.isListed { entry.keepDescription() }
    return true
  }

  /// How many instances without hooks are let go at a time: other threads want the lock too.
  static let batch = 64

  /// The turn of some instances has come: each is disposed, or else as soon as its dependents are.
  ///
  /// What others have waited for comes before all that was built earlier. Called without the lock.
  static func turn(of entries: [Entry]) {
    var rest = Array(entries.reversed())
    var late = LatestFirst()
    while !rest.isEmpty || !late.isEmpty {
      let next = Engine.locked { aftermath -> Call? in
        for _ in 0..<batch {
          let isLate = late.first.map { late in rest.last.map { $0.serial < late.serial } ?? true } ?? false
          guard let entry = isLate ? late.removeFirst() : rest.popLast() else { return nil }
          let wasOverdue = entry.isOverdue
          entry.isOverdue = entry.blockers > 0
          if entry.isOverdue { continue }
          if let call = Call(entry, isLate: wasOverdue) { return call }
          for entry in finish(entry, &aftermath) { late.insert(entry) }
          for entry in aftermath.takeDying() { late.insert(entry) }
        }
        return nil
      }
      if let next {
        let ready = make(next)
        if !ready.isEmpty { Engine.locked { _ in for entry in ready { late.insert(entry) } } }
      }
    }
  }

  /// Lets go an instance whose hook was called; returns those whose turn comes with that.
  static func finish(_ entry: Entry) -> [Entry] {
    Engine.locked { finish(entry, &$0) + $0.takeDying() }
  }

  /// An instance was disposed: lets it go; returns those that waited for it and whose turn it is, the latest built first.
  static func finish(_ entry: Entry, _ aftermath: inout Aftermath) -> [Entry] {
    var isLeftToMain = false
    if let value = entry.value {
      entry.value = nil
      let lender = entry.isLent(value) ? entry.override : nil
      entry.withDeclaration { declaration in
        if entry.hasReaders, !entry.layer.isUnread(declaration) {
          entry.layer.leave(lender.map { Leftover(keeping: $0) } ?? Leftover(value, of: declaration), of: declaration)
        } else if lender != nil {
          // It goes with the override.
        } else if !entry.teardowns.isEmpty, declaration.isMainActor, !ThreadContext.isMain {
          isLeftToMain = true
          aftermath.work.seldom.leftToMain.append((Leftover(value, of: declaration), entry.teardowns))
        } else {
          aftermath.release(Leftover(value, of: declaration))
        }
      }
      if !entry.isGiven { entry.layer.emit(.dispose(entry.info), &aftermath) }
    }
    entry.state = .record
    if entry.isListed { entry.releaseLayer(&aftermath) }
    let ready = entry.hasBlocked ? unblock(behind: entry, &aftermath) : []
    var unnamed = unnamedParts(of: entry)
    defer { unnamed.free() }
    if entry.isGraphScoped { Engine.merge(entry, &aftermath) }
    if entry.state == .record, !entry.isRemembered {
      if !entry.dependents.isEmpty { Engine.leavePromises(of: entry, &aftermath) }
      if entry.state == .record { Engine.discardUnneeded(entry, &aftermath) }
    }
    endDeserted(unnamed, for: entry.teardowns, &aftermath)
    // Only now, so that those wait for a turn of their own: there may be a long chain of them.
    underWay -= 1
    if !dying.isEmpty { dying.remove(entry) }
    if !isLeftToMain { for teardown in entry.teardowns { teardown.noteEnd(&aftermath) } }
    entry.teardowns = []
    return ready
  }

  /// What something was built from that nobody can ask for any longer, so that it may be there for that alone.
  static func unnamedParts(of entry: Entry) -> ShortList<Entry> {
    var unnamed = ShortList<Entry>()
    for edge in entry.dependencies {
      let other = edge.entry
      if other.state == .kept, other.isOfGhost, !other.isLingering { unnamed.append(other) }
    }
    return unnamed
  }

  /// Ends such instances, where nothing that is kept was built from them; who waits for the end of the one waits for theirs too.
  static func endDeserted(_ unnamed: ShortList<Entry>, for teardowns: [Teardown] = [], _ aftermath: inout Aftermath) {
    for ghost in unnamed where !ghost.hasLiveDependents {
      ghost.isDeserted = true
      begin(ghost, &aftermath)
      if ghost.state == .dying { for teardown in teardowns { teardown.add(ghost) } }
    }
  }

  /// Lets those that waited for an instance do so no longer; returns those whose turn it is, the latest built first.
  private static func unblock(behind entry: Entry, _ aftermath: inout Aftermath) -> [Entry] {
    var ready: [Entry] = []
    var rest = [entry]
    while let current = rest.popLast() {
      for other in current.blocked {
        other.blockers -= 1
        guard other.blockers == 0 else { continue }
        if other.isRelay { rest.append(other) } else if other.isOverdue { ready.append(other) }
      }
      current.blocked = []
      if current != entry { current.end(&aftermath) }
    }
    if ready.count > 1 { ready.sort { $0.serial > $1.serial } }
    return ready
  }

  /// A builder failed: what waited for the end of what it would have made need not any longer.
  static func goOn(without entry: Entry, _ aftermath: inout Aftermath) {
    guard entry.hasBlocked else { return }
    let ready = unblock(behind: entry, &aftermath)
    if !ready.isEmpty { aftermath.work.dying.append(contentsOf: ready) }
  }
}

// MARK: - Waiting for it

extension Teardown {
  /// Waits for the end of an instance too, once.
  private func add(_ entry: Entry) {
    guard !entry.teardowns.contains(where: { $0 === self }) else { return }
    entry.teardowns.append(self)
    remaining += 1
  }

  /// Waits for what is being disposed already, where a condition names it; but not where a builder or a hook waits, for which some of
  /// that may wait.
  func join(where isMeant: (Entry) -> Bool) {
    guard !isNested else { return }
    let earlier = Teardown.dying.filter(isMeant)
    for entry in earlier { add(entry) }
    leaveLate(among: earlier)
  }

  /// Waits no longer for what goes after the end of a builder, unless that is to be waited for; and where a builder or a hook waits, not for
  /// what goes after anything that was being disposed before.
  func leaveLate(among entries: some Sequence<Entry>) {
    guard !waitsForBuilders else { return }
    let late = Teardown.late(among: entries) { other in
      other.state == .dying ? isNested && !other.teardowns.contains { $0 === self } : other.state != .record
    }
    for entry in entries where late.contains(entry) {
      guard let index = entry.teardowns.firstIndex(where: { $0 === self }) else { continue }
      entry.teardowns.remove(at: index)
      remaining -= 1
    }
  }

  /// One of the instances has gone.
  private func noteEnd(_ aftermath: inout Aftermath) {
    remaining -= 1
    guard remaining == 0, let waiting else { return }
    self.waiting = nil
    aftermath.work.seldom.resumed.append(waiting)
  }

  /// Lets an instance of the main actor go there, and only then has done with it.
  ///
  /// Called without the lock.
  static func letGoOnMainActor(_ leftover: Leftover, awaitedAs teardowns: [Teardown]) {
    Task { @MainActor in
      leftover.release()
      Engine.locked { for teardown in teardowns { teardown.noteEnd(&$0) } }
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
