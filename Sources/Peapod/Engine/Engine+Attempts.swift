/// The short ways of what roots are asked most: for what is kept there, by builders, and for what is built there for the first time.
///
/// Where nothing else is to be looked at, a request takes a few steps, and leaves nothing to do once the lock is let go. What is
/// done here is what `plan` and `finish` would do, which look at all that there may be; where there is more, they have to.
extension Engine {
  /// Whether a request to a pod may be answered here; needs no lock.
  @inline(__always)
  static func mayBeSimple(_ declaration: Declaration, in pod: Pod) -> Bool {
    declaration.isPlain && pod.layer?.state.pointee.records != nil && !TaskContext.isActive
  }

  /// Whether a build may be ended here; needs no lock.
  @inline(__always)
  static func mayBeSimple(_ declaration: Declaration, _ build: Build) -> Bool {
    declaration.isPlain && build.view.state.pointee.records != nil
  }

  /// What became of a request: it goes the long way, has its answer, or begins a build.
  struct Attempt {
    var isDone = false
    var build: Build?
  }

  /// Answers a request to a root, or begins the first build of the provider there.
  ///
  /// `frame`: that of the running thread. `memory`: where the instance is copied. Called with the lock held.
  @inline(__always)
  static func attempt(
    _ declaration: Declaration, in pod: Pod, below frame: UnsafeMutablePointer<Frame>?,
    into memory: UnsafeMutableRawPointer
  ) -> Attempt {
    guard let view = pod.layer, let table = view.state.pointee.records, !view.isOrphaned, pod.build == nil,
      let place = table._withUnsafeGuaranteedRef({ $0.place(of: declaration.index) })
    else { return Attempt() }
    var (asking, handle): (Build?, Unmanaged<Pod>?)
    if let frame {
      // What a decorator asks for, and what is asked of another pod than the builder's own, is not so simple.
      guard frame.pointee.view == view, !frame.isOf(declaration) else { return Attempt() }
      (asking, handle) = (frame.pointee.build, .passUnretained(frame.pointee.pod))
    }
    if let kept = place.record.pointee {
      guard kept.isPublished, let value = kept.value, foreignWaiters == 0 else { return Attempt() }
      pod.refreshDirectory(from: view)
      if place.slot.pointee.isExhausted { view.restock(kept) }
      declaration.copy(value, to: memory)
      if let asking { asking.entry.depend(on: kept, isDeferred: false, isForeign: false) }
      return Attempt(isDone: true)
    }
    guard detachedBuilds == 0 else { return Attempt() }
    var override: Override.Pointer?
    if view.changes & declaration.bit != 0 {
      override = view.override(of: declaration, after: nil)
      if let override {
        guard override.ownKind == nil else { return Attempt() }
        if override.isGiven { return attempt(declaration, given: override, in: view, place, asking, into: memory) }
        override.noteUse()
      }
    }
    let entry = enterFirst(declaration, override, .building, in: view, place)
    let build = Build.make(
      declaration, override, entry: entry, view: view, asking: asking, outer: nil,
      pod: handle ?? view.builderPod(isOwn: false))
    build.keepsPod = handle == nil
    asking?.pending.append(Build.Pending(build, isForeign: false))
    return Attempt(isDone: true, build: build)
  }

  /// Answers a request to a root with the value that an override of the provider gives: there is nothing to run.
  ///
  /// `place`: where nothing is noted yet.
  @inline(__always)
  private static func attempt(
    _ declaration: Declaration, given override: Override.Pointer, in view: Layer, _ place: SlotTable.Place,
    _ asking: Build?, into memory: UnsafeMutableRawPointer
  ) -> Attempt {
    guard !declaration.isMainActor, place.slot.pointee.peek == 0, foreignWaiters == 0 else { return Attempt() }
    override.noteUse()
    let value = override.with { $0.lend(declaration) }
    let entry = enterFirst(declaration, override, .kept, in: view, place)
    entry.keepFirst(value, inclusive: 0, exclusive: 0, onMain: false, nextSerial())
    declaration.copy(value, to: memory)
    asking?.entry.dependFirst(on: entry)
    if Slot.holds(value.word) { entry.show(value, of: declaration, at: place.slot) }
    return Attempt(isDone: true)
  }

  /// Notes a record, the only one of its provider.
  ///
  /// `override`: one of this very provider, with its scope.
  @inline(__always)
  private static func enterFirst(
    _ declaration: Declaration, _ override: Override.Pointer?, _ state: Entry.State, in view: Layer,
    _ place: SlotTable.Place
  ) -> Entry {
    let entry = Entry.makeFirst(declaration, override, state, in: view)
    place.record.pointee = entry
    declaration.register(in: view)
    return entry
  }

