/// What happens to builds under way, with the engine's lock held.
extension Engine {
  // MARK: - Edges

  /// Records that a build asked for an instance, and what follows from it for where the build's own instance lives.
  static func note(_ entry: Entry, for build: Build, view: Layer, _ aftermath: inout Aftermath) {
    note(entry, for: build, view: view, isForeign: build.isForeign(view), &aftermath)
  }

  /// The same for a request that was made earlier.
  ///
  /// `isForeign`: whether it was made of another pod than the build's own.
  static func note(
    _ entry: Entry, for build: Build, view: Layer, isForeign: Bool, _ aftermath: inout Aftermath
  ) {
    guard !build.view.isCompact else {
      // A lazy keeps its value whatever becomes of it elsewhere; a builder that reads the lazy depends on it directly.
      if let parent = build.parent { note(entry, for: parent, view: view, &aftermath) }
      return
    }
    build.entry.depend(on: entry, isDeferred: false, isForeign: isForeign)
    if isForeign { view.isInvolved = true } else { deepen(build, to: entry.layer, asSeenFrom: view, &aftermath) }
    if foreignWaiters > 0 { turnAwayBlind(build, &aftermath) }
  }

  /// Moves what a build makes to a layer further in, because it is built from something that lives there.
  @inline(__always)
  static func deepen(_ build: Build, to layer: Layer, _ aftermath: inout Aftermath) {
    if layer.depth > build.entry.layer.depth { move(build, to: layer, &aftermath) }
  }

  /// The same for what a build asked its own pod for, as seen from a layer; what others answer tells nothing of where its instance lives.
  @inline(__always)
  static func deepen(_ build: Build, to layer: Layer, asSeenFrom view: Layer, _ aftermath: inout Aftermath) {
    // What lives in the pod that goes on for one that has gone would have lived in that, which keeps nothing any longer.
    let isThere = view == build.view || build.view.isBelow(orSame: layer)
    deepen(build, to: isThere ? layer : build.view, &aftermath)
  }

  private static func move(_ build: Build, to layer: Layer, _ aftermath: inout Aftermath) {
    guard relocate(build, to: layer, &aftermath) else { return }
    // Mostly nobody else is concerned.
    if build.parent != nil || build.hasWaiters { moveAskers(of: build, to: layer, &aftermath) }
  }

  /// Moves one build alone; returns whether it was to be moved.
  @inline(never)
  static func relocate(_ build: Build, to layer: Layer, _ aftermath: inout Aftermath) -> Bool {
    let entry = build.entry
    // What a layer left behind stays its, and is kept nowhere.
    guard layer.depth > entry.layer.depth, build.view.isBelow(orSame: layer), !entry.layer.isOrphaned else {
      return false
    }
    if entry.isListed, !entry.dependents.isEmpty { splitPromise(entry) { !$0.isInside(layer) } }
    if entry.isListed, layer.isOrphaned {
      // As all that was being built in it when its pod went.
      detach(build)
      entry.unlist()
    }
    guard entry.isListed else {
      // What is in no table keeps its layer, as what is for one use does from its beginning.
      entry.releaseLayer(&aftermath)
      entry.layer = layer
      entry.keepLayer()
      return true
    }
    entry.withDeclaration { declaration in
      entry.layer.remove(entry, of: declaration)
      layer.insert(entry, of: declaration)
    }
    return true
  }

  // MARK: - Endings

  /// A build that keeps its instance is done: this ends the build.
  static func finish(
    _ build: Build, of declaration: Declaration, _ value: StoredValue, into memory: UnsafeMutableRawPointer?,
    _ aftermath: inout Aftermath
  ) {
    let entry = build.entry
    end(build)
    entry.value = value
    entry.state = .kept
    if let memory { declaration.copy(value, to: memory) }
    let isAlone = entry.isAlone(as: declaration)
    let isKept = !build.isDetached && build.keeps && findsPlace(build, of: declaration, isAlone: isAlone, &aftermath)
    let isTaken = build.hasWaiters && answer(build, value, &aftermath)
    if let recorder = build.recorder, !build.isShared {
      note(entry, for: recorder, view: build.view, isForeign: build.isForeign, &aftermath)
    }
    if build.isShared { build.firstWaiter = nil }
    build.settle(&aftermath)
    informHandles(of: entry, declaration, for: build.view, &aftermath)
    report(build, &aftermath)
    settle(
      entry, of: declaration, value, isAlone: isAlone, isKept: isKept, isTaken: isTaken || memory != nil, &aftermath)
    endGraph(build, &aftermath)
    build.letGo(&aftermath)
  }

  /// Whether there is a pod that can keep an instance; mostly that of its layer.
  ///
  /// A builder that asked a pod above for something, past the pod that it runs for, makes what that pod has already. Its own
  /// pod keeps it then, and what is built from it. `isAlone`: whether there is no other record of the provider that was made in the
  /// same way.
  @inline(__always)
  private static func findsPlace(
    _ build: Build, of declaration: Declaration, isAlone: Bool, _ aftermath: inout Aftermath
  ) -> Bool {
    guard !build.entry.layer.isOrphaned else { return false }
    return isAlone || findsPlace(build, amongOthersOf: declaration, &aftermath)
  }

  @inline(never)
  private static func findsPlace(
    _ build: Build, amongOthersOf declaration: Declaration, _ aftermath: inout Aftermath
  ) -> Bool {
    let entry = build.entry
    guard entry.isListed, !entry.isGraphScoped else { return true }
    var candidate = entry.layer.records(of: declaration)
    while let other = candidate {
      candidate = other.next
      guard other != entry, other.isMade(as: entry), other.isLive(&aftermath),
        entry.layer.sees(other, after: build.outer)
      else { continue }
      guard build.view != entry.layer, !build.view.isOrphaned else { return false }
      move(build, to: build.view, &aftermath)
      return true
    }
    return true
  }

