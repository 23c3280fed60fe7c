/// The next step of a request.
///
/// Decided with the lock held, taken without it.
enum Step {
  /// The value was copied to the caller's memory.
  case ready
  case wait(Waiter)
  /// A new build, whose pod the one who runs it takes.
  case build(Build)
  /// Those who need each other, the first of them not repeated.
  case cycle([ProviderInfo])
  /// No pod owns the scope, which must have an owner.
  case unowned(ScopeIdentity, pod: String)
}

/// Deciding, with the engine's lock held.
extension Engine {
  /// Decides how a request goes on.
  ///
  /// `frame`: that of the running thread. `outer`: the override whose builder made the handle that asks. `memory`: where the value is
  /// copied if it is there; `nil` for a request that always builds. `parks`: whether the request waits by blocking its thread.
  static func plan(
    _ declaration: Declaration, in pod: Pod, below frame: UnsafeMutablePointer<Frame>?, outer: Override.Pointer?,
    into memory: UnsafeMutableRawPointer?, isolated: Bool = false, mayWait: Bool = true, parks: Bool = false,
    _ aftermath: inout Aftermath
  ) -> Step? {
    let asked = pod.actingLayer(&aftermath)
    let view = asked.effective
    pod.refreshDirectory(from: view)
    // Mostly nobody does, and who it is need not be found out.
    let isNeeded = outer != nil || Attention.isNeeded
    let asker =
      isNeeded ? Asker.current(for: declaration, below: frame).with(outer).asking(pod, for: declaration) : nil
    // Mostly, where more than a look is needed, there is nothing yet.
    var isNew = view.parent == nil && view.records(of: declaration) == nil
    if !isNew, !declaration.isTransient, let memory, asker?.outer == nil,
      let entry = view.copyKept(declaration, to: memory, isNew: &isNew)
    {
      if let build = asker?.recorder { note(entry, for: build, view: view, &aftermath) }
      return .ready
    }
    return decide(
      declaration, isNew: isNew, in: pod, asked, view, for: asker ?? Asker.current(for: declaration, below: frame),
      into: memory, isolated: isolated, mayWait: mayWait, parks: parks, &aftermath)
  }

  /// Decides how a request goes on that needs more than a look.
  ///
  /// `isNew`: whether it is known that no pod from here up has a record of the provider.
  @inline(never)
  private static func decide(
    _ declaration: Declaration, isNew: Bool, in pod: Pod, _ asked: Layer, _ view: Layer, for asker: Asker,
    into memory: UnsafeMutableRawPointer?, isolated: Bool, mayWait: Bool, parks: Bool, _ aftermath: inout Aftermath
  ) -> Step? {
    let override = view.override(of: declaration, after: asker.outer)
    override?.noteUse()
    let kind = override?.ownKind ?? declaration.scopeKind
    let home = view.home(of: declaration, by: override)
    if kind == .custom, override?.requiresOwner ?? declaration.requiresOwner {
      let scope = override?.ownScopeID ?? declaration.scopeID
      if !home.owns(scope), !view.isOwned(scope) {
        return .unowned(override?.object.ownScope ?? declaration.scope, pod: asked.name)
      }
    }
    if isolated || kind == .alwaysCreateNew {
      guard mayWait else { return nil }
      if let build = asker.build, let chain = repetition(of: declaration, override, view: view, in: build) {
        return .cycle(chain)
      }
    } else {
      if !isNew || kind == .graph,
        let found = find(declaration, override, kind, view: view, home: home, asker: asker, &aftermath)
      {
        if found.state == .building, let build = found.build {
          return join(build, asker, view: view, mayWait: mayWait, parks: parks, &aftermath)
        }
        if deliver(found, to: memory, &aftermath) {
          if let build = asker.recorder { note(found, for: build, view: view, &aftermath) }
          return .ready
        }
      }
      guard mayWait else { return nil }
      if detachedBuilds > 0, let build = asker.build,
        let chain = repetition(of: declaration, override, view: view, in: build)
      {
        return .cycle(chain)
      }
    }
    if let override, override.isGiven, parks, kind != .graph, kind != .alwaysCreateNew {
      give(declaration, override, view: view, home: home, asker, into: memory, &aftermath)
      return .ready
    }
    // A child's is pointed at another layer when the build is over. An asynchronous builder often has others ask for it, in
    // callbacks, who are known by the pod alone.
    let isOwn = view.parent != nil || declaration.kind == .async
    // Mostly it is the one that the builder around this has too, which keeps it.
    let known = isOwn ? nil : asker.frame.flatMap { view.handle(of: $0) }
    let build = begin(
      declaration, override, kind, view: view, home: home, asker, isolated: isolated,
      pod: known ?? view.builderPod(isOwn: isOwn), &aftermath)
    build.keepsPod = known == nil
    if isOwn { build.ownPod() }
    return .build(build)
  }

