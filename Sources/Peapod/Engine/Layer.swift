/// What a pod is made of: overrides, owned scopes, kept instances, and the layer above.
///
/// Root pods, child pods and `withOverrides` blocks are all layers. An instance is looked for from the pod that is asked
/// up to its root, and is right for the one that asks if none of the layers between changes anything that it was built
/// from.
///
/// A resolve passes layers at each step. So this is the address of a layer's state, and no reference that is counted: the
/// state lives as long as its `Object`, which pods keep, and the layers and builds below it.
struct Layer: Hashable, @unchecked Sendable {
  // Safe: constants, and state that is read and written under the engine's lock alone.

  /// Keeps a layer.
  final class Object: ManagedBuffer<State, Void> {
    deinit {
      // Safe: this is the end of the header too, and the layer kept its overrides.
      withUnsafeMutablePointerToHeader { state in
        assert(state.pointee.ownRecords.isEmpty, "what has gone keeps nothing")
        state.pointee.overrides.forEachValue { $0.unmanaged.release() }
        state.pointee.overrides.removeAll()
        state.pointee.ownRecords.removeAll()
      }
    }
  }

  struct State {
    let name: String
    let depth: Int
    let owned: ScopeSet
    let table: SlotTable?
    /// The same, for a look that counts no references.
    let records: Unmanaged<SlotTable>?
    let isCompact: Bool
    var object: Unmanaged<Object>?
    var parentPod: Pod?
    var parent: Layer?
    var parentObject: Object?
    var overrides = SmallMap<ObjectIdentifier, Override.Pointer>()
    var changes: UInt64 = 0
    var ownRecords = SmallMap<UInt32, Entry>()
    var verified = SerialSet()
    var events: EventQueue?
    var handle: Pod?
    var isOrphaned = false
    var isInvolved = false
    // Safe: read and written under the engine's lock, and cleared by the end of the pod before its memory goes.
    var pod: Unmanaged<Pod>?
    var firstChild: Layer?
    var previousSibling: Layer?
    var nextSibling: Layer?
    var details: Details?
  }

  /// What few layers have.
  final class Details {
    /// Serials of instances that this layer is known not to see, and the state of things for which that holds.
    var refuted = SerialSet()
    var refutedAt: UInt64 = 0
    var ghosts: Set<Entry> = []
    var lingering: [Entry] = []
    var nextToLeave = 0
    var leftovers: [UInt32: [Leftover]] = [:]
    weak var successor: Pod?
    var captives: [CaptivePair: ProviderGraph.CaptiveDependency] = [:]
    var reportedCaptives: Set<CaptivePair> = []
  }

  let state: UnsafeMutablePointer<State>

  // Safe: both are read and written under the engine's lock alone.

  /// Counts what may make an instance right that was not: changes of overrides, and of what handles lead to.
  @exclusivity(unchecked) nonisolated(unsafe) static var epoch: UInt64 = 1

  /// All root layers, as siblings.
  @exclusivity(unchecked) nonisolated(unsafe) static var firstRoot: Layer?

  /// Makes a layer, and keeps it for the caller.
  static func make(
    _ name: String, parentPod: Pod?, parent: Layer?, owned: ScopeSet, observers: [any PodObserver],
    isCompact: Bool = false
  ) -> Layer {
    let table = parent == nil && !isCompact ? SlotTable() : nil
    let made = Object.create(minimumCapacity: 0) { _ in
      State(
        name: name, depth: parent.map { $0.depth + 1 } ?? 0, owned: owned, table: table,
        records: table.map { .passUnretained($0) }, isCompact: isCompact, parentPod: parentPod,
        parent: parent, parentObject: parent?.object, events: observers.isEmpty ? nil : EventQueue(observers))
    }
    // Safe: it was made of this class.
    let object = unsafeDowncast(made, to: Object.self)
    let layer = Layer(object)
    layer.state.pointee.object = .passRetained(object)
    layer.changes = owned.bits
    return layer
  }

  init(_ object: Object) {
    // Safe: the header stays where it is as long as the object, and so do all who have the address.
    state = object.withUnsafeMutablePointerToHeader { $0 }
  }

  /// The layer with an address.
  init?(at address: UInt) {
    guard let pointer = UnsafeMutableRawPointer(bitPattern: address) else { return nil }
    // Safe: only addresses of layers are kept as such, by those who keep the layers.
    state = pointer.assumingMemoryBound(to: State.self)
  }
}
