import Synchronization

/// The state of a pod: its overrides, its owned scopes and its cached instances.
///
/// All kinds of pods use this class. A root pod has no parent. A child pod refers to its parent. An override scope is a new state that
/// acts for a pod in one task.
///
/// The pod that the user made *owns* its state, and both end together. The pods that builders receive retain a state but not its cached
/// instances, since `end()` empties the caches.
final class PodState: @unchecked Sendable {
  // Safe: constants and atomics; the rest is guarded by `lock`.

  let name: String
  /// The constant state of the parent, if the parent owns its state.
  let fixedParent: PodState?
  /// The parent, if it is a builder's pod, which refers to another state when the build ends.
  let changingParent: ChangingParent?
  /// The parent, which a child retains until the child's end.
  @exclusivity(unchecked) private var parentOwner: Pod?
  let owned: SmallTable<ScopeIdentity>
  /// Whether this is the pod of a `Lazy`, whose value stays cached although other pods change.
  let isCompact: Bool
  /// The pod that resolves the value of the `Lazy`, if a builder made the `Lazy`, and whether this is the builder's own pod.
  ///
  /// Unretained: the provider of the `Lazy` retains the pod, and only an instance of this provider is finished here.
  let lazySource: (pod: Unmanaged<Pod>, isOwn: Bool)?
  /// Whether this state acts for another state in an override scope.
  let isSubstitute: Bool
  /// The state for which this state acts, if a builder opened the scope, so that this is an inner pod.
  ///
  /// Otherwise `nil`, since a child that outlives the scope would retain the original state.
  let original: PodState?
  /// The identity of this pod and of the ended pods for which it acts; `nil` in the pod of a `Lazy`, which has no overrides.
  let lineage: Lineage?
  /// The build in which the pod was made: for that build, this is an inner pod.
  let maker: BuildToken?
  private let lock = Lock()
  /// Held in a root while overrides, clears and similar changes visit the pods of the tree.
  ///
  /// Taken before any other lock.
  let structure = Lock()
  /// How many builds moved here from an ancestor.
  let moves = Atomic<UInt>(0)

  @exclusivity(unchecked) var overrides = SmallTable<Override>()
  /// Whether this is a root pod with slots, in which readers find instances without a lock.
  let hasSlots: Bool
  @exclusivity(unchecked) var slots = SlotTable()
  /// The instances of a pod without slots.
  @exclusivity(unchecked) var fewInstances = SmallTable<Instance>()
  @exclusivity(unchecked) var instanceCount = 0
  /// The number of records and weak instances, and the number that begins the next sweep.
  @exclusivity(unchecked) var recordCount = 0
  @exclusivity(unchecked) var sweepCount = 64
  /// The serial of the last instance that was finished here.
  @exclusivity(unchecked) var clock: UInt64 = 0
  /// How many instances and records to which deferred dependencies lead were stored here, and how many values of `Lazy`s that depend on
  /// instances of this pod or its descendants.
  let answerChanges = Atomic<UInt>(0)
  let children = ChildList()
  /// The shard in which the parent lists this child, and the position there.
  ///
  /// The lock of the shard guards the position. The shard is written before other threads have this pod, or with the lock of
  /// `changingParent` held.
  @exclusivity(unchecked) var shard = 0
  @exclusivity(unchecked) var positionInShard = 0
  /// The address of the retained pod that builders of a root and observers receive, or zero.
  ///
  /// Written with the lock held. `takePods` releases the pod when the owning pod is deallocated.
  private let handle = Atomic<UInt>(0)
  @exclusivity(unchecked) private var rare: Rare?

  // Every resolve reads these fields without a lock. So they lie together, far from the reference count and the locks, to which other threads
  // write.

  /// The address of `fixedParent`, or of the first state of a `changingParent` whose build has ended, for readers; or zero.
  private let parentAddress: Atomic<UInt>
  /// The address of a root's directory of slots, for readers.
  let directoryAddress = Atomic<UInt>(0)
  /// The bits of all providers and scopes that a child pod overrides or owns, and of those of its instances to which deferred dependencies may
  /// lead; zero in a root pod.
  let changes = Atomic<UInt64>(0)
  /// The `ChangeBits.deferrals` up to which `changes` has the bits of this pod's instances.
  let notedDeferrals = Atomic(ChangeBits.deferrals.load(ordering: .acquiring))
  /// The bits of the overridden providers and families; many providers share each bit.
  let overrideBits = Atomic<UInt64>(0)
  /// Increases with each change of the overrides, and with each refresh.
  ///
  /// Odd while instances are being hidden.
  let revision = Atomic<UInt>(0)
  /// Conditions that few pods meet.
  let conditions = Atomic<UInt32>(0)
  /// The epoch of `ChangeBits` in which all masks of a root were computed; zero while there are none.
  private let maskEpochWord = Atomic<UInt>(0)

