/// The end of a build.
extension Build {
  /// Ends a build that the caller ran itself, and records the result for the dependent build.
  ///
  /// Returns `nil` if the pod already caches such an instance, which the caller resolves then. Instances for the caller alone have no rival.
  ///
  /// A function of its own, since it needs room on the stack, and builders nest.
  @inline(never)
  func end(_ result: Result<StoredValue, any Error>) throws -> (instance: Instance, value: StoredValue)? {
    let record = finish(result)
    if case .failure = result { request.recordFailure(of: self) }
    let value = try result.get()
    guard !hasRival else {
      declaration.release(value)
      return nil
    }
    request.record(record)
    return (record, value)
  }

  /// Ends the build: stores the instance, or only its record, and gives the result to the callers that waited.
  ///
  /// Returns the record that stands for the instance in the dependencies of the dependent build. A caller that shares the instance keeps
  /// the reference to the value, so the instance gets one of its own. The instance of a transient does not store the value.
  @discardableResult
  func finish(_ result: Result<StoredValue, any Error>) -> Instance {
    noteTimes()
    let graph = leaveGraph()
    // For the caller, and for the callers that wait: another thread may dispose the instance as soon as the pod caches it.
    let copy = use == .transient ? nil : (try? result.get())?.retained()
    let (record, isCached) = commit(result)
    let waiters = WaitGraph.end(self)
    // A waiter that does not accept the result resolves again. A waiter that accepts the result owns a copy.
    let answers = waiters.map { ($0, outcome(for: $0, result, copy)) }
    // So that no pod caches a dependent either, even if the override is removed before the dependent is built.
    if use == .cached, !isStillRight { instance.home.withLock { _ in instance.flags.insert(.isOutdated) } }
    // Before the waiters continue: then only the waiters and the pod retain the value, and a shutdown waits for the disposal.
    if hasOwnTask || use == .fresh, let copy { declaration.release(copy) }
    releaseWeakValue(of: result)
    // A failed build has no value.
    let disposal = !isCached && use == .cached && instance.word != 0 ? Teardown.prepare([instance]) : nil
    let disposals = settle()
    for (waiter, outcome) in answers where !isLate(waiter, outcome, graph) { waiter.end(outcome) }
    report(result, isCached: isCached)
    disposal?()
    for disposal in disposals { disposal() }
    // An instance that an override has outdated is not shared either.
    if let graph = self.graph, graph.hasEnded || !isStillRight { Teardown.run(GraphInstances.end([self])) }
    if !graph.isEmpty { Teardown.run(GraphInstances.end(graph)) }
    for (waiter, outcome) in answers where isLate(waiter, outcome, graph) { waiter.end(outcome) }
    return record
  }

  private func commit(_ result: Result<StoredValue, any Error>) -> (record: Instance, isCached: Bool) {
    if case .success(let value) = result, use == .cached || use == .graph { return (instance, commit(value)) }
    if case .failure(let error) = result { noteOrigin(of: error) }
    return (commitRecord(result), false)
  }

  /// Ends the build of an instance that no pod caches: a failure, a transient, or an instance for one use.
  ///
  /// Returns the record of a transient, which may be an earlier one.
  private func commitRecord(_ result: Result<StoredValue, any Error>) -> Instance {
    let home = instance.home
    let value = try? result.get()
    home.withLock { held in
      queueEvent(result, held)
      instance.build = nil
      instance.state = .record
      if use == .cached { home.remove(instance, held) }
      // A failed attempt has taken the count of a cleared instance, and gives it back for the diagram.
      if instance.buildCount > 0 { home.noteCleared(instance, held) }
      instance.buildCount = 0
      if use == .fresh, let value {
        instance.word = value.word
        instance.flags.insert(.isFresh)
      }
    }
    if use == .transient, value != nil, let record = storeRecord(at: end) { return record }
    home.withLock { held in home.number(instance, at: end, held) }
    return instance
  }

  /// Stores the record of an instance that no pod caches, unless an override has outdated the instance.
  func storeRecord(at end: Int64? = nil) -> Instance? {
    var known = revision
    while true {
      let now = view.steadyRevision
      if now != known, !view.isStillRight(instance, after: outer) { return nil }
      known = now
      let record = instance.home.storeRecord(of: instance, at: end) { view.chainRevision == now }
      if let record { return record }
    }
  }

