/// What a pod is made of: overrides, owned scopes, kept instances, and the layer above.
///
/// Root pods, child pods and `withOverrides` blocks are all layers. An instance is looked for from the pod that is asked
/// up to its root, and is right for the one that asks if none of the layers between changes anything that it was built
/// from.
final class Layer: @unchecked Sendable {
  // Safe: constants, atomics, and state that is read and written under the engine's lock alone.

  let name: String
  /// Keeps the pod above alive, as long as this layer has a pod.
  private(set) var parentPod: Pod?
  /// The layer above.
  ///
  /// Replaced only where the pod above had gone and started afresh.
  var parent: Layer? {
    didSet { above = parent.map { .passUnretained($0) } }
  }
  /// The same, for a look that counts no references.
  private(set) var above: Unmanaged<Layer>?
  let depth: Int
  let owned: ScopeSet
  private(set) var overrides: [ObjectIdentifier: Override] = [:]
  /// Bits of all that this layer changes for those who look from it: what it overrides and owns.
  private(set) var changes: UInt64 = 0
  /// The records of a root layer; small ones have none, and are read with the lock.
  let table: SlotTable?
  /// Whether this holds the value of one `Lazy`, which is kept whatever becomes of what it was built from.
  let isCompact: Bool
  /// The records of any other layer.
  var ownRecords: [UInt32: Entry] = [:]
  /// Instances whose provider can no longer be named: those that still linger, and those that others were built from.
  var ghosts: [ObjectIdentifier: Entry] = [:]
  /// The ghosts that linger, latest gone last, from `nextToLeave` on and around.
  var lingering: [Entry] = []
  var nextToLeave = 0
  /// Serials of instances of layers above that this one is known to see.
  var verified: Set<UInt64> = []
  /// Values taken out of a slot under its readers, by the index of the slot.
  var leftovers: [UInt32: [(declaration: Declaration, value: StoredValue)]] = [:]
  var events: EventQueue?
  /// The pod that builders get whose build runs for this root layer.
  private var handle: Pod?
  /// The pod has gone.
  ///
  /// Whoever still holds a handle goes on with the successor.
  private(set) var isOrphaned = false
  weak var successor: Pod?
  /// The pod that owns this layer, until it goes.
  unowned(unsafe) var pod: Pod?
  var captives: [CaptivePair: ProviderGraph.CaptiveDependency] = [:]
  /// Of a root: the pairs of its whole tree that were told.
  var reportedCaptives: Set<CaptivePair> = []

  unowned(unsafe) private(set) var firstChild: Layer?
  unowned(unsafe) private var previousSibling: Layer?
  unowned(unsafe) private(set) var nextSibling: Layer?
  /// All root layers, as siblings.
  nonisolated(unsafe) private static var firstRoot: Layer?

  init(
    _ name: String, parentPod: Pod?, parent: Layer?, owned: ScopeSet, observers: [any PodObserver],
    isCompact: Bool = false
  ) {
    self.name = name
    self.parentPod = parentPod
    self.parent = parent
    above = parent.map { .passUnretained($0) }
    self.owned = owned
    self.isCompact = isCompact
    table = parent == nil && !isCompact ? SlotTable() : nil
    depth = (parent?.depth ?? -1) + 1
    for scope in owned.members.values { changes |= Entry.bit(of: scope) }
    if !observers.isEmpty { events = EventQueue(observers) }
  }
}

// MARK: - The tree of layers

extension Layer {
  var root: Layer {
    var layer = self
    while let parent = layer.parent { layer = parent }
    return layer
  }

  /// The nearest layer from here upwards that changes anything, else the root: what is asked here is answered as there.
  var effective: Layer {
    var layer = self
    while layer.changes == 0, let parent = layer.parent { layer = parent }
    return layer
  }

  func isBelow(orSame other: Layer) -> Bool {
    var layer: Layer? = self
    while let current = layer, current.depth >= other.depth {
      if current === other { return true }
      layer = current.parent
    }
    return false
  }

  /// Joins the children of the layer above.
  func attach() {
    guard let parent else {
      nextSibling = Layer.firstRoot
      Layer.firstRoot?.previousSibling = self
      Layer.firstRoot = self
      return
    }
    nextSibling = parent.firstChild
    parent.firstChild?.previousSibling = self
    parent.firstChild = self
  }

  private func detach() {
    if let previousSibling {
      previousSibling.nextSibling = nextSibling
    } else if let parent {
      parent.firstChild = nextSibling
    } else {
      Layer.firstRoot = nextSibling
    }
    nextSibling?.previousSibling = previousSibling
    previousSibling = nil
    nextSibling = nil
  }

