/// Which instances wait for which when they end, with the engine's lock held.
extension Teardown {
  /// Finds out which of some instances that end, latest built first, wait for which.
  static func order(_ ending: [Entry], _ aftermath: inout Aftermath) {
    // Before others of these come to wait for them.
    let awaited = ending.filter(\.hasBlocked)
    var relays = Relays(areUsed: Engine.detachedBuilds == 0 && awaited.isEmpty)
    for entry in ending where !entry.dependents.isEmpty || entry.hasFamilyPromise {
      block(entry, isAwaited: awaited.contains(entry), &relays)
    }
    if ending.contains(where: { $0.blockers > 0 }), hasCycle(ending + relays.made) {
      var sources = relays.sourcesByWaiting()
      for loop in loops(among: ending) { open(loop, areRelaysUsed: relays.areUsed, &sources, &aftermath) }
    }
    // If anyone waits for one of them, it is the same for all.
    if let teardown = ending.first?.teardowns.first { teardown.leaveLate(among: ending) }
  }

  static func wait(_ entry: Entry, for other: Entry) {
    other.blocked.append(entry)
    entry.blockers += 1
  }

  /// Makes an instance wait for those of its dependents that are to be disposed before it.
  ///
  /// `isAwaited`: whether others wait for it since it was being built. It goes before those, though they may hold a handle of it.
  private static func block(_ entry: Entry, isAwaited: Bool, _ relays: inout Relays) {
    var promises: [Entry]? = relays.areUsed ? [] : nil
    let others = endingDependents(of: entry, upTo: &promises)
    let waiting = isAwaited && others.contains { $0.state == .dying } ? all(behind: [entry]) : []
    for other in others where !waiting.contains(other) { relays.block(entry, behind: other) }
    for promise in promises ?? [] { if let relay = relays.relay(of: promise) { relays.block(entry, behind: relay) } }
  }

  /// What waits for some instances, directly or not.
  private static func all(behind entries: some Sequence<Entry>) -> Set<Entry> {
    var found: Set<Entry> = []
    var rest = Array(entries)
    while let entry = rest.popLast() {
      for other in entry.blocked where found.insert(other).inserted { rest.append(other) }
    }
    return found
  }

  /// What waits, directly or not, for something that a condition names among all that was built from some instances.
  static func late(among entries: some Sequence<Entry>, behind isMeant: (Entry) -> Bool) -> Set<Entry> {
    var found: Set<Entry> = []
    var seen: Set<Entry> = []
    var rest = Array(entries)
    while let entry = rest.popLast() {
      func look(at other: Entry) {
        guard seen.insert(other).inserted else { return }
        if other.hasBlocked, isMeant(other) { found.insert(other) } else { rest.append(other) }
      }
      for dependent in entry.dependents { look(at: dependent.entry) }
      entry.forEachFamilyPromise { look(at: $0) }
      if let build = entry.build { for asker in build.askers { look(at: asker.entry) } }
    }
    return found.isEmpty ? [] : all(behind: found)
  }

  /// Lets those that wait for each other wait only for what was built from them, and not for what merely holds a handle.
  ///
  /// What depends on one of them depends on all, and still goes first; what one of them depends on still goes last.
  ///
  /// `sources`: for which ones each waits.
  private static func open(
    _ loop: [Entry], areRelaysUsed: Bool, _ sources: inout [Entry: [Entry]], _ aftermath: inout Aftermath
  ) {
    let members = Set(loop)
    let instances = loop.filter { !$0.isRelay }
    let before = Set(loop.flatMap { sources[$0] ?? [] }).subtracting(members)
    let after = Set(loop.flatMap(\.blocked)).subtracting(members)
    let built = instances.map { entry in
      endingDependents(of: entry, isStrict: true).filter { other in
        members.contains(other) && (areRelaysUsed || other.blocked.contains(entry))
      }
    }
    for other in loop {
      for entry in other.blocked { entry.blockers -= 1 }
      other.blocked = []
    }
    for relay in loop where relay.isRelay {
      for other in sources[relay] ?? [] where !members.contains(other) { other.blocked.removeAll { $0 == relay } }
    }
    for (entry, built) in zip(instances, built) {
      let earlier = Set(sources[entry] ?? [])
      for other in built { wait(entry, for: other) }
      for other in before where !earlier.contains(other) { wait(entry, for: other) }
      for other in after {
        wait(other, for: entry)
        sources[other, default: []].append(entry)
      }
    }
    for relay in loop where relay.isRelay { relay.end(&aftermath) }
  }

  /// The groups of instances that wait for each other, after Tarjan, without recursion.
  private static func loops(among entries: [Entry]) -> [[Entry]] {
    var loops: [[Entry]] = []
    // By the time of the first visit; those whose group is complete are left out.
    var numbers: [Entry: Int] = [:]
    var lowest: [Entry: Int] = [:]
    var open: [Entry] = []
    for start in entries where numbers[start] == nil {
      var path: [(entry: Entry, next: Int)] = [(start, 0)]
      while let (entry, next) = path.last {
        if next == 0 {
          numbers[entry] = numbers.count
          lowest[entry] = numbers[entry]
          open.append(entry)
        }
        if next < entry.blocked.count {
          path[path.count - 1].next += 1
          let other = entry.blocked[next]
          if numbers[other] == nil {
            path.append((entry.blocked[next], 0))
          } else if let number = lowest[other] {
            lowest[entry] = min(lowest[entry] ?? number, number)
          }
          continue
        }
        path.removeLast()
        guard let low = lowest[entry] else { continue }
        if let above = path.last?.entry { lowest[above] = min(lowest[above] ?? low, low) }
        guard low == numbers[entry], let first = open.lastIndex(of: entry) else { continue }
        let group = Array(open[first...])
        open.removeSubrange(first...)
        for member in group { lowest[member] = nil }
        if group.count > 1 { loops.append(group) }
      }
    }
    return loops
  }

