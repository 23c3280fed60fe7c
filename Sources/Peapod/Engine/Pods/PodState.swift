import Synchronization

/// The state of a pod: its overrides, its owned scopes and its cached instances.
///
/// All kinds of pods are the same here.
///
/// A root pod has no parent. A child pod refers to its parent. An override scope is a new state that acts for a pod in one task.
///
/// The pod that the user made *owns* its state: both end together. The pods that builders receive refer to a state without retaining what
/// it caches, since `end()` empties the caches.
final class PodState: @unchecked Sendable {
  // Safe: constants and atomics; the rest is guarded by `lock`, or by `listing` where that is said.

  let name: String
  /// The state of the parent, if the parent owns it; it stays the same.
  let fixedParent: PodState?
  /// The same, for readers.
  let unretainedParent: Unmanaged<PodState>?
  /// Whether the pod above is that of a builder, which leads to another state when the build ends.
  let changesParent: Bool
  /// That pod, until this one ends: when the parent has ended, it retains the pod that acts for the parent.
  ///
  /// Guarded by `listing`.
  @exclusivity(unchecked) private var parentHandle: Pod?
  /// After that, the state that it led to.
  ///
  /// Guarded by `listing`.
  @exclusivity(unchecked) private var lastParent: PodState?
  /// The pod above, which a child retains until its own end.
  @exclusivity(unchecked) private var parentOwner: Pod?
  let owned: ScopeSet
  /// Whether this is the pod of a `Lazy`, whose value stays although other pods change.
  let isCompact: Bool
  /// Whether this state acts for another one in an override scope.
  let isSubstitute: Bool
  /// That state, if a builder opened the scope, so that this is an inner pod.
  ///
  /// Otherwise it is not needed, and a child that outlives the scope would keep what it overrides.
  let original: PodState?
  /// The build in which the pod was made: for that build, this is an inner pod.
  let maker: BuildToken?
  let lock = Lock()
  /// Of a root: held while overrides, clears and the like look through the pods of the tree.
  ///
  /// Taken before any other lock.
  let structure = Lock()
  /// Of a root with slots: the address of the directory of slots, for readers.
  let directoryAddress = Atomic<UInt>(0)

  /// The bits of all that a child pod overrides or owns; none of a root pod.
  let changes = Atomic<UInt64>(0)
  /// The bits of the overridden providers and families, shared by many.
  let overrideBits = Atomic<UInt64>(0)
  /// Increases with each change of the overrides, and with each refresh.
  ///
  /// Odd while instances are being hidden.
  let revision = Atomic<UInt>(0)
  /// How many builds moved here from an ancestor.
  let moves = Atomic<UInt>(0)
  /// Conditions that few pods meet.
  let conditions = Atomic<UInt32>(0)
  /// The epoch of `ChangeBits` in which all masks of a root were computed; zero while there are none.
  private let maskEpochWord = Atomic<UInt>(0)

  @exclusivity(unchecked) var overrides = SmallTable<Override>()
  /// Of a root pod: the slots, in which readers find instances without a lock.
  let slots: SlotTable?
  /// The instances of any other pod.
  @exclusivity(unchecked) var fewInstances = SmallTable<Instance>()
  @exclusivity(unchecked) var instanceCount = 0
  /// How many records were left here since the last sweep, and how many lead to the next one.
  @exclusivity(unchecked) var recordCount = 0
  @exclusivity(unchecked) var sweepCount = 64
  /// The serial of the last instance that was finished here.
  @exclusivity(unchecked) var clock: UInt64 = 0
  /// The address of the list of the pods below, which is made with the first one, and retained.
  private let childListAddress = Atomic<UInt>(0)
  /// The place of this state among the children of its parent.
  ///
  /// Guarded by `listing`, if the parent changes.
  @exclusivity(unchecked) var registration: ChildList.Registration?
  /// The list in which this state is, if the parent changes.
  ///
  /// Guarded by `listing`.
  @exclusivity(unchecked) var retainedList: ChildList?
  /// Whether this state is listed no longer.
  ///
  /// Guarded by `listing`.
  @exclusivity(unchecked) var isUnlisted = false
  let listing = Lock()
  /// The position there, guarded by the lock of the list.
  @exclusivity(unchecked) var listPosition = 0
  /// The pod that builders of a root receive.
  ///
  /// `end()` releases it.
  @exclusivity(unchecked) private var handle: Pod?
  /// What few pods have.
  @exclusivity(unchecked) private var rare: Rare?

