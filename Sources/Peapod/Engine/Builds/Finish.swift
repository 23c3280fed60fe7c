/// The end of a build.
extension Build {
  /// Ends a build that the caller ran itself, and records the result for the dependent build.
  ///
  /// A function of its own, since it needs room on the stack, and builders nest.
  @inline(never)
  func end(_ result: Result<StoredValue, any Error>, isShared: Bool) throws -> (instance: Instance, value: StoredValue)
  {
    let record = finish(result, isShared: isShared)
    if case .success = result { request.record(record) } else { request.recordFailure(of: self) }
    return (record, try result.get())
  }

  /// Ends the build: stores the instance, or only its record, and gives the result to the callers that waited.
  ///
  /// Returns the record that stands for the instance in the dependencies of the dependent build. `isShared`: whether the caller keeps the
  /// reference to the value, so that the instance gets one of its own. The instance of a transient does not store the value.
  @discardableResult
  func finish(_ result: Result<StoredValue, any Error>, isShared: Bool = false) -> Instance {
    if isShared, use != .transient, case .success(let value) = result { _ = value.retained() }
    noteTimes()
    let graph = takeGraphInstances()
    let (record, isCached) = commit(result)
    let waiters = WaitGraph.end(self)
    // A waiter that does not accept the result resolves again. A waiter that accepts the result owns a copy.
    let answers = waiters.map { ($0, outcome(for: $0, result)) }
    // Before the waiters continue: then only the waiters and the pod retain the value, and a shutdown waits for the disposal.
    releaseCopies()
    // A failed build has no value.
    let disposal = !isCached && use == .cached && instance.word != 0 ? Teardown.prepare([instance]) : nil
    settle()
    for (waiter, outcome) in answers where !isLate(waiter, outcome, graph) { waiter.end(outcome) }
    report(result, isCached: isCached || use == .graph)
    disposal?()
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
    let isTransient = use == .transient && value != nil
    let isStored = isTransient && isRecorded
    home.withLock { held in
      queueEvent(result, held)
      instance.build = nil
      instance.state = .record
      if use == .cached { home.remove(instance, held) }
      if !isStored { home.number(instance, at: end, held) }
      if use == .fresh, let value {
        instance.word = value.word
        instance.flags.insert(.isFresh)
      }
    }
    return isStored ? home.storeRecord(of: instance, at: end) : instance
  }

  /// Whether the pod keeps a record of the instance: not if an override has outdated it.
  fileprivate var isRecorded: Bool { view.chainRevision == revision || view.isStillRight(instance, after: outer) }

  /// Caches the instance, if it is still right; returns whether the pod caches it.
  ///
  /// A graph-scoped instance belongs to the top-level resolve instead.
  private func commit(_ value: StoredValue) -> Bool {
    let instance = instance
    var known = revision
    while true {
      let now = view.chainRevision
      if now != known || now.isChanging {
        isStillRight = view.isStillRight(instance, after: outer)
        known = now
      }
      let home = instance.home
      var hasRival = false
      var object: AnyObject?
      let isCached = home.withLock { held -> Bool? in
        guard view.chainRevision == now else { return nil }
        if valueForWaiters == nil, status.load(ordering: .relaxed) == Status.awaited {
          // Another thread may dispose the instance as soon as the lock is released.
          valueForWaiters = value.retained()
        }
        let isKept = use == .cached && isStillRight && !instance.flags.contains(.isDetached) && !home.isEnded
        hasRival = isKept && self.hasRival(in: home, retaining: &object, held)
        guard !hasRival else { return nil }
        home.number(instance, at: end, held)
        instance.buildCount &+= 1
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
      withExtendedLifetime(object) {}
      if let isCached { return isCached }
      // The home caches such an instance already. So this instance moves to the view, or is not cached if the view is the home.
      guard hasRival else { continue }
      if home === view {
        detach()
      } else {
        // From now on, the view has an instance of its own, as though it overrode the provider: readers of slots pass the rival by.
        view.changes.bitwiseOr(declaration.changeNumber.assign() | ChangeBits.deferred, ordering: .relaxed)
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
    weakValue = value
    return true
  }

  /// Whether the pod already caches an instance of the same definition, after two builds moved to the pod.
  ///
  /// `object`: receives the object of a weak instance, which is released without the lock.
  private func hasRival(in home: PodState, retaining object: inout AnyObject?, _ held: borrowing PodState.Held) -> Bool
  {
    home.instances(of: declaration, held).contains { candidate in
      guard candidate !== instance, candidate.isVisible(as: definition, held) else { return false }
      guard candidate.flags.contains(.isWeak) else { return true }
      object = candidate.weakObject(held)
      return object != nil
    }
  }

  private func outcome(for waiter: Waiter, _ result: Result<StoredValue, any Error>) -> Waiter.Outcome {
    if case .failure(let error) = result { return .failure(error) }
    // A caller that began to wait after an override must not receive an instance from before the override.
    let isRight =
      (isStillRight || waiter.isTimely)
      && (waiter.view === view || waiter.view.isBelow(orSame: instance.home) && waiter.view.shares(instance))
    // A caller that began to wait after the instance was cached resolves again.
    guard isRight, let value = valueForWaiters else { return .dismissed }
    return .value(value.retained())
  }

  /// Whether a waiter is a task outside of builders, which wakes only after the observers and the disposal of graph-scoped instances.
  ///
  /// So the task sees the same as a caller of a synchronous provider. Threads and builders do not wait for user code of other builds.
  private func isLate(_ waiter: Waiter, _ outcome: Waiter.Outcome, _ graph: [Build]) -> Bool {
    switch outcome {
    case .value, .failure: !waiter.isThread && waiter.recorder == nil && (queuesToDeliver != nil || !graph.isEmpty)
    case .dismissed, .canceled: false
    }
  }

  private func releaseCopies() {
    if let valueForWaiters { declaration.release(valueForWaiters) }
    if let weakValue { declaration.release(weakValue) }
    (valueForWaiters, weakValue) = (nil, nil)
  }

  /// Points the pod that the builder received at the home of the instance, and releases this pod.
  private func settle() {
    if pod.settledState == nil {
      // If the view has ended and the instance is detached, the builder's pod stays at the view.
      pod.settle(in: view.isEnded && instance.flags.contains(.isDetached) ? view : instance.home)
    }
    releasePod()
  }

  private func noteTimes() {
    end = MonotonicClock.now
    let nested = seal(at: end)
    let time = end &- start
    instance.inclusive = Float(time)
    instance.exclusive = Float(max(0, time &- nested))
    parent?.endNested(from: start, to: end)
  }
}

extension GraphInstances {
  /// Ends graph-scoped instances; returns the instances to dispose.
  static func end(_ builds: [Build]) -> [Instance] {
    builds.compactMap { build in
      let instance = build.instance
      let isEnding = instance.home.withLock { _ in
        guard instance.state == .cached else { return false }
        instance.state = .record
        return instance.word != 0
      }
      if isEnding, build.isRecorded { _ = instance.home.storeRecord(of: instance) }
      return isEnding ? instance : nil
    }
  }

  func end() -> [Instance] { GraphInstances.end(take()) }
}
