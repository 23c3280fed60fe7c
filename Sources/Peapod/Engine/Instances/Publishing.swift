import Synchronization

/// Showing instances to readers that take no lock.
extension PodState {
  /// Publishes an instance of a root in the slot of its provider, if the root answers with this instance.
  @inline(__always)
  func publish(_ instance: Instance, _ held: borrowing Held) {
    if hasSlots, !instance.flags.contains(.isPublished) { show(instance, held) }
  }

  private func show(_ instance: Instance, _ held: borrowing Held) {
    held.check(lockOf: self)
    let declaration = instance.declaration
    guard instance.isVisible(as: ownOverride(of: declaration, held), held), instance.word != 0, !isEnded,
      instance.scopeKind == .singleton || instance.scopeKind == .custom,
      !instance.flags.contains(.isWeak), !instance.traits.contains(.isCrossPod), Slot.holds(instance.word),
      let slot = slots.slot(declaration.index), slot.pointee.peek == 0
    else { return }
    if maskEpoch != 0 {
      let mask = firstMask(of: instance) { other in
        guard other.home === self, other.isReadable else { return nil }
        return slots.share(other.index)?.pointee.mask.load(ordering: .relaxed)
      }
      slots.setMask(mask, declaration.index, isAdded: true)
      share(instance)
    }
    slot.pointee.publish(instance.word)
    instance.flags.insert(.isPublished)
    refreshDirectory()
  }

  /// Lets builders for child pods find the published instance, not only its value.
  private func share(_ instance: Instance) {
    guard let share = slots.share(instance.index), share.pointee.instance.peek == 0, Slot.holds(instance.address) else {
      return
    }
    share.pointee.instance.publish(instance.address)
  }

  private func refreshDirectory() {
    let address = UInt(bitPattern: slots.directory)
    if directoryAddress.load(ordering: .relaxed) != address { directoryAddress.store(address, ordering: .releasing) }
  }

  /// Removes an instance from its slot.
  ///
  /// The instance stays cached, and callers find it under the lock.
  func unpublish(_ instance: Instance, _ held: borrowing Held) {
    held.check(lockOf: self)
    guard instance.flags.contains(.isPublished), let slot = slots.slot(instance.declaration.index) else {
      return
    }
    instance.flags.remove(.isPublished)
    if let share = slots.share(instance.index) {
      // The next instance may hold other deferred dependencies. Relaxed: a reader of that instance acquires what its publication releases.
      share.pointee.answerTime.store(0, ordering: .relaxed)
      // The caller has a reference of its own.
      if share.pointee.instance.peek != 0 {
        StoredValue(word: instance.address).release(share.pointee.instance.takeStock())
      }
    }
    // The instance has a reference of its own, so no reference of the stock is the last one. The record of a transient has no stock.
    StoredValue(word: instance.word).release(slot.pointee.takeStock())
  }

  /// Refills the stock of a published reference.
  ///
  /// `isShared`: whether a builder for a child pod depends on the instance, and takes a reference to the instance itself too.
  func restock(_ instance: Instance, isShared: Bool, _ held: borrowing Held) {
    guard instance.flags.contains(.isPublished) else { return }
    func fill(_ slot: borrowing Slot, _ reference: UInt) {
      if slot.isExhausted { slot.restock(StoredValue(word: reference).retainMany()) }
    }
    if let slot = slots.slot(instance.index) { fill(slot.pointee, instance.word) }
    if isShared, let share = slots.share(instance.index) { fill(share.pointee.instance, instance.address) }
  }

  /// Tells readers that a transient is recorded, so that it may be built without a record.
  func publishTransient(_ record: Instance, _ held: borrowing Held) {
    guard hasSlots, record.definition == nil, record.declaration.isTransient,
      ownOverride(of: record.declaration, held) == nil, !isEnded,
      let slot = slots.slot(record.declaration.index), slot.pointee.peek == 0
    else { return }
    slot.pointee.publish(UInt(Slot.isTransient))
    record.flags.insert(.isPublished)
    refreshDirectory()
  }
}

// MARK: - Masks

