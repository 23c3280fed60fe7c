/// What happens to builds under way, with the engine's lock held.
extension Engine {
  // MARK: - Edges

  /// Records that a build asked for an instance, and what follows from it for where the build's own instance lives.
  static func note(_ entry: Entry, for build: Build, view: Layer, _ aftermath: inout Aftermath) {
    guard !build.view.isCompact else {
      // A lazy keeps its value whatever becomes of it elsewhere; a builder that reads the lazy depends on it directly.
      if let parent = build.parent { note(entry, for: parent, view: view, &aftermath) }
      return
    }
    let isForeign = view !== build.view
    build.entry.depend(on: entry, isDeferred: false, isForeign: isForeign)
    if !isForeign { deepen(build, to: entry.layer, &aftermath) }
    if foreignWaiters > 0 { turnAwayBlind(build, &aftermath) }
  }

  /// Moves what a build makes to a layer further in, because it is built from something that lives there.
  static func deepen(_ build: Build, to layer: Layer, _ aftermath: inout Aftermath) {
    guard layer.depth > 0 else { return }
    var rest = [build]
    while let build = rest.popLast() {
      let entry = build.entry
      guard layer.depth > entry.layer.depth, build.view.isBelow(orSame: layer) else { continue }
      let isListed = entry.isListed
      if isListed { entry.layer.remove(entry) }
      entry.layer = layer
      if isListed { layer.insert(entry) }
      turnAway(build, &aftermath) { !$0.isBelow(orSame: layer) }
      if let parent = build.parent, parent.view === build.view { rest.append(parent) }
      for waiter in build.waiters { if let asker = waiter.asker { rest.append(asker) } }
    }
  }

  /// Turns away those who would not get what a build has become, and those who wait for what waits for it.
  static func turnAwayBlind(_ build: Build, _ aftermath: inout Aftermath) {
    var rest = [build]
    while let build = rest.popLast() {
      turnAway(build, &aftermath) { $0 !== build.view && !$0.sees(build.entry, after: build.outer) }
      if let parent = build.parent { rest.append(parent) }
      for waiter in build.waiters { if let asker = waiter.asker { rest.append(asker) } }
    }
  }

  private static func turnAway(_ build: Build, _ aftermath: inout Aftermath, _ isAway: (Layer) -> Bool) {
    build.waiters.removeAll { waiter in
      guard isAway(waiter.view) else { return false }
      dismiss(waiter, .turnedAway, &aftermath)
      return true
    }
  }

  /// Ends a wait.
  ///
  /// The caller takes the waiter out of its build.
  static func dismiss(_ waiter: Waiter, _ state: Waiter.State, _ aftermath: inout Aftermath) {
    waiter.state = state
    if waiter.view !== waiter.build.view { foreignWaiters -= 1 }
    waiter.asker?.stopPending(waiter.build)
    aftermath.work.wakes.append(waiter.wake)
    waiter.wake = .task(nil)
  }

  // MARK: - Endings

  /// A build that keeps its instance is done.
  static func finish(
    _ build: Build, _ value: StoredValue, into memory: UnsafeMutableRawPointer?, _ aftermath: inout Aftermath
  ) {
    let entry = build.entry
    end(build)
    entry.value = value
    entry.state = .kept
    if let memory { entry.declaration.copy(value, to: memory) }
    if !build.waiters.isEmpty { answer(build, value, &aftermath) }
    if let parent = build.parent, build.firstWaiter == nil {
      note(entry, for: parent, view: build.view, &aftermath)
    }
    build.firstWaiter = nil
    let isKept = !build.isDetached && build.keeps && !entry.layer.isOrphaned && settlesApart(build, &aftermath)
    build.pod.settle(at: entry.layer, &aftermath)
    informFamily(of: entry)
    report(build, &aftermath)
    if !isKept {
      Teardown.begin([entry], &aftermath)
    } else {
      keep(entry, value, &aftermath)
    }
    endGraph(build, &aftermath)
  }

  /// Gives an instance to those who waited for it.
  private static func answer(_ build: Build, _ value: StoredValue, _ aftermath: inout Aftermath) {
    let entry = build.entry
    for waiter in build.waiters {
      if waiter.view !== build.view, !build.isDetached, !waiter.view.sees(entry, after: build.outer) {
        dismiss(waiter, .turnedAway, &aftermath)
      } else {
        dismiss(waiter, .done(.success(entry.declaration.duplicate(value))), &aftermath)
        if let asker = waiter.asker { note(entry, for: asker, view: waiter.view, &aftermath) }
      }
    }
    build.waiters = []
  }

  /// Finds a place for an instance where its layer has another one already that was made in the same way.
  ///
  /// A builder that asked a pod above for something, past the pod that it runs for, makes what that pod has. Its own pod
  /// keeps it then. Returns `false` if there is no place.
  private static func settlesApart(_ build: Build, _ aftermath: inout Aftermath) -> Bool {
    let entry = build.entry
    guard build.keeps, entry.isListed, !entry.isAlone, !entry.isGraphScoped else { return true }
    var candidate = entry.layer.records(of: entry.declaration)
    while let other = candidate {
      candidate = other.next
      guard other !== entry, other.definition === entry.definition, other.isLive(&aftermath),
        entry.layer.sees(other, after: build.outer)
      else { continue }
      guard build.view !== entry.layer else { return false }
      entry.delist()
      build.view.insert(entry)
      return true
    }
    return true
  }