  /// The kept instance that a request would get; never builds.
  static func cached(
    _ declaration: Declaration, in pod: Pod, for asker: Asker, _ aftermath: inout Aftermath
  ) -> (entry: Entry, view: Layer)? {
    let view = pod.actingLayer(&aftermath).effective
    let override = view.override(of: declaration, after: asker.outer)
    let kind = override?.ownKind ?? declaration.scopeKind
    guard kind != .alwaysCreateNew else { return nil }
    let home = view.home(of: declaration, by: override)
    guard let entry = find(declaration, override, kind, view: view, home: home, asker: asker, &aftermath),
      entry.isLive(&aftermath)
    else { return nil }
    return (entry, view)
  }

  /// The value of the kept instance that a request would get; never builds.
  ///
  /// A builder that finds none depends on that as on what it made a handle of: where something changes what it asked for, there
  /// may be one.
  static func cachedValue<Value>(_ declaration: Declaration, in pod: Pod) -> Value? {
    let current = Asker.current(for: declaration)
    return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      let memory = memory.baseAddress.unsafelyUnwrapped
      let isThere = locked { aftermath in
        let asker = current.asking(pod, for: declaration)
        guard let (entry, view) = cached(declaration, in: pod, for: asker, &aftermath),
          deliver(entry, to: UnsafeMutableRawPointer(memory), &aftermath)
        else { return false }
        if let build = asker.recorder { note(entry, for: build, view: view, &aftermath) }
        return true
      }
      if isThere { return memory.move() }
      if current.build != nil || pod.isUndecided { _ = promise(declaration, in: pod) }
      return nil
    }
  }

  /// The chain of builders that leads back to the same one.
  @inline(never)
  private static func repetition(
    of declaration: Declaration, _ override: Override.Pointer?, view: Layer, in build: Build
  ) -> [ProviderInfo]? {
    build.chain(fromSame: declaration, override, view: view)?.map(\.entry.info)
  }

  /// An instance, or the build of one, that is right for the view.
  @inline(never)
  private static func find(
    _ declaration: Declaration, _ override: Override.Pointer?, _ kind: ScopeIdentity.Kind, view: Layer, home: Layer,
    asker: Asker, _ aftermath: inout Aftermath
  ) -> Entry? {
    if kind == .graph {
      return asker.graphEntries.first {
        $0.isOf(declaration) && $0.isMade(by: override)
          && ($0.state == .kept && !$0.isForgotten || $0.state == .building) && view.isBelow(orSame: $0.layer)
          && view.sees($0, after: asker.outer)
      }
    }
    // What is kept comes first: a build for another pod, which may yet turn out to concern that one alone, hides nothing.
    var building: Entry?
    var layer = view
    while true {
      var entry = layer.records(of: declaration)
      while let candidate = entry {
        entry = candidate.next
        guard candidate.isMade(by: override) else { continue }
        if candidate.state == .building {
          guard building == nil, let build = candidate.build, !build.isDetached else { continue }
          if view.sees(candidate, after: asker.outer) { building = candidate }
        } else if candidate.isLive(&aftermath), view.sees(candidate, after: asker.outer) {
          return candidate
        }
      }
      guard layer != home, let parent = layer.parent else { return building }
      layer = parent
    }
  }

  /// Copies the instance of an entry; returns whether there still was one.
  static func deliver(
    _ entry: Entry, to memory: UnsafeMutableRawPointer?, _ aftermath: inout Aftermath
  ) -> Bool {
    if let value = entry.value {
      if let memory { entry.withDeclaration { $0.copy(value, to: memory) } }
      entry.layer.restock(entry)
      return true
    }
    guard let object = entry.weakObject else { return false }
    aftermath.release(.passRetained(object))
    if let memory { entry.declaration.move(entry.declaration.value(of: object), to: memory) }
    return true
  }

  /// Begins a build and registers it where others find it.
  private static func begin(
    _ declaration: Declaration, _ override: Override.Pointer?, _ kind: ScopeIdentity.Kind, view: Layer, home: Layer,
    _ asker: Asker, isolated: Bool, pod: Unmanaged<Pod>, _ aftermath: inout Aftermath
  ) -> Build {
    let keeps = !isolated && kind != .alwaysCreateNew && kind != .graph
    let entry: Entry
    if keeps {
      entry = enter(declaration, override, in: home, .building, &aftermath)
    } else {
      entry = Entry.make(declaration, override, in: home, state: .building)
      if isolated { entry.keepLayer() } else { home.insert(entry, of: declaration) }
    }
    let build = Build.make(
      declaration, override, entry: entry, view: view, asking: asker.build, outer: asker.outer, pod: pod)
    build.keeps = keeps || kind == .graph && !isolated
    if kind == .graph, !isolated { asker.addGraphEntry(entry, of: build) }
    if build.keeps, declaration.kind == .async { addFirstWaiter(build, asker, view: view) }
    if let recorder = asker.recorder {
      build.isForeign = recorder.isForeign(view)
      if asker.build == nil { build.keep(recorder) }
    }
    if let parent = asker.build {
      parent.pending.append(Build.Pending(build, isForeign: build.isForeign))
      if !build.isForeign { deepen(parent, to: home, asSeenFrom: view, &aftermath) }
    }
    return build
  }

  /// Takes over the value of an override that gives one: there is nothing to run.
  private static func give(
    _ declaration: Declaration, _ override: Override.Pointer, view: Layer, home: Layer, _ asker: Asker,
    into memory: UnsafeMutableRawPointer?, _ aftermath: inout Aftermath
  ) {
    let entry = enter(declaration, override, in: home, .kept, &aftermath)
    let value = override.with { $0.lend(declaration) }
    entry.value = value
    entry.noteBuild(inclusive: 0, exclusive: 0, onMain: declaration.isMainActor, nextSerial())
    if let memory { declaration.copy(value, to: memory) }
    if let parent = asker.recorder { note(entry, for: parent, view: view, &aftermath) }
    let isAlone = entry.isAlone(as: declaration)
    informHandles(of: entry, declaration, for: view, &aftermath)
    settle(entry, of: declaration, value, isAlone: isAlone, isKept: true, isTaken: memory != nil, &aftermath)
  }

  /// The record of what a layer will keep, where others find it.
  private static func enter(
    _ declaration: Declaration, _ override: Override.Pointer?, in home: Layer, _ state: Entry.State,
    _ aftermath: inout Aftermath
  ) -> Entry {
    // Mostly there is none, or one that an override sets aside.
    let others = home.records(of: declaration)
    let hasEarlier = others?.isAnyMade(by: override) ?? false
    if hasEarlier, let entry = promised(declaration, override, home: home) {
      entry.state = state
      // What an attempt asked for that failed is not what this one is built from.
      while let last = entry.dependencies.indices.last {
        let dependency = entry.stopDepending(at: last)
        if dependency.isLeftOver { discardUnneeded(dependency, &aftermath) }
      }
      return entry
    }
    let entry = Entry.make(declaration, override, in: home, state: state)
    if hasEarlier { adoptHandles(of: declaration, override, in: home, for: entry, &aftermath) }
    home.insert(entry, of: declaration, before: others)
    return entry
  }

  /// What handles of an earlier instance lead to from now on is this one.
  @inline(never)
  private static func adoptHandles(
    of declaration: Declaration, _ override: Override.Pointer?, in home: Layer, for entry: Entry,
    _ aftermath: inout Aftermath
  ) {
    var candidate = home.records(of: declaration)
    while let earlier = candidate {
      candidate = earlier.next
      guard earlier.isMade(by: override),
        earlier.state == .record || earlier.state == .dying || earlier.state == .kept && !earlier.isLive(&aftermath)
      else { continue }
      earlier.moveHandles(to: entry)
    }
  }

  private static func promised(
    _ declaration: Declaration, _ override: Override.Pointer?, home: Layer
  ) -> Entry? {
    var entry = home.records(of: declaration)
    while let candidate = entry {
      if candidate.state == .promised, candidate.isMade(by: override) { return candidate }
      entry = candidate.next
    }
    return nil
  }
}
