/// Removing instances from the tables of their pods.
extension PodState {
  /// Removes an instance that is to be disposed; returns whether it was cached, so that the caller disposes it.
  ///
  /// A build is detached: its instance goes to those who wait, and is not cached. Called with the lock held.
  ///
  /// `isForgotten`: whether no record of the instance stays for the diagram. `objects`: gets what has to be released without the lock.
  func removeFromTable(
    _ instance: Instance, isRefreshed: Bool = false, isForgotten: Bool = false, retaining objects: inout [AnyObject]
  ) -> Bool {
    if isRefreshed { instance.flags.insert(.isRefreshed) }
    switch instance.state {
    case .building:
      // An override that changes meanwhile is noticed by its revision.
      return false
    case .record:
      if isForgotten {
        unpublish(instance)
        table.remove(instance)
      }
      return false
    case .cached:
      unpublish(instance)
      instance.state = .record
      if instance.flags.contains(.isWeak) {
        if let object = instance.weakObject {
          objects.append(object)
        } else {
          // Nothing is left to dispose. The record says what the instance was built from.
          StoredValue(word: instance.word).releaseReference()
          instance.word = 0
          if isForgotten { table.remove(instance) }
          return false
        }
      }
      table.remove(instance)
      if !isForgotten, !instance.isConstant { noteCleared(instance) }
      return instance.word != 0
    }
  }

  /// Detaches a build: its instance goes to those who wait, and is not cached.
  ///
  /// Called with the lock held.
  func detach(_ instance: Instance) {
    guard instance.state == .building, !instance.flags.contains(.isDetached) else { return }
    instance.flags.insert(.isDetached)
    table.remove(instance)
  }

  /// Removes the instances that a condition names from this pod alone; returns those to dispose.
  func end(_ kept: Kept, where isMeant: (Instance) -> Bool) -> [Instance] {
    var (meant, objects): ([Instance], [AnyObject]) = ([], [])
    defer {
      _ = kept.keep(meant)
      _ = kept.keep(objects)
    }
    return lock.withLock {
      table.forEach { if isMeant($0) { meant.append($0) } }
      return meant.filter { instance in
        detach(instance)
        return removeFromTable(instance, retaining: &objects)
      }
    }
  }

  /// Removes every instance of this pod and its descendants; returns those to dispose.
  func endAll(_ kept: Kept) -> [Instance] { subtree(kept).flatMap { $0.end(kept) { _ in true } } }

  /// Removes the instances of scopes where they belong to as seen from this pod, and in the pods below that do not own the scopes.
  func endInstances(of scopes: ScopeSet, _ kept: Kept) -> [Instance] {
    var ended: [Instance] = []
    var owners: [(owner: PodState, scopes: Set<ObjectIdentifier>)] = []
    for scope in scopes.all where scope.kind == .custom || scope.kind == .weak {
      let owner = owner(of: scope)
      if let known = owners.firstIndex(where: { $0.owner === owner }) {
        owners[known].scopes.insert(ObjectIdentifier(scope))
      } else {
        owners.append((owner, [ObjectIdentifier(scope)]))
      }
    }
    for (owner, own) in owners {
      var rest = [(owner, own)]
      while let (state, meant) = rest.popLast() {
        ended += state.end(kept) { meant.contains(ObjectIdentifier($0.scope.identity)) }
        for child in kept.keep(state.children(isMade: false)?.all ?? []) {
          let left = child.owned.isEmpty ? meant : meant.filter { !child.owned.contains($0) }
          if !left.isEmpty { rest.append((child, left)) }
        }
      }
    }
    return ended
  }

