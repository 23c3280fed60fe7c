/// The instances of one pod by provider.
///
/// A provider may have several instances: one for each definition, and hidden instances. A root has slots, in which readers find instances
/// without a lock.
extension PodState {
  /// The first instance of a provider; others follow by `next`.
  @inline(__always)
  func firstInstance(of declaration: Declaration, _ held: borrowing Held) -> Instance? {
    if hasSlots { return slots.instance(declaration.index) }
    return fewInstances[declaration.index]
  }

  @inline(__always)
  func instances(of declaration: Declaration, _ held: borrowing Held) -> InstanceList {
    InstanceList(following: firstInstance(of: declaration, held))
  }

  private func setFirst(_ instance: Instance?, _ index: UInt32, _ held: borrowing Held) {
    held.check(lockOf: self)
    if hasSlots { return slots.setInstance(instance, index) }
    if let instance { fewInstances.update(with: instance) } else { fewInstances.remove(index) }
  }

  func insert(_ instance: Instance, _ held: borrowing Held) {
    instance.next = firstInstance(of: instance.declaration, held)
    setFirst(instance, instance.index, held)
    instanceCount += 1
  }

  /// Removes an instance, if it is in this table.
  ///
  /// The caller retains the instance.
  func remove(_ instance: Instance, _ held: borrowing Held) {
    var current = firstInstance(of: instance.declaration, held)
    if current === instance {
      setFirst(instance.next, instance.index, held)
    } else {
      while let before = current, before.next !== instance { current = before.next }
      guard let current else { return }
      current.next = instance.next
    }
    instance.next = nil
    instanceCount -= 1
  }

  /// The instances in the table for which a condition holds.
  func instances(_ held: borrowing Held, where matches: (Instance) -> Bool) -> [Instance] {
    var found: [Instance] = []
    forEachInstance(held) { if matches($0) { found.append($0) } }
    return found
  }

  /// The cached instances, hidden or not.
  var cachedInstances: [Instance] { withLock { held in instances(held) { $0.state == .cached } } }

  /// The cached instances, hidden or not, and the records.
  var finishedInstances: [Instance] { withLock { held in instances(held) { $0.state != .building } } }

  /// Notes a new instance or record, before readers find it, if deferred dependencies ever led to its provider.
  func noteFinished(_ instance: Instance, _ held: borrowing Held) {
    if instance.declaration.changeNumber.isDeferred {
      answerChanges.wrappingAdd(1, ordering: .releasing)
      if hasChanges { changes.bitwiseOr(instance.declaration.answerBit, ordering: .relaxed) }
    }
    // The value of a `Lazy` answers its question too, and its holder may live in a root. Safe: the provider of this instance retains the pod.
    lazySource?.pod._withUnsafeGuaranteedRef { source in
      if lazySource?.isOwn == true, source.isOfChild { return }
      source.state.climb(isLocked: true) { state in
        if state.isRoot { state.answerChanges.wrappingAdd(1, ordering: .releasing) }
        return false
      }
    }
    if hasSlots, !instance.traits.isDisjoint(with: [.isOverridden, .isDeferred]) { slots.noteChangeable(instance) }
  }

  /// The bits of the providers of which this child has its own instance, and to which a deferred dependency ever led.
  func answerBits(_ held: borrowing Held) -> UInt64 {
    var bits: UInt64 = 0
    forEachInstance(held) { bits |= $0.declaration.answerBit }
    return bits
  }

  /// Whether this is a child that overrides a provider or owns a scope.
  var hasChanges: Bool { changes.load(ordering: .relaxed) != 0 }

  /// Adds to the changes of this pod and its ancestors below `other` the own instances to which a deferred dependency leads since the last
  /// call.
  ///
  /// Called after a holder was found: its question has marked the provider.
  func noteAnswers(below other: PodState) {
    if changes(below: other).areComplete { return }
    for state in levels(below: other) {
      state.withLock { held in
        // Before the instances are looked at: a provider that is marked later increases the number again.
        let count = ChangeBits.deferrals.load(ordering: .acquiring)
        guard state.hasChanges else { return }
        state.changes.bitwiseOr(state.answerBits(held), ordering: .relaxed)
        state.notedDeferrals.store(count, ordering: .releasing)
      }
    }
  }

  /// Calls a body with each instance; the body does not change the table.
  ///
  /// `serial`: the smallest serial that counts. Older instances, and instances that depend on no override, may be skipped.
  func forEachInstance(overriddenSince serial: UInt64 = 0, _ held: borrowing Held, _ body: (Instance) -> Void) {
    if hasSlots { return slots.forEach(notedSince: serial, body) }
    for first in fewInstances.elements { for instance in InstanceList(following: first) { body(instance) } }
  }

  var hasInstances: Bool { instanceCount != 0 }
}

/// Instances of one provider in the table of one pod.
struct InstanceList: Sequence, IteratorProtocol {
  var following: Instance?

  @inline(__always)
  mutating func next() -> Instance? {
    let instance = following
    following = instance?.next
    return instance
  }
}