  /// What was built from an instance and is to be disposed before it, also by way of what is gone already or stays.
  ///
  /// `isStrict`: whether what holds a handle alone does not count.
  static func endingDependents(of entry: Entry, isStrict: Bool = false) -> [Entry] {
    var promises: [Entry]?
    return endingDependents(of: entry, isStrict: isStrict, upTo: &promises)
  }

  /// The same without what is reached by way of handles, whose promises it collects where there is a list for them.
  private static func endingDependents(
    of entry: Entry, isStrict: Bool = false, upTo promises: inout [Entry]?
  ) -> [Entry] {
    var ending: [Entry] = []
    // What belongs to an outermost resolve that is under way goes at the end of that.
    var graph: [Entry] = []
    var isInUse = false
    // Where nobody is called or told, nobody can tell the order either.
    let waitsForBuilders = Engine.detachedBuilds > 0 && !entry.isInUse && !entry.isSilent
    var seen: Set<Entry> = [entry]
    var rest = [entry]
    func look(at other: Entry) {
      guard seen.insert(other).inserted else { return }
      switch other.state {
      case .dying:
        ending.append(other)
        // One that began earlier waits for none of those that begin now, and a silent one for no builder.
        if !other.isEntering || waitsForBuilders && other.isSilent { rest.append(other) }
      case .building:
        // What was cleared while it is being built counts as built just before. Only a silent one does not wait for those who ask for it.
        let isEnding = waitsForBuilders && other.build.map { $0.isDetached && $0.keeps } ?? false
        if isEnding {
          isInUse = true
          ending.append(other)
        }
        if !isEnding || other.willBeSilent { rest.append(other) }
      case .record: if !other.isDeserted { rest.append(other) }
      case .promised where promises != nil: promises?.append(other)
      case .kept, .promised:
        if other.isGraphScoped { graph.append(other) }
        rest.append(other)
      case .gone: break
      }
    }
    while let current = rest.popLast() {
      for dependent in current.dependents {
        if isStrict, dependent.entry.dependencies[dependent.position].isDeferred { continue }
        look(at: dependent.entry)
      }
      if !isStrict { current.forEachFamilyPromise { look(at: $0) } }
      // Those who are just being built from it have no edge yet.
      if let build = current.build { for asker in build.askers { look(at: asker.entry) } }
    }
    return isInUse ? ending + graph.filter { $0.state == .kept } : ending
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
}

extension Entry {
  /// Whether code of the user's is to be called with the instance.
  var hasHook: Bool { value != nil && !isGiven && withDeclaration { $0.hasHook } }

  /// Whether the instance goes when those of its dependents have gone that go at the same time, if each goes in its turn.
  ///
  /// Asked when nothing else is being disposed.
  var isPlain: Bool {
    guard !hasHook || withDeclaration({ $0.hasPlainHook }) else { return false }
    guard dependents.allSatisfy({ isPlain(after: $0.entry) }) else { return false }
    var hasFurther = false
    forEachFamilyPromise { promise in
      // All members look at it, so only where there is little to see.
      let isSmall = promise.dependents.count <= 4
      if !isSmall || !promise.dependents.allSatisfy({ isPlain(after: $0.entry) }) { hasFurther = true }
    }
    return !hasFurther
  }

  private func isPlain(after other: Entry) -> Bool {
    switch other.state {
    case .dying: other.serial > serial
    case .record, .kept, .promised: other.dependents.isEmpty && !other.hasFamilyPromise
    case .building, .gone: true
    }
  }

  /// Whether it is no instance, but stands between some that end.
  var isRelay: Bool { state == .promised && !isListed }

  /// What a factory of its family leads to: what holds one may have been given this.
  ///
  /// No edge leads from there, since there may be many members.
  func forEachFamilyPromise(_ body: (Entry) -> Void) {
    guard isListed else { return }
    withDeclaration { declaration in
      guard let family = declaration.family, family.mayBePromised, family.isNamed, !declaration.isGhost else { return }
      let isOfFamily = override.map { $0.with { $0.target === family } } ?? true
      var record = layer.records(of: family)
      while let promise = record {
        record = promise.next
        if promise.state == .promised, !isOfFamily || promise.isMade(as: self) { body(promise) }
      }
    }
  }

  /// Whether anything holds a factory of its family.
  var hasFamilyPromise: Bool {
    var isThere = false
    forEachFamilyPromise { _ in isThere = true }
    return isThere
  }

  /// Whether nobody is called or told when it goes, so that it need not wait for its turn: only its value goes later.
  var isSilent: Bool { !hasHook && !layer.isObserved }

  /// The same for what is being built.
  var willBeSilent: Bool { !withDeclaration { $0.hasHook } && !layer.isObserved }

  /// Whether anything that is kept was built from it.
  var hasLiveDependents: Bool {
    var seen: Set<Entry> = []
    var rest = [self]
    while let current = rest.popLast() {
      for dependent in current.dependents where seen.insert(dependent.entry).inserted {
        switch dependent.entry.state {
        case .kept, .building, .promised, .dying: return true
        case .record: if !dependent.entry.isDeserted { rest.append(dependent.entry) }
        case .gone: break
        }
      }
    }
    return false
  }
}