  /// Removes the instances of providers in the pod where each answer lives as seen from this pod, and in the pods below.
  ///
  /// `isRefreshed`: whether everything that was built from them is removed too, and hidden instances stay.
  func endInstances(of declarations: [Declaration], isRefreshed: Bool = false, _ kept: Kept) -> [Instance] {
    let view = effective
    var homes: [ObjectIdentifier: (home: PodState, meant: Set<ObjectIdentifier>)] = [:]
    for declaration in declarations {
      // Where there is no answer, descendants may still have one of their own.
      let home = view.home(of: declaration, view.definition(of: declaration)) ?? self
      homes[ObjectIdentifier(home), default: (home, [])].meant.insert(ObjectIdentifier(declaration))
    }
    let families = Set(declarations.compactMap { $0.family.map { ObjectIdentifier($0) } })
    return homes.values.flatMap { home, meant in
      isRefreshed
        ? home.refresh(meant, families, kept)
        : home.subtree(kept).flatMap { $0.end(kept) { meant.contains(ObjectIdentifier($0.declaration)) } }
    }
  }

  /// The pod in which the answer lives, or is being built.
  private func home(of declaration: Declaration, _ definition: Override?) -> PodState? {
    let kind = definition?.ownScope?.identity.kind ?? declaration.scopeKind
    let highest = home(of: definition, (definition?.ownScope ?? declaration.scope).identity, kind)
    var state: PodState? = self
    while let current = state {
      let found = current.lock.withLock { () -> Instance? in
        var next = current.table.first(declaration)
        while let candidate = next {
          if candidate.definition === definition, candidate.state != .record, candidate.hiddenCount == 0 {
            return candidate
          }
          next = candidate.next
        }
        return nil
      }
      if let found, shares(found) { return current }
      state = current === highest ? nil : current.parent
    }
    return nil
  }
}

// MARK: - Records

extension PodState {
  /// Counts a record that stays for the diagram.
  ///
  /// Called with the lock held.
  func noteRecord() { rareState.recordCount += 1 }

  /// Gives a finished instance its serial: larger than those of its dependencies and of the instances that this pod finished before, and as large as the time.
  ///
  /// So serials tell which of two instances was built later, without a counter that pods share (Kulkarni et al.,
  /// "Logical Physical Clocks", 2014). Called with the lock held.
  func number(_ instance: Instance, at end: Int64) {
    clock = max(clock + 1, instance.serial + 1, UInt64(bitPattern: end))
    instance.serial = clock
  }

  /// Ends the build of an instance of which no pod keeps a record.
  func forget(record instance: Instance) -> Instance {
    lock.withLock {
      instance.build = nil
      instance.state = .record
    }
    return instance
  }

  /// Keeps what the diagram shows of a cleared instance, if the program may still name the provider.
  ///
  /// Called with the lock held.
  func noteCleared(_ instance: Instance) {
    guard !instance.isOnlyHolder else { return }
    let rare = rareState
    rare.cleared[instance.declaration.index] = ClearedRecord(instance)
  }

  /// Removes the records of cleared instances whose providers are gone.
  ///
  /// Called without the lock, since a look at a provider may turn out to be its last reference.
  func sweepCleared() {
    let records = lock.withLock { () -> [UInt32: ClearedRecord] in
      guard let rare = knownRare, rare.isFullOfCleared else { return [:] }
      return rare.cleared
    }
    guard !records.isEmpty else { return }
    let forgotten = records.filter { !$0.value.isNamed }
    lock.withLock {
      let rare = rareState
      for (index, record) in forgotten where rare.cleared[index]?.generation == record.generation {
        rare.cleared[index] = nil
      }
      rare.clearedLimit = max(64, 2 * rare.cleared.count)
    }
  }

  /// How often a provider was built before its instance was cleared.
  ///
  /// Called with the lock held.
  func takeBuildCount(of declaration: Declaration) -> UInt16 {
    guard let rare = knownRare, let record = rare.cleared.removeValue(forKey: declaration.index) else { return 0 }
    return record.generation == declaration.generation ? record.buildCount : 0
  }