  /// The fields that few pods need.
  final class Rare {
    var events: EventQueue?
    /// The data of cleared instances, for the diagram.
    var cleared: [UInt32: ClearedRecord] = [:]
    /// The captive dependencies of instances that this pod has built, by the numbers of both providers.
    var captives: [[UInt64]: ProviderGraph.CaptiveDependency] = [:]
    /// The captive dependencies that observers of this root were notified of.
    var reportedCaptives: Set<[UInt64]> = []
    /// For each hidden instance, the answers to its deferred dependencies when it was hidden.
    var formerAnswers: [ObjectIdentifier: (holder: WeakReference, answers: [FormerAnswers])] = [:]
    /// The pod that acts for this pod after its end.
    weak var successor: Pod?
    /// An ended pod for which this pod acts, and that still lists children: changes of this pod visit those children too.
    var predecessor: PodState?
    /// Instances of ancestors that this pod does not share, at one revision of its chain.
    var differing: (instances: [ObjectIdentifier: Instance], revision: UInt) = ([:], 0)
    /// The masks of instances that this child caches, by the indices of their providers, for descendants that share the instances.
    var masks: [UInt32: (serial: UInt64, epoch: UInt, mask: UInt64)] = [:]
    var watchers: [ObjectIdentifier: Watcher] = [:]
  }

  struct Condition {
    /// The owning pod is deallocated.
    static let isEnded: UInt32 = 1
    static let isObserved: UInt32 = 2
    static let isWatched: UInt32 = 4
    /// The pod is no longer in the list of its parent.
    static let isUnlisted: UInt32 = 8
    /// The upper bits count the open override scopes.
    static let overrideScope: UInt32 = 1 << 8
    /// In an override scope, and after the end of this pod, another pod may answer.
    static let changesAnswers: UInt32 = isEnded | ~(overrideScope - 1)
  }

  /// `name`: if `nil`, the name of the parent.
  init(
    _ name: String?, parentPod: consuming Pod?, owned: SmallTable<ScopeIdentity> = SmallTable(),
    observers: [EventQueue.Entry] = [],
    isCompact: Bool = false, lazySource: (pod: Unmanaged<Pod>, isOwn: Bool)? = nil, actingFor ended: PodState? = nil,
    original: PodState? = nil, maker: BuildToken? = nil
  ) {
    let isRoot = parentPod == nil
    fixedParent = parentPod?.ownedState
    parentAddress = Atomic(PodState.address(of: fixedParent))
    self.name = name ?? fixedParent?.name ?? parentPod?.name ?? ""
    if let parentPod, fixedParent == nil {
      (parentOwner, changingParent) = (nil, ChangingParent(parentPod))
    } else {
      (parentOwner, changingParent) = (consume parentPod, nil)
    }
    self.isCompact = isCompact
    self.lazySource = lazySource
    lineage = isCompact ? nil : ended?.lineage ?? Lineage()
    self.owned = owned
    isSubstitute = original != nil
    self.original = maker == nil ? nil : original
    self.maker = maker
    hasSlots = isRoot && !isCompact
    if !observers.isEmpty {
      withLock { held in madeRare(held).events = EventQueue(observers) }
      conditions.store(Condition.isObserved, ordering: .relaxed)
    }
    if !isRoot, !owned.isEmpty { changes.store(ownedBits, ordering: .relaxed) }
  }

  /// The proof that a thread holds the lock of a pod: nothing else makes one, and it cannot be copied or stored.
  struct Held: ~Copyable {
    #if DEBUG
      private let id: ObjectIdentifier
    #endif

    @inline(__always)
    fileprivate init(lockOf state: PodState) {
      #if DEBUG
        id = ObjectIdentifier(state)
      #endif
    }

    /// Checks, in debug builds, that this is the lock of a pod.
    @inline(__always)
    func check(lockOf state: PodState) {
      #if DEBUG
        assert(id == ObjectIdentifier(state), "the lock of another pod is held")
      #endif
    }
  }

  @inline(__always)
  func withLock<Result: ~Copyable>(_ body: (borrowing Held) -> Result) -> Result {
    lock.withLock { body(Held(lockOf: self)) }
  }

  #if DEBUG
    /// How often the lock was taken, for the test that counts the locks that requests share.
    var lockAcquisitions: Int { lock.acquisitions.load(ordering: .relaxed) }
  #endif