extension PodState {
  /// The bits of an instance and of all to which it leads, also by the present answers to deferred dependencies; all bits if another pod
  /// may answer.
  ///
  /// `known`: returns the mask of an instance, if it is known. Called without locks if the instance holds a deferred dependency.
  private func mask(of instance: Instance, known: (Instance) -> UInt64?) -> UInt64 {
    var bits: UInt64 = 0
    var walk = Walk(from: instance)
    var asked: Set<HeldQuestion> = []
    while let current = walk.next() {
      if hasSlots, current.home !== self { return .max }
      bits |= current.ownBits
      for dependency in current.dependencies {
        switch dependency {
        case .instance(let other):
          if let mask = known(other) { bits |= mask } else { walk.add(other) }
        case .crossPod: return .max
        case .deferred(let question):
          guard question.pod == nil, !question.isOfInnerPod else { return .max }
          bits |= question.declaration.questionBits | question.scope.identity.changeNumber.bit
          guard asked.insert(HeldQuestion(question, in: self)).inserted else { continue }
          for answer in question.answers(for: self) { walk.add(answer) }
        }
      }
    }
    return bits
  }

  /// The stored mask of an instance that this pod caches.
  ///
  /// `time`: the time of the clock for which the mask of a holder of deferred dependencies counts; `nil` where no holder is meant.
  private func storedMask(of instance: Instance, at time: UInt? = nil, _ held: borrowing Held) -> UInt64? {
    let epoch = ChangeBits.epoch.load(ordering: .acquiring)
    guard hasSlots else {
      // A record from an inner pod may have the serial of another instance.
      guard instance.state == .cached, let known = knownRare(held)?.masks[instance.index],
        known.serial == instance.serial, known.epoch == epoch
      else { return nil }
      return known.mask
    }
    guard instance.isReadable, maskEpoch == epoch, let share = slots.share(instance.index),
      !instance.traits.contains(.isDeferred) || share.pointee.answerTime.load(ordering: .relaxed) == time
    else { return nil }
    return share.pointee.mask.load(ordering: .relaxed)
  }

  /// Stores and returns the mask of an instance that this child caches, for its descendants.
  private func storeMask(of instance: Instance) -> UInt64 {
    // Before the bits are read: a new bit that the mask lacks ends this epoch.
    let epoch = ChangeBits.epoch.load(ordering: .acquiring)
    let mask = mask(of: instance) { other in
      other.home.withLock { held in other.home.storedMask(of: other, held) }
    }
    withLock { held in
      if instance.state == .cached { madeRare(held).masks[instance.index] = (instance.serial, epoch, mask) }
    }
    return mask
  }

  /// Whether the mask of an instance tells that a pod with the given changes shares the instance.
  func isShared(_ instance: Instance, despite changes: Changes, _ held: borrowing Held) -> Bool {
    guard hasSlots else { return storedMask(of: instance, held).map { $0 & changes.bits == 0 } ?? false }
    guard let directory = slots.directory, instance.isReadable else { return false }
    return changes.isEmpty
      || maskEpoch == ChangeBits.epoch.load(ordering: .acquiring)
        && isUnchanged(instance.index, in: directory, by: changes)
  }

  /// Whether the mask of a published instance tells that the changes of a pod concern nothing of it; needs no lock.
  @inline(never)
  func isUnchanged(_ index: UInt32, in directory: SlotTable.Directory, by changes: Changes) -> Bool {
    guard let share = SlotTable.share(index, in: directory) else { return changes.isEmpty }
    // Acquiring: the clock is read later than the clock with which the mask was stored.
    let time = share.pointee.answerTime.load(ordering: .acquiring)
    // Acquiring: a reader that sees a mask of `refreshMasks` sees that the epoch was withdrawn.
    let mask = share.pointee.mask.load(ordering: .acquiring)
    guard mask & changes.bits == 0 else { return false }
    if mask & ChangeBits.deferred == 0 { return true }
    return time == answerClock && time == share.pointee.answerTime.load(ordering: .relaxed)
      && changes.areComplete
  }

