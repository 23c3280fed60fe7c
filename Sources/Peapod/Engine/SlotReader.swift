import Synchronization

/// Reading a cached instance without a lock.
///
/// That is possible only where the slot of the root is what the pod would answer: no pod between changes anything, which
/// is what `Pod.directory` stands for; no builder on this thread or task records what it asks for; and no block stands in
/// for the pod.
extension Pod {
  /// Where the slots are, or `nil` where the request has to go the long way.
  @inline(__always)
  var readableDirectory: SlotTable.Directory? {
    if Attention.isNeeded, Attention.isDue { return nil }
    return directory
  }

  /// Reads a cached instance, or else takes the long way.
  ///
  /// It becomes part of the caller, which knows the type of the value: without that, to copy it would cost more than to find it.
  @inlinable @inline(__always)
  func read<Value, Failure: Error>(
    _ declaration: Declaration, else resolve: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let glimpse = look(at: declaration)
    if glimpse.isNothing { return try resolve() }
    if glimpse.isReference { return glimpse.reference() }
    defer { endLook(glimpse, at: declaration) }
    return glimpse.value(as: Value.self).pointee.copy()
  }

  /// Finds what readers may have of a provider.
  @usableFromInline @inline(never)
  func look(at declaration: Declaration) -> Glimpse {
    Attention.isNeeded ? lookWithAttention(at: declaration) : lookAnyway(at: declaration)
  }

  // Kept apart, so that mostly no room on the stack is needed.
  @inline(never)
  private func lookWithAttention(at declaration: Declaration) -> Glimpse {
    Attention.isDue ? .nothing : lookAnyway(at: declaration)
  }

  @inline(__always)
  private func lookAnyway(at declaration: Declaration) -> Glimpse {
    guard let directory else { return declaration.isReference ? lookWithLock(at: declaration) : .nothing }
    guard let slot = SlotTable.slot(declaration.index, in: directory) else { return .nothing }
    let left = slot.pointee.take()
    return Glimpse(address: Slot.address(in: left), left: declaration.isReference ? left : 0, slot: slot)
  }

  /// Finds the reference that a pod keeps, or shares with those above, which is not answered as its root would.
  ///
  /// A short way for what is asked most of such pods: what it does not find may still be there. Nobody records what is asked, and no
  /// block stands in for the pod, as for any look.
  @inline(never)
  private func lookWithLock(at declaration: Declaration) -> Glimpse {
    guard let layer else { return .nothing }
    var word: UInt = 0
    let isThere = Engine.lockedBriefly {
      guard layer.isInPlace else { return false }
      let view = layer.effective
      refreshDirectory(from: view)
      var isNew = false
      return view.copyKept(declaration, to: &word, isNew: &isNew) != nil
    }
    return isThere ? Glimpse(address: word, left: 1, slot: nil) : .nothing
  }

  /// Ends a look, for a reference that could not be given back, or for any other value.
  ///
  /// A method of the pod, so that an optimised caller keeps the pod until then, and with it the slot.
  @usableFromInline @inline(never)
  func endLook(_ glimpse: Glimpse, at declaration: Declaration) {
    Delay.step()
    guard !glimpse.isReference, let place = glimpse.slot else {
      return StoredValue(word: glimpse.address).releaseReference()
    }
    // Safe: `look(at:)` gave the slot, which stays as long as the root layer, and that as long as this pod.
    if place.assumingMemoryBound(to: Slot.self).pointee.unpin() { layer?.root.releaseLeftovers(of: declaration) }
  }

  /// Whether a transient may be built without being recorded; where its root's slots are, then.
  @inline(__always)
  func directoryOfRecorded(_ declaration: Declaration) -> SlotTable.Directory? {
    guard declaration.isTransient, let directory = readableDirectory,
      let slot = SlotTable.slot(declaration.index, in: directory), slot.pointee.peek == Slot.isTransient
    else { return nil }
    return directory
  }
}

/// Whether requests have to look at their thread and task: only while something there may concern them.
enum Attention {
  /// How many recorded builds are under way outermost on their thread or with a task of their own, and how many blocks
  /// stand in for a pod.
  private static let count = Atomic<Int>(0)

  @inline(__always)
  static var isNeeded: Bool { count.load(ordering: .relaxed) != 0 }

  static func begin() { count.wrappingAdd(1, ordering: .relaxed) }
  static func end() { count.wrappingSubtract(1, ordering: .relaxed) }

  /// Whether this very thread or task is part of a build that records, or of a block.
  @inline(never)
  static var isDue: Bool {
    if let frame = ThreadContext.frame, frame.pointee.build != nil { return true }
    return TaskContext.isActive && TaskContext.isSpecial
  }
}