  /// Runs a body that visits the pods of this root and changes their cached instances.
  ///
  /// No user code runs meanwhile.
  func changing<Result>(_ body: (RetainedObjects) -> Result) -> Result {
    let retained = RetainedObjects()
    defer { withExtendedLifetime(retained) {} }
    return structure.withLock { body(retained) }
  }

  /// The fields that few pods need, made now if necessary.
  func madeRare(_ held: borrowing Held) -> Rare {
    held.check(lockOf: self)
    if let rare { return rare }
    let made = Rare()
    rare = made
    return made
  }

  func knownRare(_ held: borrowing Held) -> Rare? { rare }

  @inline(__always)
  func has(_ condition: UInt32) -> Bool { conditions.load(ordering: .relaxed) & condition != 0 }

  var isEnded: Bool { has(Condition.isEnded) }

  var hasOverrideScope: Bool { conditions.load(ordering: .relaxed) >= Condition.overrideScope }

  var maskEpoch: UInt {
    @inline(__always) get { maskEpochWord.load(ordering: .acquiring) }
    set { maskEpochWord.store(newValue, ordering: .releasing) }
  }

  @inline(__always)
  var parent: PodState? { fixedParent ?? changingParent?.state }

  /// The parent, for readers that check that it has not ended; `nil` in a root, and while a builder runs with the parent pod.
  @inline(__always)
  var unretainedParent: Unmanaged<PodState>? {
    // Safe: `fixedParent` or `changingParent` retains the state at this address.
    UnsafeRawPointer(bitPattern: parentAddress.load(ordering: .acquiring)).map { .fromOpaque($0) }
  }

  /// Lets readers find the parent, since the build that ran with the parent pod has ended.
  func settleParent(_ parent: PodState) { parentAddress.store(PodState.address(of: parent), ordering: .releasing) }

  private static func address(of state: PodState?) -> UInt {
    UInt(bitPattern: state.map { Unmanaged.passUnretained($0).toOpaque() })
  }

  /// The parent, unretained; `nil` in a root, and where another pod may act for the parent.
  @inline(__always)
  var steadyParent: Unmanaged<PodState>? {
    guard let unretainedParent, changingParent != nil else { return unretainedParent }
    return unretainedParent._withUnsafeGuaranteedRef { $0.isEnded } ? nil : unretainedParent
  }

  /// The state of the pod that acts for this pod after its end, while that pod is retained.
  var successor: PodState? {
    isEnded ? withLock { held in knownRare(held)?.successor }?.state : nil
  }

  var isRoot: Bool { fixedParent == nil && changingParent == nil }

  var parentPod: Pod? { withLock { _ in parentOwner } ?? nonOwningParentPod }

  /// The parent, as a pod that does not retain the parent's cached instances.
  var nonOwningParentPod: Pod? { fixedParent.map { Pod(handleOf: $0) } ?? changingParent?.handle }

  /// The pod that builders of this root and observers of this pod receive; `nil` after the end.
  func builderPod() -> Pod? { withLock { held in builderPod(held) } }

  func builderPod(_ held: borrowing Held) -> Pod? {
    held.check(lockOf: self)
    if unretainedHandle == nil, !isEnded {
      let made = Unmanaged.passRetained(Pod(handleOf: self)).toOpaque()
      handle.store(UInt(bitPattern: made), ordering: .releasing)
    }
    return unretainedHandle?.takeUnretainedValue()
  }

  /// `builderPod()`, if it is made already.
  ///
  /// For callers that hold the lock, or that retain the owning pod, since nothing releases the handle as long as that pod exists.
  @inline(__always)
  var unretainedHandle: Unmanaged<Pod>? {
    // Safe: `builderPod` retained a pod at this address.
    UnsafeRawPointer(bitPattern: handle.load(ordering: .acquiring)).map { .fromOpaque($0) }
  }

  /// Marks the end, and returns the pods that the caller releases.
  func takePods(_ held: borrowing Held) -> (Pod?, Pod?) {
    conditions.bitwiseOr(Condition.isEnded, ordering: .relaxed)
    defer {
      parentOwner = nil
      handle.store(0, ordering: .relaxed)
    }
    return (unretainedHandle?.takeRetainedValue(), parentOwner)
  }

  /// Makes the list of children, with the lock held, since `install` tests under the lock whether there are children.
  @inline(__always)
  func makeChildren() {
    // An existing list is used without this lock, which all requests would share.
    if !children.exist { withLock { _ in children.make() } }
  }
}