  /// Calls the body with this layer and all below it, but for those that the condition leaves out with all below them.
  func forEachBelow(unless isLeftOut: (Layer) -> Bool = { _ in false }, _ body: (Layer) -> Void) {
    var rest = [self]
    while let layer = rest.popLast() {
      body(layer)
      var child = layer.firstChild
      while let current = child {
        child = current.nextSibling
        if !isLeftOut(current) { rest.append(current) }
      }
    }
  }

  /// Has this layer and all below look again at what they see.
  func forgetVerified() {
    verified = []
    if firstChild != nil { forEachBelow { $0.verified = [] } }
  }

  static func forEach(_ body: (Layer) -> Void) {
    var root = firstRoot
    while let current = root {
      root = current.nextSibling
      current.forEachBelow(body)
    }
  }

  /// The pod that a builder is given whose build runs for this layer.
  func builderPod() -> Pod {
    if let handle { return handle }
    let made = Pod(handleOf: self, isSettled: parent == nil)
    // A child's handle is pointed at another layer when its build is over, so each build has its own.
    if parent == nil, !isOrphaned {
      handle = made
      table?.setOwner(self, builderPod: made)
    }
    return made
  }

  /// The last outside reference to the pod has gone.
  ///
  /// - Returns: What is to be released without the lock.
  func orphan(_ aftermath: inout Aftermath) -> Pod? {
    defer { parentPod = nil }
    isOrphaned = true
    pod = nil
    if let handle { aftermath.work.trash.append(handle) }
    table?.setOwner(self, builderPod: nil)
    handle = nil
    detach()
    return parentPod
  }
}

// MARK: - Overrides

extension Layer {
  /// Takes an override over; returns the one that it replaces.
  func setOverride(_ override: Override) -> Override? {
    var own: Override? = override
    while let current = own {
      current.owner = self
      own = current.inherited
    }
    if parent != nil {
      pod?.forgetDirectory()
      if firstChild != nil { forEachBelow { $0.pod?.forgetDirectory() } }
    }
    changes |= Entry.bit(of: override.target)
    let replaced = overrides.updateValue(override, forKey: ObjectIdentifier(override.target))
    guard override.origin == nil, let replaced else { return replaced }
    // In a block, an override of the pod stays below the block's own.
    override.inherited = replaced.origin == nil ? replaced.inherited : replaced
    guard replaced.origin == nil else { return nil }
    replaced.owner = nil
    return replaced
  }

  func removeOverride(of target: Declaration) -> Override? {
    guard let override = overrides.removeValue(forKey: ObjectIdentifier(target)) else { return nil }
    override.owner = nil
    if let inherited = override.inherited {
      override.inherited = nil
      overrides[ObjectIdentifier(target)] = inherited
    }
    changes = 0
    for scope in owned.members.values { changes |= Entry.bit(of: scope) }
    for other in overrides.values { changes |= Entry.bit(of: other.target) }
    return override
  }
}

// MARK: - Records

extension Layer {
  /// The first of this layer's records of a provider.
  func records(of declaration: Declaration) -> Entry? {
    if let table { return table.record(declaration.index) }
    return ownRecords[declaration.index]
  }

  func insert(_ entry: Entry) {
    let declaration = entry.declaration
    entry.layer = self
    if declaration.home == nil {
      declaration.home = self
    } else if declaration.home !== self {
      declaration.isElsewhere = true
    }
    entry.next = records(of: declaration)
    entry.isListed = true
    setFirst(entry, declaration.index)
  }

  /// Takes a record out.
  ///
  /// The caller holds on to it.
  func remove(_ entry: Entry) {
    guard entry.isListed else { return }
    entry.isListed = false
    let index = entry.declaration.index
    if entry.declaration.isGhost {
      ghosts[ObjectIdentifier(entry)] = nil
      return
    }
    var previous: Entry?
    var current = records(of: entry.declaration)
    while let candidate = current, candidate !== entry {
      previous = candidate
      current = candidate.next
    }
    guard current != nil else { return }
    if let previous { previous.next = entry.next } else { setFirst(entry.next, index) }
    entry.next = nil
    if entry.declaration.home === self, records(of: entry.declaration) == nil { entry.declaration.home = nil }
  }

  private func setFirst(_ entry: Entry?, _ index: UInt32) {
    if let table { table.setRecord(entry, index) } else { ownRecords[index] = entry }
  }

  /// Whether there is nothing in it that would have to end with it: true of many children.
  var isEmpty: Bool { table == nil && ownRecords.isEmpty && ghosts.isEmpty && captives.isEmpty && firstChild == nil }

  func forEachRecord(_ body: (Entry) -> Void) {
    if let table {
      table.forEachRecord(body)
    } else {
      for first in ownRecords.values {
        var entry: Entry? = first
        while let current = entry {
          entry = current.next
          body(current)
        }
      }
    }
    for ghost in ghosts.values { body(ghost) }
  }
}