  /// Keeps an instance, or ends it at once.
  static func settle(
    _ entry: Entry, of declaration: Declaration, _ value: StoredValue, isAlone: Bool, isKept: Bool, isTaken: Bool,
    _ aftermath: inout Aftermath
  ) {
    guard isKept else { return Teardown.begin(entry, &aftermath) }
    if !isAlone { dropOutdated(entry, &aftermath) }
    if entry.scopeKind == .weak {
      weaken(entry, of: declaration, value, isTaken: isTaken, &aftermath)
    } else {
      entry.layer.publish(entry, of: declaration)
    }
  }

  /// Keeps an instance only as long as somebody else does.
  @inline(never)
  private static func weaken(
    _ entry: Entry, of declaration: Declaration, _ value: StoredValue, isTaken: Bool, _ aftermath: inout Aftermath
  ) {
    entry.weakObject = declaration.object(in: value)
    entry.value = nil
    if isTaken, !entry.isLent(value) {
      // Where others got a copy, this one goes before they do with theirs what they like.
      declaration.destroy(value)
    } else if !entry.isLent(value) {
      aftermath.release(Leftover(value, of: declaration))
    }
    if entry.weakObject == nil { entry.state = .record }
  }

  /// Drops what is remembered of earlier instances that were made in the same way and that nothing depends on.
  private static func dropOutdated(_ entry: Entry, _ aftermath: inout Aftermath) {
    var candidate = entry.layer.records(of: entry.declaration)
    while let other = candidate {
      candidate = other.next
      guard other != entry, other.isMade(as: entry), !other.isLive(&aftermath),
        other.state == .record || other.state == .kept
      else { continue }
      entry.buildCount = max(entry.buildCount, other.buildCount + 1)
      if other.dependents.isEmpty { discard(other, &aftermath) } else { other.state = .record }
    }
  }

  /// A build gave an error, which goes to everyone who waited for it.
  static func fail(_ build: Build, _ error: any Error, _ aftermath: inout Aftermath) {
    let entry = build.entry
    let isPromised = entry.isListed && !entry.dependents.isEmpty && build.keeps && !build.isDetached
    end(build)
    // Whoever handles the error was built from it all the same.
    if build.hasWaiters {
      for waiter in build.waiters {
        answer(waiter, .failure(error), &aftermath)
        if let recorder = waiter.recorder {
          note(entry, for: recorder, view: waiter.view, isForeign: waiter.isForeign, &aftermath)
        }
      }
      build.waiters = []
    }
    if let recorder = build.recorder, !build.isShared {
      note(entry, for: recorder, view: build.view, isForeign: build.isForeign, &aftermath)
    }
    if build.isShared { build.firstWaiter = nil }
    if entry.isGraphScoped { forgetGraphEntry(entry, build, &aftermath) }
    build.settle(&aftermath)
    entry.layer.emit(.fail(entry.info, error), &aftermath)
    var unnamed = Teardown.unnamedParts(of: entry)
    defer { unnamed.free() }
    if entry.dependents.isEmpty {
      discard(entry, &aftermath)
    } else {
      // One that was for one use alone is in no table, so nobody tells it that its declaration ends.
      if !entry.isListed { entry.keepDescription() }
      // A later attempt is not what these were built from, but what holders of handles will get.
      entry.state = isPromised ? .promised : .record
      entry.isForgotten = !isPromised
    }
    endGraph(build, &aftermath)
    Teardown.endDeserted(unnamed, &aftermath)
    Teardown.goOn(without: entry, &aftermath)
    build.letGo(&aftermath)
  }

  private static func forgetGraphEntry(_ entry: Entry, _ build: Build, _ aftermath: inout Aftermath) {
    let outermost = build.outermost
    guard let index = outermost.graphEntries.firstIndex(of: entry) else { return }
    outermost.graphEntries.remove(at: index)
    entry.letGo(&aftermath)
  }

  static func end(_ build: Build) {
    let inclusive = build.time()
    build.end()
    if let parent = build.parent {
      // A build with a task of its own is waited for by its first caller too, whose wait ends as any other.
      if !build.isShared { parent.stopPending(build) }
      parent.nested += inclusive
    }
    if build.isDetached { detachedBuilds -= 1 }
    let entry = build.entry
    entry.build = nil
    entry.noteBuild(
      inclusive: inclusive, exclusive: inclusive - build.nested, onMain: build.ranOnMain, nextSerial())
  }

  @inline(__always)
  static func endGraph(_ build: Build, _ aftermath: inout Aftermath) {
    if build.hasGraphEntries, build.parent == nil { endOwnGraph(build, &aftermath) }
  }

  @inline(never)
  private static func endOwnGraph(_ build: Build, _ aftermath: inout Aftermath) {
    endGraph(build.graphEntries, &aftermath)
    build.graphEntries = []
  }

  /// Lets go what graph-scoped providers gave within an outermost resolve that is over.
  static func endGraph(_ entries: [Entry], _ aftermath: inout Aftermath) {
    // What a task that was left behind still builds belongs to that task alone.
    for entry in entries { if let build = entry.build { detach(build) } }
    Teardown.begin(entries.filter { $0.state == .kept }, &aftermath)
    for entry in entries { entry.letGo(&aftermath) }
  }

  /// Lets nobody find a build any longer: its instance goes to those who wait for it, and is not kept.
  static func detach(_ build: Build) {
    guard !build.isDetached else { return }
    build.isDetached = true
    detachedBuilds += 1
    // It stays listed: what is built from it has to be found through it.
    build.entry.isForgotten = true
  }
}
