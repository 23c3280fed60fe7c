/// Those who asked for a build that is under way, with the engine's lock held.
///
/// Kept apart from what each request passes.
extension Engine {
  // MARK: - Waiting

  /// Waits for a build, unless that waits for who asks.
  @inline(never)
  static func join(
    _ build: Build, _ asker: Asker, view: Layer, mayWait: Bool, parks: Bool, _ aftermath: inout Aftermath
  ) -> Step? {
    if let chain = asker.build?.chain(from: build) { return .cycle(chain.map(\.entry.info)) }
    guard mayWait else { return nil }
    let waiter = wait(for: build, asker, view: view, parks: parks)
    if let recorder = asker.recorder, !waiter.isForeign {
      deepen(recorder, to: build.entry.layer, asSeenFrom: view, &aftermath)
    }
    return .wait(waiter)
  }

  private static func wait(for build: Build, _ asker: Asker, view: Layer, parks: Bool) -> Waiter {
    let waiter = Waiter(build, asker: asker, view: view, parker: parks ? Parker() : nil)
    build.waiters.append(waiter)
    asker.build?.pending.append(Build.Pending(build, isForeign: waiter.isForeign))
    if view != build.view { foreignWaiters += 1 }
    return waiter
  }

  /// The caller that begins a build with a task of its own waits as the others do.
  @inline(never)
  static func addFirstWaiter(_ build: Build, _ asker: Asker, view: Layer) {
    let waiter = Waiter(build, asker: asker, view: view, parker: nil)
    build.firstWaiter = waiter
    build.waiters.append(waiter)
  }

  // MARK: - Who is concerned

  /// Moves those as well who asked for a build that was moved.
  @inline(never)
  static func moveAskers(of build: Build, to layer: Layer, _ aftermath: inout Aftermath) {
    var rest = [build]
    while let build = rest.popLast() {
      turnAway(build, &aftermath) { !$0.isBelow(orSame: layer) }
      if let parent = build.parent, !build.isForeign, relocate(parent, to: layer, &aftermath) { rest.append(parent) }
      guard build.hasWaiters else { continue }
      for waiter in build.waiters {
        if let asker = waiter.recorder, !waiter.isForeign, relocate(asker, to: layer, &aftermath) { rest.append(asker) }
      }
    }
  }

  /// Leads some of those who hold a handle of something to a promise of their own; returns it.
  ///
  /// One instance that is built for a child is not what those above it will get.
  @discardableResult
  static func splitPromise(_ entry: Entry, into layer: Layer? = nil, where isMeant: (Entry) -> Bool) -> Entry? {
    guard entry.dependents.contains(where: { isMeant($0.entry) }) else { return nil }
    let declaration = entry.declaration
    let own = Entry.make(declaration, entry.override, in: layer ?? entry.layer, state: .promised)
    own.layer.insert(own, of: declaration)
    entry.moveDependents(to: own, where: isMeant)
    return own
  }

  /// Turns away those who would not get what a build has become, and those who wait for what waits for it.
  static func turnAwayBlind(_ build: Build, _ aftermath: inout Aftermath) {
    // Each once: there may be many ways from one build up to another.
    var seen: Set<Build> = [build]
    var rest = [build]
    while let build = rest.popLast() {
      turnAway(build, &aftermath) { $0 != build.view && !$0.sees(build.entry, after: build.outer) }
      if let parent = build.parent, seen.insert(parent).inserted { rest.append(parent) }
      guard build.hasWaiters else { continue }
      for waiter in build.waiters {
        if let asker = waiter.asker, seen.insert(asker).inserted { rest.append(asker) }
      }
    }
  }

  private static func turnAway(_ build: Build, _ aftermath: inout Aftermath, _ isAway: (Layer) -> Bool) {
    guard build.hasWaiters else { return }
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
    if waiter.view != waiter.build.view { foreignWaiters -= 1 }
    waiter.asker?.stopPending(waiter.build)
    aftermath.work.wakes.append(waiter.wake)
    waiter.wake = .task(nil)
  }

  /// Gives an instance to those who waited for it; returns whether anyone got it.
  static func answer(_ build: Build, _ value: StoredValue, _ aftermath: inout Aftermath) -> Bool {
    let entry = build.entry
    var isTaken = false
    for waiter in build.waiters {
      if waiter.view != build.view, !build.isDetached, !waiter.view.sees(entry, after: build.outer) {
        dismiss(waiter, .turnedAway, &aftermath)
      } else {
        isTaken = true
        answer(waiter, .success(entry.declaration.duplicate(value)), &aftermath)
        if let recorder = waiter.recorder {
          note(entry, for: recorder, view: waiter.view, isForeign: waiter.isForeign, &aftermath)
        }
      }
    }
    build.waiters = []
    return isTaken
  }

  /// Gives a waiter what it waited for; a task that no build is known to need, only when the observers have heard of that.
  ///
  /// A builder must not wait for observers, which may wait for what it builds.
  static func answer(_ waiter: Waiter, _ result: Result<StoredValue, any Error>, _ aftermath: inout Aftermath) {
    if waiter.parker == nil, waiter.recorder == nil, waiter.build.entry.layer.isObserved {
      aftermath.work.seldom.answers.append((waiter, result))
    } else {
      dismiss(waiter, .done(result), &aftermath)
    }
  }

  /// Gives those who waited what they waited for, now that the observers have heard of it.
  static func give(_ answers: [(Waiter, Result<StoredValue, any Error>)]) {
    locked { aftermath in
      for (waiter, result) in answers {
        if case .waiting = waiter.state {
          dismiss(waiter, .done(result), &aftermath)
        } else if case .success(let value) = result {
          // It was cancelled meanwhile.
          aftermath.release(Leftover(value, of: waiter.build.declaration))
        }
      }
    }
  }
}