  /// Increases when answers to deferred dependencies may have other bits: with new bits, overrides, and instances that answer.
  ///
  /// The sum of three numbers that never decrease. A removed answer does not advance the clock: the stored mask has too many bits then, which
  /// is safe.
  private var answerClock: UInt {
    ChangeBits.epoch.load(ordering: .acquiring) &+ revision.load(ordering: .acquiring)
      &+ answerChanges.load(ordering: .acquiring)
  }

  /// Whether the changes of a pod concern nothing to which an instance leads, also by the present answers to deferred dependencies.
  ///
  /// Returns `false` where no mask can tell. Stores the mask for the next readers. Called without the locks of pods.
  func isUnchanged(_ instance: Instance, for view: PodState) -> Bool {
    guard hasSlots else {
      // The mask knows neither answers to deferred dependencies nor other pods, whose answers the pod itself compares too.
      let isKnown = instance.traits.isDisjoint(with: Instance.Traits.reachesOtherPods.union(.isDeferred))
      return isKnown
        && (withLock { held in storedMask(of: instance, held) } ?? storeMask(of: instance))
          & view.changes(below: self).bits == 0
    }
    guard instance.traits.contains(.isDeferred) else { return false }
    view.noteAnswers(below: self)
    refreshMasks()
    let changes = view.changes(below: self).bits
    let now = answerClock
    func known(_ instance: Instance) -> UInt64? {
      instance.home === self ? withLock { held in storedMask(of: instance, at: now, held) } : nil
    }
    if let mask = known(instance) { return mask & changes == 0 }
    let mask = mask(of: instance, known: known)
    withLock { held in
      // With the lock held, no instance is added.
      guard instance.isReadable, now == answerClock, let share = slots.share(instance.index) else { return }
      // In this order: a reader that sees the new mask sees that the former time was withdrawn.
      share.pointee.answerTime.store(0, ordering: .relaxed)
      slots.setMask(mask, instance.index, isAdded: true)
      share.pointee.answerTime.store(now, ordering: .releasing)
    }
    return mask & changes == 0
  }

  /// Computes the masks of all published instances again, or withdraws those of holders of deferred dependencies, if a provider or a scope has
  /// received a bit since the last time.
  func refreshMasks() {
    guard hasSlots, maskEpoch != ChangeBits.epoch.load(ordering: .acquiring) else { return }
    withLock { held in
      // Read with the lock held, so that the epoch of the masks never decreases: readers compare epochs.
      let epoch = ChangeBits.epoch.load(ordering: .acquiring)
      guard maskEpoch != epoch else { return }
      // Dependencies come first, so that their masks are known.
      let published = instances(held, where: \.isReadable).sorted { $0.serial < $1.serial }
      var masks: [ObjectIdentifier: UInt64] = [:]
      for instance in published {
        masks[ObjectIdentifier(instance)] = firstMask(of: instance) { masks[ObjectIdentifier($0)] }
      }
      // The masks may lose bits of instances that are gone, which a reader may just have taken.
      maskEpoch = 0
      for instance in published {
        slots.setMask(masks[ObjectIdentifier(instance)] ?? .max, instance.declaration.index, isAdded: false)
        share(instance)
      }
      refreshDirectory()
      maskEpoch = epoch
    }
  }

  /// The mask with which an instance is published.
  ///
  /// The first reader computes the mask of a holder of deferred dependencies, without a lock, since answers are looked up.
  private func firstMask(of instance: Instance, known: (Instance) -> UInt64?) -> UInt64 {
    instance.traits.contains(.isDeferred) ? ChangeBits.deferred : mask(of: instance, known: known)
  }
}

extension Instance {
  /// The bits of the provider, its scope and its deferred dependencies.
  fileprivate var ownBits: UInt64 {
    declaration.changeNumber.bit | scope.identity.changeNumber.bit
      | (traits.contains(.isDeferred) ? ChangeBits.deferred : 0)
  }

  /// Whether the stored mask tells that a pod shares this instance.
  func isShared(by view: PodState) -> Bool {
    let changes = view.changes(below: home)
    return home.withLock { held in home.isShared(self, despite: changes, held) }
  }

  /// Whether readers find the value in a slot, where no record of a transient is.
  fileprivate var isReadable: Bool { flags.contains(.isPublished) && word != 0 }
}
