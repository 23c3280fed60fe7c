import Synchronization

/// Reading a cached instance without a request, and mostly without a lock.
///
/// The root's slot answers a request if no pod from the resolving pod to the root changes anything that the instance depends on. The mask
/// of the instance shows this. An instance that a child itself caches is read with the lock of the child. A builder that records its
/// dependencies, and an override scope, take the slow path.
extension Pod {
  /// Reads a cached instance, or else resolves.
  ///
  /// Inlined into the caller, which knows the type of the value: otherwise the copy would cost more than the read.
  @inlinable @inline(__always)
  func read<Value, Failure: Error>(
    _ declaration: Declaration, else resolve: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let found = readSlot(of: declaration)
    if found.isNothing { return try resolve() }
    if !found.isBox { return found.value.take(isReference: true) }
    defer { if !found.giveBack() { endRead(found, of: declaration) } }
    return found.value.load(as: Value.self, isReference: false)
  }

  @usableFromInline @inline(never)
  func readSlot(of declaration: Declaration) -> SlotRead {
    InBuildFlag.isRaised ? readSlotWithCare(of: declaration) : readOwnSlot(of: declaration)
  }

  // A function of its own, since it needs room on the stack.
  @inline(never)
  private func readSlotWithCare(of declaration: Declaration) -> SlotRead {
    InBuildFlag.concernsCaller ? .nothing : readOwnSlot(of: declaration)
  }

  @inline(__always)
  private func readOwnSlot(of declaration: Declaration) -> SlotRead {
    // A state retains its ancestors.
    unretainedState?._withUnsafeGuaranteedRef { state in
      if state.has(PodState.Condition.changesAnswers) { return .nothing }
      if let directory = state.directory {
        return SlotTable.slot(declaration.index, in: directory).map { SlotRead($0, of: declaration) } ?? .nothing
      }
      let found = state.unretainedParent == nil ? .nothing : state.readSharedSlot(of: declaration)
      return found.isNothing ? state.readOwnInstance(of: declaration) : found
    } ?? .nothing
  }

  /// Ends a read whose reference could not be given back.
  ///
  /// A method of the pod, so that an optimized caller retains the pod, and so the slot, until the read ends.
  @usableFromInline @inline(never)
  func endRead(_ found: SlotRead, of declaration: Declaration) { declaration.release(found.value) }

  /// The pod for the builder of a transient whose dependencies the root has recorded; `nil` if a record may be needed.
  @inline(__always)
  func builderPod(ofRecorded declaration: Declaration) -> Unmanaged<Pod>? {
    guard declaration.isTransient, !(InBuildFlag.isRaised && InBuildFlag.concernsCaller) else { return nil }
    // Safe: the caller retains this pod, so the handle is not released if this pod is the owner.
    return unretainedState?._withUnsafeGuaranteedRef { state in
      // Builds of transients are events for observers.
      guard !state.has(PodState.Condition.changesAnswers | PodState.Condition.isObserved),
        let directory = state.directory,
        let slot = SlotTable.slot(declaration.index, in: directory), slot.pointee.peek == Slot.isTransient
      else { return nil }
      return isOwner ? state.unretainedHandle : .passUnretained(self)
    }
  }
}

extension PodState {
  /// The directory of the slots of a root, once the root has slots.
  @inline(__always)
  var directory: SlotTable.Directory? {
    SlotTable.Directory(bitPattern: directoryAddress.load(ordering: .acquiring))
  }
  /// Reads the slot of the root for this pod.
  @inline(never)
  func readSharedSlot(of declaration: Declaration) -> SlotRead {
    var state = Unmanaged.passUnretained(self)
    var changes = Changes()
    var conditions: UInt32 = 0
    // Unretained, since a state retains its parent, and many threads run this loop.
    while let parent = state._withUnsafeGuaranteedRef({ state -> Unmanaged<PodState>? in
      changes.add(state)
      conditions |= state.conditions.load(ordering: .relaxed)
      return state.unretainedParent
    }) { state = parent }
    guard conditions & PodState.Condition.changesAnswers == 0 else { return .nothing }
    return state._withUnsafeGuaranteedRef { root in
      guard let directory = root.directory, let slot = SlotTable.slot(declaration.index, in: directory) else {
        return .nothing
      }
      if changes.isEmpty { return SlotRead(slot, of: declaration) }
      let epoch = root.maskEpoch
      guard epoch == ChangeBits.epoch.load(ordering: .acquiring), slot.pointee.peek > Slot.isTransient,
        root.isUnchanged(declaration.index, in: directory, by: changes)
      else { return .nothing }
      let found = SlotRead(slot, of: declaration)
      if found.isNothing { return found }
      // Compared again: this mask is the mask of the taken instance, or has more bits. A mask with answers is that of the instance that is
      // in the slot now, so that has to be the taken one. Its address is read last: the load of the epoch before it is acquiring.
      if root.isUnchanged(declaration.index, in: directory, by: changes), root.maskEpoch == epoch,
        slot.pointee.peek == UInt64(found.address)
      {
        return found
      }
      if !found.giveBack() { declaration.release(found.value) }
      return .nothing
    }
  }

  /// Takes the value of an instance that this pod itself caches, if this is a child or the pod of a `Lazy`.
  ///
  /// Takes the lock of this pod: another thread that ends the instance takes the same lock before it releases the value. As in a search
  /// that finds a visible instance, no revision is compared.
  @inline(never)
  func readOwnInstance(of declaration: Declaration) -> SlotRead {
    guard isCompact || changes.load(ordering: .relaxed) != 0 else { return .nothing }
    let definition = definition(of: declaration)
    let value = withLock { held -> StoredValue? in
      for found in instances(of: declaration, held) where found.isVisible(as: definition, held) {
        guard !found.flags.contains(.isWeak), isCompact || !found.traits.contains(.isCrossPod) else {
          break
        }
        return StoredValue(word: found.word).retained()
      }
      return nil
    }
    return value.map { SlotRead(address: $0.word, left: 0, slot: nil, isBox: !declaration.isReference) } ?? .nothing
  }

  /// Takes the root's instance of a definition with its value, if this pod certainly shares the instance; otherwise `nil`.
  ///
  /// Needs no lock.
  func readSharedInstance(
    of declaration: Declaration, _ definition: Override?
  ) -> (instance: Instance, value: StoredValue)? {
    let found = readSharedSlot(of: declaration)
    if found.isNothing { return nil }
    // The instance may be newer than the taken value. An instance never gets a second value and the value is alive, so equal addresses
    // prove a match. An override that is being added or removed may not have changed the slot yet.
    guard let instance = takeSharedInstance(of: declaration), instance.word == found.address,
      instance.definition === definition
    else {
      if !found.giveBack() { declaration.release(found.value) }
      return nil
    }
    return (instance, found.value)
  }

  /// Takes a reference to the instance that the root has published.
  private func takeSharedInstance(of declaration: Declaration) -> Instance? {
    var taken: UInt = 0
    climb { state in
      guard let directory = state.directory else { return false }
      if let share = SlotTable.share(declaration.index, in: directory) {
        taken = Slot.address(in: share.pointee.instance.take())
      }
      return true
    }
    // Safe: the slot had retained this reference to an instance.
    return UnsafeRawPointer(bitPattern: taken).map { Unmanaged.fromOpaque($0).takeRetainedValue() }
  }
}

extension SlotRead {
  @inline(__always)
  init(_ slot: UnsafeMutablePointer<Slot>, of declaration: Declaration) {
    let left = slot.pointee.take()
    self.init(address: Slot.address(in: left), left: left, slot: slot, isBox: !declaration.isReference)
  }
}