  /// Keeps an instance that no pod caches as the latest record of its provider, or returns the record that says the same.
  ///
  /// `end`: when the builder returned; `nil` for an instance that has a serial.
  func keep(record instance: Instance, at end: Int64? = nil) -> Instance {
    let declaration = instance.declaration
    var replaced: Instance?
    defer { withExtendedLifetime(replaced) {} }
    let record = lock.withLock { () -> Instance in
      instance.build = nil
      instance.state = .record
      if let end { number(instance, at: end) }
      var next = table.first(declaration)
      while let candidate = next,
        candidate.definition !== instance.definition || candidate.state != .record
          || candidate.traits.contains(.isOverridden) != instance.traits.contains(.isOverridden)
      {
        next = candidate.next
      }
      if let known = next {
        if instance.word == 0, known.saysSame(as: instance) {
          publishTransient(known)
          return known
        }
        unpublish(known)
        table.remove(known)
        instance.buildCount = max(instance.buildCount, known.buildCount)
        replaced = known
      } else {
        noteRecord()
      }
      if instance.word == 0 { instance.buildCount &+= 1 }
      guard !isEnded else { return instance }
      table.insert(instance)
      publishTransient(instance)
      return instance
    }
    sweepRecords()
    return record
  }

  /// Removes the records of providers that the program cannot name any longer: only the record retains such a declaration.
  ///
  /// Called without the lock, now and then, so that it takes O(1) amortized.
  func sweepRecords() {
    let forgotten = lock.withLock { () -> [Instance] in
      guard let rare = knownRare, rare.recordCount >= rare.sweepCount else { return [] }
      var all: [Instance] = []
      table.forEach { if $0.state == .record { all.append($0) } }
      let forgotten = all.filter(\.isOnlyHolder)
      for record in forgotten {
        unpublish(record)
        table.remove(record)
      }
      rare.recordCount = all.count - forgotten.count
      rare.sweepCount = max(64, 2 * rare.recordCount)
      return forgotten
    }
    withExtendedLifetime(forgotten) {}
  }
}

/// What the diagram shows of a cleared instance.
///
/// It retains neither the provider nor the dependencies.
struct ClearedRecord {
  private let weakDeclaration: WeakReference
  private let dependencies: [(declaration: WeakReference, isDeferred: Bool)]
  let generation: UInt32
  let definition: ObjectIdentifier?
  let buildCount: UInt16
  let inclusive: Float
  let exclusive: Float
  let flags: Instance.Flags

  init(_ instance: Instance) {
    weakDeclaration = WeakReference(instance.declaration)
    dependencies = instance.dependencies.map { (WeakReference($0.declaration), $0.isDeferred) }
    generation = instance.declaration.generation
    definition = instance.definition.map { ObjectIdentifier($0) }
    buildCount = instance.buildCount
    inclusive = instance.inclusive
    exclusive = instance.exclusive
    flags = instance.flags.all
  }

  /// Whether the program may still name the provider.
  var isNamed: Bool { weakDeclaration.object != nil }

  var declaration: Declaration? { weakDeclaration.object as? Declaration }

  var knownDependencies: [(declaration: Declaration, isDeferred: Bool)] {
    dependencies.compactMap { dependency in
      (dependency.declaration.object as? Declaration).map { ($0, dependency.isDeferred) }
    }
  }
}

extension Instance {
  /// Whether another record of the same provider would say nothing new.
  fileprivate func saysSame(as other: Instance) -> Bool {
    dependencies.count == other.dependencies.count
      && zip(dependencies, other.dependencies).allSatisfy { $0.isSame(as: $1) }
  }
}

// MARK: - The end of a pod

extension PodState {
  /// Ends the pod with the last reference to it: disposes everything that it caches.
  ///
  /// Its ancestors stay.
  func end() {
    unregister()
    var objects: [AnyObject] = []
    let (pods, ended) = lock.withLock { () -> ((Pod?, Pod?), [Instance]) in
      let pods = takePods()
      guard !table.isEmpty else { return (pods, []) }
      var all: [Instance] = []
      table.forEach { all.append($0) }
      let ended = all.filter { instance in
        detach(instance)
        return removeFromTable(instance, isForgotten: true, retaining: &objects)
      }
      return (pods, ended)
    }
    if !ended.isEmpty { Teardown.run(ended) }
    notifyWatchers()
    withExtendedLifetime((pods, objects)) {}
  }
}
