extension Layer {
  var details: Details {
    if let known = state.pointee.details { return known }
    let made = Details()
    state.pointee.details = made
    return made
  }

  /// Whether this has any of what few layers have.
  var hasDetails: Bool { state.pointee.details != nil }

  // Safe: the state is a part of the object, and its address is noted when it is made.
  /// What keeps this layer.
  var object: Object { state.pointee.object.unsafelyUnwrapped.takeUnretainedValue() }
  /// Keeps this layer once more.
  func retain() { _ = state.pointee.object.unsafelyUnwrapped.retain() }
  /// What keeps this layer, with the count of an earlier `retain()`.
  var retained: Unmanaged<Object> { state.pointee.object.unsafelyUnwrapped }
  /// Takes back a `retain()`.
  func release() { state.pointee.object.unsafelyUnwrapped.release() }
  /// What stands for this layer in an atomic word.
  var address: UInt { UInt(bitPattern: state) }

  var name: String { state.pointee.name }
  var depth: Int { state.pointee.depth }
  var owned: ScopeSet { _read { yield state.pointee.owned } }

  /// The slot of a provider, where this is a root layer and the slot was ever used.
  func slot(_ index: UInt32) -> UnsafeMutablePointer<Slot>? {
    state.pointee.records?._withUnsafeGuaranteedRef { $0.slot(index) }
  }

  /// The records of a root layer; small ones have none, and are read with the lock.
  var table: SlotTable? { _read { yield state.pointee.table } }

  /// Whether this holds the value of one `Lazy`, which is kept whatever becomes of what it was built from.
  var isCompact: Bool { state.pointee.isCompact }

  /// Keeps the pod above alive, as long as this layer has a pod.
  var parentPod: Pod? {
    get { state.pointee.parentPod }
    nonmutating set { state.pointee.parentPod = newValue }
  }

  /// The layer above.
  ///
  /// Replaced only where the pod above had gone and started afresh.
  var parent: Layer? {
    get { state.pointee.parent }
    nonmutating set {
      state.pointee.parent = newValue
      state.pointee.parentObject = newValue?.object
    }
  }

  /// The overrides, which this keeps.
  var overrides: SmallMap<ObjectIdentifier, Override.Pointer> {
    _read { yield state.pointee.overrides }
    nonmutating _modify { yield &state.pointee.overrides }
  }

  /// Bits of all that this layer changes for those who look from it: what it overrides and owns.
  var changes: UInt64 {
    get { state.pointee.changes }
    nonmutating set { state.pointee.changes = newValue }
  }

  /// The records of a layer without a table.
  var ownRecords: SmallMap<UInt32, Entry> {
    _read { yield state.pointee.ownRecords }
    nonmutating _modify { yield &state.pointee.ownRecords }
  }

  /// Instances whose provider can no longer be named: those that still linger, and those that others were built from.
  var ghosts: Set<Entry> {
    get { state.pointee.details?.ghosts ?? [] }
    nonmutating _modify { yield &details.ghosts }
  }

  /// The ghosts that linger, latest gone last, from `nextToLeave` on and around.
  var lingering: [Entry] {
    get { state.pointee.details?.lingering ?? [] }
    nonmutating _modify { yield &details.lingering }
  }

  var nextToLeave: Int {
    get { state.pointee.details?.nextToLeave ?? 0 }
    nonmutating set { details.nextToLeave = newValue }
  }

  /// Serials of instances of layers above that this one is known to see.
  var verified: SerialSet {
    _read { yield state.pointee.verified }
    nonmutating _modify { yield &state.pointee.verified }
  }

  /// Values taken out of a slot under its readers, by the index of the slot.
  var leftovers: [UInt32: [Leftover]] {
    get { state.pointee.details?.leftovers ?? [:] }
    nonmutating _modify { yield &details.leftovers }
  }

  var events: EventQueue? {
    get { state.pointee.events }
    nonmutating set { state.pointee.events = newValue }
  }

  var hasEvents: Bool { state.pointee.events != nil }

  /// The pod that builders get whose build runs for this root layer.
  var handle: Pod? {
    get { state.pointee.handle }
    nonmutating set { state.pointee.handle = newValue }
  }

  /// The pod has gone.
  ///
  /// Whoever still holds a handle goes on with the successor.
  var isOrphaned: Bool {
    get { state.pointee.isOrphaned }
    nonmutating set { state.pointee.isOrphaned = newValue }
  }

  /// Whether a builder ever ran for this layer, or another one's asked its pod for something.
  var isInvolved: Bool {
    get { state.pointee.isInvolved }
    nonmutating set { state.pointee.isInvolved = newValue }
  }

  var successor: Pod? {
    get { state.pointee.details?.successor }
    nonmutating set { details.successor = newValue }
  }

  /// Notes the pod that owns this layer, or that it goes.
  func setPod(_ pod: Pod?) { state.pointee.pod = pod.map { .passUnretained($0) } }

  /// Has the pod that owns this layer look under the lock from now on.
  func forgetDirectory() {
    // Safe: it is noted only as long as it is there.
    state.pointee.pod?._withUnsafeGuaranteedRef { $0.forgetDirectory() }
  }

  var captives: [CaptivePair: ProviderGraph.CaptiveDependency] {
    get { state.pointee.details?.captives ?? [:] }
    nonmutating _modify { yield &details.captives }
  }

  /// Of a root: the pairs of its whole tree that were told.
  var reportedCaptives: Set<CaptivePair> {
    get { state.pointee.details?.reportedCaptives ?? [] }
    nonmutating _modify { yield &details.reportedCaptives }
  }

  var firstChild: Layer? {
    get { state.pointee.firstChild }
    nonmutating set { state.pointee.firstChild = newValue }
  }

  var previousSibling: Layer? {
    get { state.pointee.previousSibling }
    nonmutating set { state.pointee.previousSibling = newValue }
  }

  var nextSibling: Layer? {
    get { state.pointee.nextSibling }
    nonmutating set { state.pointee.nextSibling = newValue }
  }
}