  /// Caches the instance, if it is still right; returns whether the pod caches it.
  ///
  /// A graph-scoped instance belongs to the top-level resolve instead.
  private func commit(_ value: StoredValue) -> Bool {
    let instance = instance
    var known = revision
    while true {
      // A change that is under way might have looked through the tables already.
      let now = view.steadyRevision
      if now != known {
        isStillRight =
          view.isStillRight(instance, after: outer) && (!view.isCompact || instance.isCurrentElsewhere())
          // A parent may have changed, and the former parent may own a scope.
          && (!view.selfAndAncestors.contains { $0.changingParent != nil }
            || instance.ownDependencies.allSatisfy { view.isBelow(orActingFor: $0.home) })
        known = now
      }
      let home = instance.home
      var (rival, object): (Instance?, StoredValue?)
      var dead: [Instance] = []
      let isCached = home.withLock { held -> Bool? in
        guard view.chainRevision == now else { return nil }
        let isKept = use == .cached && isStillRight && !instance.flags.contains(.isDetached) && !home.isEnded
        if isKept { rival = findRival(in: home, &object, &dead, held) }
        for former in dead {
          home.remove(former, held)
          former.state = .record
          instance.buildCount = max(instance.buildCount, former.buildCount)
        }
        guard rival == nil else { return nil }
        home.number(instance, at: end, held)
        instance.countBuild()
        instance.build = nil
        let isStored = store(value, isKept: isKept, held)
        if use == .cached, !isStored { home.remove(instance, held) }
        instance.state = isStored || use == .graph ? .cached : .record
        if isStored {
          home.noteFinished(instance, held)
          home.publish(instance, held)
        }
        queueEvent(.success(value), held)
        return isStored
      }
      for former in dead { former.releaseValue() }
      if let object { declaration.release(object) }
      if let isCached { return isCached }
      guard let rival else { continue }
      if view.shares(rival) {
        // The callers resolve again, and receive the rival. So an instance is cached once for all of them.
        hasRival = true
        detach()
      } else {
        moveDown(to: view, isRunner: true)
      }
    }
  }

  /// Stores the value in the instance; returns whether the pod caches the instance.
  private func store(_ value: StoredValue, isKept: Bool, _ held: borrowing PodState.Held) -> Bool {
    guard instance.scopeKind == .weak, use == .cached else {
      instance.word = value.word
      return isKept
    }
    guard isKept, let object = declaration.object(in: value) else {
      instance.word = value.word
      return false
    }
    instance.word = UInt(bitPattern: Unmanaged.passRetained(WeakReference(object)).toOpaque())
    instance.flags.insert(.isWeak)
    // So a sweep comes in time: the object may be deallocated before the table is used again.
    instance.home.recordCount += 1
    return true
  }

  /// The instance of the same definition that the pod already caches, after two builds moved to the pod.
  ///
  /// `object`: receives the object of a weak instance, which is released without the lock. `dead`: receives the records, and the weak
  /// instances whose objects are deallocated, in whose place this instance comes.
  private func findRival(
    in home: PodState, _ object: inout StoredValue?, _ dead: inout [Instance], _ held: borrowing PodState.Held
  ) -> Instance? {
    for candidate in home.instances(of: declaration, held) where candidate.definition === definition {
      if candidate.isVisible(as: definition, held) {
        if candidate.flags.contains(.isWeak) { object = candidate.weakObject(held) }
        if object != nil || !candidate.flags.contains(.isWeak) { return candidate }
      } else if candidate.state != .record {
        continue
      }
      dead.append(candidate)
    }
    return nil
  }

  private func outcome(
    for waiter: Waiter, _ result: Result<StoredValue, any Error>, _ copy: StoredValue?
  ) -> Waiter.Outcome {
    // `detachFromView` dismissed the callers of that moment. This caller began to wait later.
    if instance.traits.contains(.isOfLaterView), !waiter.isFirst, waiter.request.asked !== request.asked {
      return .dismissed
    }
    guard waiter.view === view || waiter.view.shares(instance) else { return .dismissed }
    if case .failure(let error) = result {
      let isRight = waiter.isFirst || waiter.isTimely || view.isStillRight(instance, after: outer)
      return isRight ? .failure(error) : .dismissed
    }
    // An override in a child does not concern this caller, whose own instance must not depend on one that no pod caches.
    if !isStillRight, waiter.view !== view, instance.home.isStillRight(instance, after: outer) { return .dismissed }
    // A caller that began to wait after an override must not receive an instance from before the override.
    guard isStillRight || waiter.isTimely, !hasRival, let copy else { return .dismissed }
    return .value(copy.retained())
  }

  /// Whether a waiter is a task outside of builders, which wakes only after the observers and the disposal of graph-scoped instances.
  ///
  /// So the task sees the same as a caller of a synchronous provider. Threads and builders do not wait for user code of other builds.
  private func isLate(_ waiter: Waiter, _ outcome: Waiter.Outcome, _ graph: [Build]) -> Bool {
    switch outcome {
    case .value, .failure:
      !waiter.isThread && waiter.request.caller.recorder == nil && !(queuesToDeliver.isEmpty && graph.isEmpty)
    case .dismissed, .canceled: false
    }
  }

  /// Releases the value that a weak instance does not retain.
  private func releaseWeakValue(of result: Result<StoredValue, any Error>) {
    guard instance.flags.contains(.isWeak), let value = try? result.get() else { return }
    declaration.release(value)
    instance.home.sweep()
  }

  /// Points the pod that the builder received at the home of the instance, and releases this pod.
  ///
  /// Returns disposals, which the caller runs after the waiters continue.
  private func settle() -> [() -> Void] {
    defer { releasePod() }
    if pod.settledState != nil { return [] }
    // If the view has ended and the instance is detached, the builder's pod stays at the view.
    return pod.settle(in: view.isEnded && instance.flags.contains(.isDetached) ? view : instance.home)
  }

  private func noteTimes() {
    end = MonotonicClock.now
    let nested = seal(at: end)
    let time = end &- start
    instance.inclusive = Float(time)
    instance.exclusive = Float(max(0, time &- nested))
    // The first caller of a build with a task of its own ends the wait when it continues.
    if !hasOwnTask { parent?.endNested(from: start, to: end) }
  }
}