  private static func keep(_ entry: Entry, _ value: StoredValue, _ aftermath: inout Aftermath) {
    dropOutdated(entry, &aftermath)
    if entry.scope.kind == .weak {
      entry.weakObject = entry.declaration.object(in: value)
      entry.value = nil
      aftermath.work.values.append((entry.declaration, value))
      if entry.weakObject == nil { entry.state = .record }
    } else {
      entry.layer.publish(entry)
    }
  }

  /// Drops what is remembered of earlier instances that were made in the same way and that nothing depends on.
  private static func dropOutdated(_ entry: Entry, _ aftermath: inout Aftermath) {
    guard !entry.isAlone else { return }
    var candidate = entry.layer.records(of: entry.declaration)
    while let other = candidate {
      candidate = other.next
      guard other !== entry, other.definition === entry.definition, !other.isLive(&aftermath),
        other.state == .record || other.state == .kept
      else { continue }
      entry.buildCount = max(entry.buildCount, other.buildCount + 1)
      if other.dependents.isEmpty { discard(other, &aftermath) } else { other.state = .record }
    }
  }

  /// A build that keeps nothing is done: its value is in the caller's memory.
  static func finishTransient(_ build: Build, isFresh: Bool = false, _ aftermath: inout Aftermath) {
    let entry = build.entry
    end(build)
    entry.state = .record
    let record = isFresh || build.isDetached ? entry : equalRecord(entry) ?? entry
    if record !== entry {
      record.buildCount += 1
      discard(entry, &aftermath)
    } else if !isFresh, entry.isListed, !entry.isAlone {
      dropOutlived(entry, &aftermath)
    }
    if let parent = build.parent { note(record, for: parent, view: build.view, &aftermath) }
    build.pod.settle(at: record.layer, &aftermath)
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
  private static func informFamily(of member: Entry) {
    guard let family = member.declaration.family else { return }
    var layer: Layer? = member.layer
    while let current = layer {
      var record = current.records(of: family)
      while let whole = record {
        record = whole.next
        guard whole.state == .promised else { continue }
        for edge in member.dependencies where edge.entry !== whole {
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
      guard other !== entry, other.state == .record, other.definition === entry.definition,
        other.dependencies.count == entry.dependencies.count,
        zip(other.dependencies, entry.dependencies).allSatisfy({
          $0.entry === $1.entry && $0.isDeferred == $1.isDeferred && $0.isForeign == $1.isForeign
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
      guard other !== entry, other.state == .record, other.definition === entry.definition, other.dependents.isEmpty,
        other.dependencies.count == entry.dependencies.count,
        zip(other.dependencies, entry.dependencies).allSatisfy({ $0.entry === $1.entry || $0.isOutlived(by: $1) })
      else { continue }
      entry.buildCount += other.buildCount
      discard(other, &aftermath)
    }
  }

  /// A build gave an error, which goes to everyone who waited for it.
  static func fail(_ build: Build, _ error: any Error, _ aftermath: inout Aftermath) {
    let entry = build.entry
    let isPromised = entry.isListed && !entry.dependents.isEmpty && build.keeps && !build.isDetached
    end(build)
    // Whoever handles the error was built from it all the same.
    for waiter in build.waiters {
      dismiss(waiter, .done(.failure(error)), &aftermath)
      if let asker = waiter.asker { note(entry, for: asker, view: waiter.view, &aftermath) }
    }
    build.waiters = []
    if let parent = build.parent, build.firstWaiter == nil {
      note(entry, for: parent, view: build.view, &aftermath)
    }
    build.firstWaiter = nil
    build.outermost.graphEntries.removeAll { $0 === entry }
    build.pod.settle(at: entry.layer, &aftermath)
    entry.layer.emit(.fail(entry.info, error), &aftermath)
    if entry.dependents.isEmpty {
      discard(entry, &aftermath)
    } else {
      // A later attempt is not what these were built from, but what holders of handles will get.
      entry.state = isPromised ? .promised : .record
      entry.isForgotten = !isPromised
    }
    endGraph(build, &aftermath)
  }

  private static func end(_ build: Build) {
    build.end()
    // A build with a task of its own is waited for by its first caller too, whose wait ends as any other.
    if build.firstWaiter == nil { build.parent?.stopPending(build) }
    if build.isDetached { detachedBuilds -= 1 }
    let entry = build.entry
    entry.build = nil
    entry.serial = nextSerial()
    entry.buildCount += 1
    entry.inclusive = ContinuousClock.now - build.start
    entry.exclusive = entry.inclusive - build.nested
    build.parent?.nested += entry.inclusive
    entry.ranOnMain = build.firstWaiter == nil ? build.ranOnMain : build.declaration.isMainActor
  }

  private static func endGraph(_ build: Build, _ aftermath: inout Aftermath) {
    guard build.parent == nil, !build.graphEntries.isEmpty else { return }
    Teardown.begin(build.graphEntries.filter { $0.state == .kept }, &aftermath)
    build.graphEntries = []
  }

  /// Lets nobody find a build any longer: its instance goes to those who wait for it, and is not kept.
  static func detach(_ build: Build) {
    guard !build.isDetached else { return }
    build.isDetached = true
    detachedBuilds += 1
    // It stays listed: what is built from it has to be found through it.
    build.entry.isForgotten = true
  }

  /// Forgets a record that nothing depends on, and what only it remembered.
  static func discard(_ entry: Entry, _ aftermath: inout Aftermath) {
    var rest = [entry]
    while let entry = rest.popLast() {
      entry.delist()
      entry.state = .gone
      aftermath.work.trash.append(entry)
      while let last = entry.dependencies.indices.last {
        let dependency = entry.stopDepending(at: last)
        guard dependency.dependents.isEmpty, dependency.isLeftOver else { continue }
        rest.append(dependency)
      }
    }
  }
}