extension TaskContext {
  /// Whether this task is part of an asynchronous build, or of a block with a pod that stands in for another.
  static var isSpecial: Bool { substitutes != nil || runningBuild != nil }
}

// MARK: - With the engine's lock held

extension Layer {
  /// Shows an instance of a root layer to readers without a lock.
  ///
  /// It must be what the root answers.
  @inline(__always)
  func publish(_ entry: Entry, of declaration: Declaration) {
    // Only roots have slots.
    if state.pointee.records != nil { show(entry, of: declaration) }
  }

  @inline(never)
  private func show(_ entry: Entry, of declaration: Declaration) {
    guard entry.layer == self, entry.state == .kept, let value = entry.value,
      !entry.isPublished, Slot.holds(value.word), entry.isListed, !declaration.isGhost,
      entry.scopeKind == .singleton || entry.scopeKind == .custom,
      entry.isMade(by: override(of: declaration, after: nil)),
      let slot = slot(declaration.index), slot.pointee.peek == 0
    else { return }
    entry.show(value, of: declaration, at: slot)
  }

  /// Takes an instance from readers.
  ///
  /// It stays kept; whoever asks finds it under the lock.
  func unpublish(_ entry: Entry) {
    guard entry.isPublished, let slot = slot(entry.declaration.index) else { return }
    entry.isPublished = false
    guard let value = entry.value else {
      _ = slot.pointee.clear()
      // It stands for all records of a transient.
      var record = records(of: entry.declaration)
      while let other = record {
        other.isPublished = false
        record = other.next
      }
      return
    }
    if entry.declaration.isReference {
      // The entry's own reference is left, so none of these is the last.
      for _ in 0..<slot.pointee.takeStock() { value.releaseReference() }
    } else if !slot.pointee.clear() {
      entry.hasReaders = true
    }
  }

  /// Gives readers of a reference more to take, twice as much each time.
  func restock(_ entry: Entry) {
    guard entry.isPublished, entry.declaration.isReference, let value = entry.value,
      let slot = slot(entry.declaration.index), slot.pointee.isExhausted
    else { return }
    entry.raiseStock()
    for _ in 0..<entry.stock / 16 { value.retainReference16() }
    slot.pointee.restock(UInt64(entry.stock))
  }

  /// Shows that a transient is recorded, so that it may be built without that from now on.
  @inline(__always)
  func publishTransient(_ record: Entry) {
    if state.pointee.records != nil { showTransient(record) }
  }

  @inline(never)
  private func showTransient(_ record: Entry) {
    guard record.layer == self, record.isMade(by: nil), record.isListed,
      !record.isPublished, record.declaration.isTransient, !isObserved,
      override(of: record.declaration, after: nil) == nil,
      let slot = slot(record.declaration.index)
    else { return }
    slot.pointee.publish(Slot.isTransient)
    record.isPublished = true
  }

  /// Whether no reader is in the slot of a provider.
  func isUnread(_ declaration: Declaration) -> Bool {
    table?.slot(declaration.index)?.pointee.isUnread() ?? true
  }

  /// Leaves a value to the last reader of its slot.
  func leave(_ leftover: Leftover, of declaration: Declaration) {
    leftovers[declaration.index, default: []].append(leftover)
  }
}

extension Entry {
  /// Shows the instance to readers, in its provider's slot, where nothing is shown.
  @inline(__always)
  func show(_ value: StoredValue, of declaration: Declaration, at slot: UnsafeMutablePointer<Slot>) {
    if declaration.isReference {
      slot.pointee.publish(reference: value.word)
    } else {
      slot.pointee.publish(UInt64(value.word))
    }
    isPublished = true
  }
}

extension Layer {
  /// Releases what was left to the readers of a slot, as its last one.
  ///
  /// Called without the lock.
  func releaseLeftovers(of declaration: Declaration) {
    let index = declaration.index
    Engine.locked { aftermath in
      guard let slot = table?.slot(index), slot.pointee.takeLeftovers() else { return }
      for leftover in leftovers.removeValue(forKey: index) ?? [] { aftermath.release(leftover) }
    }
  }
}

extension StoredValue {
  private var reference: Unmanaged<AnyObject> {
    // Safe: only called for values that are kept as their own bits.
    Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: word).unsafelyUnwrapped)
  }

  func retainReference() { _ = reference.retain() }

  func releaseReference() { reference.release() }

  /// Copies a reference, without its type.
  ///
  /// `memory`: of one word, for a reference.
  func copyReference(to memory: UnsafeMutableRawPointer) {
    retainReference()
    memory.storeBytes(of: word, as: UInt.self)
  }

  /// Retains sixteen times.
  ///
  /// Written out, because the compiler makes one call of it.
  func retainReference16() {
    let reference = reference
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
  }
}
