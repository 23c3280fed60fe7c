import Synchronization

/// Reading a cached instance without a lock.
///
/// The slot of the root is the right answer if no pod from the asked one up to the root changes anything that the instance depends on. The
/// masks of the instances tell that. A builder that records what it resolves, and an override scope, take the slow path.
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
    if found.isReference { return found.reference() }
    defer { endRead(found, of: declaration) }
    return found.value(as: Value.self).pointee.copy()
  }

  /// Reads the slot of a provider.
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
    guard let address = settledAddress else { return .nothing }
    // Safe: this pod retains its state, and a state those above it.
    return Unmanaged<PodState>.fromOpaque(address)._withUnsafeGuaranteedRef { state in
      guard state.conditions.load(ordering: .relaxed) & PodState.Condition.changesAnswers == 0 else { return .nothing }
      if let directory = state.directory {
        return SlotTable.slot(declaration.index, in: directory).map { read($0, of: declaration) } ?? .nothing
      }
      return state.unretainedParent == nil ? .nothing : readSharedSlot(of: declaration, state)
    }
  }

  @inline(__always)
  private func read(_ slot: UnsafeMutablePointer<Slot>, of declaration: Declaration) -> SlotRead {
    let left = slot.pointee.take()
    return SlotRead(address: Slot.address(in: left), left: declaration.isReference ? left : 0, slot: slot)
  }

  /// Reads the slot of the root for a child.
  @inline(never)
  private func readSharedSlot(of declaration: Declaration, _ child: PodState) -> SlotRead {
    var state = Unmanaged.passUnretained(child)
    var changes: UInt64 = 0
    var conditions: UInt32 = 0
    // Unretained: a state retains the one above, and many threads pass here.
    while let parent = state._withUnsafeGuaranteedRef({ state -> Unmanaged<PodState>? in
      changes |= state.changes.load(ordering: .relaxed)
      conditions |= state.conditions.load(ordering: .relaxed)
      return state.unretainedParent
    }) { state = parent }
    guard conditions & PodState.Condition.changesAnswers == 0 else { return .nothing }
    return state._withUnsafeGuaranteedRef { root in
      guard let directory = root.directory, let slot = SlotTable.slot(declaration.index, in: directory) else {
        return .nothing
      }
      if changes == 0 { return read(slot, of: declaration) }
      let epoch = root.maskEpoch
      guard epoch == ChangeBits.epoch.load(ordering: .acquiring), slot.pointee.peek > Slot.isTransient,
        SlotTable.mask(declaration.index, in: directory) & changes == 0
      else { return .nothing }
      let found = read(slot, of: declaration)
      if found.isNothing { return found }
      // Again: this mask is that of the instance that was taken, or of a later one with more bits.
      if SlotTable.mask(declaration.index, in: directory) & changes == 0, root.maskEpoch == epoch { return found }
      if !found.giveBack() { endRead(found, of: declaration) }
      return .nothing
    }
  }

  /// Ends a read of a reference that could not be given back, or of any other value.
  ///
  /// A method of the pod, so that an optimized caller retains the pod until then, and so the slot.
  @usableFromInline @inline(never)
  func endRead(_ found: SlotRead, of declaration: Declaration) {
    Delay.step()
    guard !found.isReference, let place = found.slot else {
      return StoredValue(word: found.address).releaseReference()
    }
    // Safe: the slot stays as long as the state of the root, which this pod retains.
    if place.assumingMemoryBound(to: Slot.self).pointee.unpin() { state.root.releaseLeftovers(of: declaration) }
  }

  /// The root that has recorded a transient, so that it may be built without a record; `nil` if a record may be needed.
  @inline(__always)
  func rootOfRecorded(_ declaration: Declaration) -> PodState? {
    guard declaration.isTransient, !(InBuildFlag.isRaised && InBuildFlag.concernsCaller), let state = settledState,
      state.conditions.load(ordering: .relaxed) & PodState.Condition.changesAnswers == 0,
      let directory = state.directory,
      let slot = SlotTable.slot(declaration.index, in: directory), slot.pointee.peek == Slot.isTransient
    else { return nil }
    return state
  }
}

extension PodState {
  /// The directory of the slots of a root, once it has any.
  @inline(__always)
  var directory: SlotTable.Directory? {
    SlotTable.Directory(bitPattern: directoryAddress.load(ordering: .acquiring))
  }
}