  /// Ends a build for a root that concerns nobody but who asked for it, and keeps its instance; returns whether it is such a one.
  ///
  /// `memory`: where the instance is copied. Called with the lock held.
  @inline(__always)
  static func attemptToFinish(
    _ build: Build, of declaration: Declaration, _ value: StoredValue, into memory: UnsafeMutableRawPointer
  ) -> Bool {
    let view = build.view
    let entry = build.entry
    guard let table = view.state.pointee.records, build.isUnnoticed, entry.isUnnoticed, entry.layer == view,
      entry.next == nil, !view.isObserved, !view.isOrphaned, foreignWaiters == 0,
      view.changes == 0 || build.isByOverride(of: view) || entry.isMade(by: view.override(of: declaration, after: nil)),
      let place = table._withUnsafeGuaranteedRef({ $0.place(of: declaration.index) }),
      place.record.pointee == entry, place.slot.pointee.peek == 0, Slot.holds(value.word)
    else { return false }
    #if DEBUG
      guard LocalDeclarations.noteQuietly(declaration) else { return false }
    #endif
    let inclusive = build.time()
    let exclusive = inclusive - build.nested
    if let asking = build.parent {
      asking.stopPending(build)
      asking.nested += inclusive
      asking.entry.dependFirst(on: entry)
    }
    entry.keepFirst(value, inclusive: inclusive, exclusive: exclusive, onMain: build.ranOnMain, nextSerial())
    declaration.copy(value, to: memory)
    entry.show(value, of: declaration, at: place.slot)
    build.endUnnoticed()
    return true
  }
}

extension Build {
  /// Whether an override makes the instance that a root still has, and before which it has none: those that the override of a block
  /// stands before are copies.
  @inline(__always)
  fileprivate func isByOverride(of root: Layer) -> Bool {
    override?.with { $0.owner == root && $0.origin == nil } ?? false
  }
}

extension Entry {
  /// The record of what a root begins to build or is given, which its table notes.
  @inline(__always)
  static func makeFirst(
    _ declaration: Declaration, _ override: Override.Pointer?, _ state: State, in layer: Layer
  ) -> Entry {
    let maker: Unmanaged<Definition>
    var flags: Flags = .isListed
    if let override {
      maker = .fromOpaque(override.unmanaged.retain().toOpaque())
      flags = [.isListed, .isOverridden]
    } else {
      maker = .passUnretained(declaration)
    }
    let fields =
      UInt32(state.rawValue) << Field.state.rawValue | 1 << Field.stock.rawValue
      | UInt32(declaration.scopeKind.rawValue) << Field.scopeKind.rawValue
    let entry = Entry(storage: EntryPool.take())
    entry.storage.initialize(
      to: Storage(
        maker: maker, layer: layer, mask: declaration.bit | declaration.scopeBit,
        flags: Flags(rawValue: flags.rawValue | fields)))
    return entry
  }

  /// Whether it is in its table, being built, of a scope whose instances pods keep, and whether nothing else is to be known of it.
  @inline(__always)
  fileprivate var isUnnoticed: Bool {
    storage.pointee.flags.subtracting([.isOverridden, .ranOnMain]).rawValue & Field.flagBits
      == Flags([.isListed, .isBuilding]).rawValue && (scopeKind == .singleton || scopeKind == .custom)
      && storage.pointee.dependents.isEmpty
  }

  /// Records that this, which is being built, was built from another entry that nothing was built from before.
  @inline(__always)
  fileprivate func dependFirst(on other: Entry) {
    guard serial == 0, dependents.isEmpty else {
      depend(on: other, isDeferred: false, isForeign: false)
      return
    }
    storage.pointee.mask |= other.mask
    dependencies.append(
      Dependency(entry: other, position: 0, isDeferred: false, hasHandle: false, isForeign: false))
    other.dependents.append(Dependent(entry: self, position: dependencies.count - 1))
    if other.scopeKind != .singleton { noteScope(of: other, isDeferred: false) }
  }

  /// Keeps the value of a build that is over, where it has no details.
  @inline(__always)
  func keepFirst(
    _ value: StoredValue, inclusive: Int64, exclusive: Int64, onMain isOnMain: Bool, _ serial: UInt64
  ) {
    noteFirst(inclusive: inclusive, exclusive: exclusive, onMain: isOnMain, serial)
    storage.pointee.content = value.word
    state = .kept
  }

  /// Notes that a build is over, where it has no details, and that the entry has no value yet.
  @inline(__always)
  func noteFirst(inclusive: Int64, exclusive: Int64, onMain isOnMain: Bool, _ serial: UInt64) {
    storage.pointee.content = 0
    storage.pointee.serial = serial
    storage.pointee.buildCount &+= 1
    storage.pointee.rest = Times(inclusive: Float(inclusive), exclusive: Float(exclusive)).bits
    set(.isBuilding, false)
    ranOnMain = isOnMain
  }
}