  /// What few pods have.
  final class Rare {
    var events: EventQueue?
    /// What the diagram shows of instances that were cleared.
    var cleared: [UInt32: ClearedRecord] = [:]
    var clearedLimit = 64
    var isFullOfCleared: Bool { cleared.count >= clearedLimit }
    var captives: [CaptivePair: ProviderGraph.CaptiveDependency] = [:]
    var reportedCaptives: Set<CaptivePair> = []
    /// Removed values that may have readers, by the index of their provider.
    var leftovers: [UInt32: [EndedValue]] = [:]
    /// The pod that acts for this one after its end.
    weak var successor: Pod?
    var watchers: [ObjectIdentifier: Watcher] = [:]
  }

  struct Condition {
    /// The owning pod is deallocated.
    static let isEnded: UInt32 = 1
    static let isObserved: UInt32 = 2
    static let isWatched: UInt32 = 4
    /// The upper bits count the open override scopes.
    static let overrideScope: UInt32 = 1 << 8
    /// In an override scope, and after its end, another pod may answer.
    static let changesAnswers: UInt32 = isEnded | ~(overrideScope - 1)
  }

  /// `name`: that of the parent if `nil`.
  init(
    _ name: String?, parentPod: consuming Pod?, owned: ScopeSet = ScopeSet(), observers: [any PodObserver] = [],
    isCompact: Bool = false, original: PodState? = nil, maker: BuildToken? = nil
  ) {
    let isRoot = parentPod == nil
    fixedParent = parentPod?.ownedState
    unretainedParent = fixedParent.map { .passUnretained($0) }
    changesParent = !isRoot && unretainedParent == nil
    self.name = name ?? fixedParent?.name ?? parentPod?.name ?? ""
    if changesParent {
      (parentOwner, parentHandle) = (nil, consume parentPod)
    } else {
      (parentOwner, parentHandle) = (consume parentPod, nil)
    }
    self.isCompact = isCompact
    self.owned = owned
    isSubstitute = original != nil
    self.original = maker == nil ? nil : original
    self.maker = maker
    slots = isRoot && !isCompact ? SlotTable() : nil
    if !observers.isEmpty {
      rareState.events = EventQueue(observers)
      conditions.store(Condition.isObserved, ordering: .relaxed)
    }
    guard !isRoot, !owned.isEmpty else { return }
    changes.store(owned.all.reduce(ChangeBits.deferred) { $0 | $1.assignChangeBit() }, ordering: .relaxed)
  }

  /// Runs a body that looks through the pods of this root and changes what they cache.
  ///
  /// No user code runs meanwhile.
  func changing<Result>(_ body: (Kept) -> Result) -> Result {
    let kept = Kept()
    defer { withExtendedLifetime(kept) {} }
    return structure.withLock { body(kept) }
  }

  /// What few pods have, made now if there is none.
  ///
  /// Used with the lock held.
  var rareState: Rare {
    if let rare { return rare }
    let made = Rare()
    rare = made
    return made
  }

  /// What few pods have, if this pod has any of it.
  ///
  /// Used with the lock held.
  var knownRare: Rare? { rare }

  @inline(__always)
  func has(_ condition: UInt32) -> Bool { conditions.load(ordering: .relaxed) & condition != 0 }

  var isEnded: Bool { has(Condition.isEnded) }

  var hasOverrideScope: Bool { conditions.load(ordering: .relaxed) >= Condition.overrideScope }

  var maskEpoch: UInt {
    @inline(__always) get { maskEpochWord.load(ordering: .acquiring) }
    set { maskEpochWord.store(newValue, ordering: .releasing) }
  }

  /// The state of the pod above.
  @inline(__always)
  var parent: PodState? { fixedParent ?? (changesParent ? changingParent : nil) }

  /// The same, for callers that hold a lock: no pod is made to act for one that has ended just now.
  ///
  /// Its revision differs then.
  @inline(__always)
  var knownParent: PodState? { fixedParent ?? (changesParent ? knownChangingParent : nil) }

  private var changingParent: PodState? {
    let (handle, last) = listing.withLock { (parentHandle, lastParent) }
    return handle?.currentState ?? last?.successor ?? last
  }

  // Without the pod that acts for the last parent: the lock of that parent may be held.
  private var knownChangingParent: PodState? {
    let (handle, last) = listing.withLock { (parentHandle, lastParent) }
    return handle?.knownState ?? last
  }

  /// The state of the pod that acts for this one after its end, while anything retains that pod.
  private var successor: PodState? {
    isEnded ? lock.withLock { knownRare?.successor }?.state : nil
  }

  var isRoot: Bool { fixedParent == nil && !changesParent }

  /// The pod above.
  var parentPod: Pod? { lock.withLock { parentOwner } ?? weakParentPod }

  /// A pod above that does not retain what the parent caches.
  var weakParentPod: Pod? { fixedParent.map { Pod(handleOf: $0) } ?? (changesParent ? handleOfParent : nil) }

  private var handleOfParent: Pod? {
    let (handle, last) = listing.withLock { (parentHandle, lastParent) }
    return handle ?? last.map { Pod(handleOf: $0) }
  }

  /// Gives the caller the pod above to release, at the end of this one.
  ///
  /// Called with the lock `listing` held.
  func takeParentHandle() -> Pod? {
    lastParent = parentHandle?.state
    defer { parentHandle = nil }
    return parentHandle
  }

  /// The pod that builders of this root receive; `nil` after the end.
  func builderPod() -> Pod? {
    lock.withLock {
      if handle == nil, !isEnded { handle = Pod(handleOf: self) }
      return handle
    }
  }

  /// Marks the end, and gives the caller the pods to release.
  ///
  /// Called with the lock held.
  func takePods() -> (Pod?, Pod?) {
    conditions.bitwiseOr(Condition.isEnded, ordering: .relaxed)
    defer { (handle, parentOwner) = (nil, nil) }
    return (handle, parentOwner)
  }

  deinit {
    let address = childListAddress.load(ordering: .relaxed)
    // Safe: retained when its address was stored.
    if let list = UnsafeRawPointer(bitPattern: address) { Unmanaged<ChildList>.fromOpaque(list).release() }
  }

  /// The children of this pod, if a child was ever made.
  var children: ChildList? {
    // Safe: retained as long as this state.
    UnsafeRawPointer(bitPattern: childListAddress.load(ordering: .acquiring)).map {
      Unmanaged<ChildList>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Lists a child.
  ///
  /// Without a reference to the list, which the children of all threads have in common.
  @inline(__always)
  func add(child: PodState) -> ChildList.Registration {
    // Safe: retained as long as this state.
    if let list = UnsafeRawPointer(bitPattern: childListAddress.load(ordering: .acquiring)) {
      return Unmanaged<ChildList>.fromOpaque(list)._withUnsafeGuaranteedRef { $0.add(child) }
    }
    return madeChildren.add(child)
  }

  /// The children of this pod, in a list that is made with the first one.
  ///
  /// Without the lock of this pod, which requests would have in common.
  var madeChildren: ChildList {
    if let children { return children }
    // With the lock, since an override that sees no children has nothing to hide.
    return lock.withLock {
      if let children { return children }
      let made = ChildList()
      childListAddress.store(UInt(bitPattern: Unmanaged.passRetained(made).toOpaque()), ordering: .releasing)
      return made
    }
  }
}
