import Synchronization

/// The ancestors and the descendants of a pod.
extension PodState {
  /// Calls a body with this pod and then with each ancestor, until the body returns `true`; returns whether it did.
  ///
  /// Every request climbs several times, so ancestors that never change are not retained. `isLocked`: whether a lock is held, so that no
  /// pod is made that acts for a parent that has just ended.
  @inline(__always) @discardableResult
  func climb(isLocked: Bool = false, _ body: (PodState) -> Bool) -> Bool {
    var state = Unmanaged.passUnretained(self)
    var retained: PodState?
    while !state._withUnsafeGuaranteedRef(body) {
      // Safe: a state retains its parent.
      if let parent = state._withUnsafeGuaranteedRef({ $0.steadyParent }) {
        state = parent
        continue
      }
      retained = state._withUnsafeGuaranteedRef {
        isLocked ? $0.changingParent?.knownState : $0.changingParent?.state
      }
      guard let retained else { return false }
      state = .passUnretained(retained)
    }
    withExtendedLifetime(retained) {}
    return true
  }

  /// This pod and then each ancestor, retained.
  var selfAndAncestors: UnfoldFirstSequence<PodState> { sequence(first: self, next: \.parent) }

  /// The first pod, from this pod to the root, for which a condition holds, or else the root.
  @inline(__always)
  func first(where matches: (PodState) -> Bool) -> PodState {
    var found: PodState?
    climb { state in
      guard matches(state) || state.isRoot else { return false }
      found = state
      return true
    }
    return found ?? self
  }

  var root: PodState { isRoot ? self : first { _ in false } }

  /// The nearest pod, from this pod to the root, that has changes, or else the root.
  ///
  /// The effective pod answers every request to this pod.
  @inline(__always)
  var effective: PodState { first { $0.changes.load(ordering: .relaxed) != 0 } }

  /// Whether this pod is `other` or a descendant of `other`.
  func isBelow(orSame other: PodState) -> Bool { climb { $0 === other } }

  /// The changes of the pods from this pod up to `other`, without `other`.
  @inline(__always)
  func changes(below other: PodState) -> Changes {
    var changes = Changes()
    climb { state in
      if state === other { return true }
      changes.add(state)
      return false
    }
    return changes
  }

  /// The sum of the revisions of this pod and its ancestors, and in the lowest bit whether a revision is odd.
  ///
  /// Revisions never decrease, so the sum stays equal only if no pod changed. The sum of the pod of a `Lazy` includes the pod that resolves
  /// the value.
  @inline(__always)
  var chainRevision: UInt {
    var (sum, changing): (UInt, UInt) = (0, 0)
    climb(isLocked: true) { state in
      let next = state.revision.load(ordering: .acquiring)
      sum &+= next
      changing |= next & 1
      return false
    }
    return isCompact ? addingSource(to: sum << 1 | changing) : sum << 1 | changing
  }

  @inline(never)
  private func addingSource(to own: UInt) -> UInt {
    guard let source else { return own }
    let other = source.chainRevision
    return (own >> 1 &+ other >> 1) << 1 | (own | other) & 1
  }

  /// The state of the pod that resolves the value of a `Lazy`.
  private var source: PodState? {
    // Safe: see `lazySource`.
    lazySource?.pod._withUnsafeGuaranteedRef { $0.knownState }
  }

  /// `chainRevision` while no change is under way: waits for the changes of the tree, in which no user code runs.
  ///
  /// Called without locks.
  var steadyRevision: UInt {
    while true {
      let revision = chainRevision
      if !revision.isChanging { return revision }
      (source ?? self).root.structure.withLock {}
    }
  }

  /// How many builds moved to this pod and its ancestors below `other`.
  func moves(upTo other: PodState) -> UInt {
    var sum: UInt = 0
    climb(isLocked: true) { state in
      if state === other { return true }
      sum &+= state.moves.load(ordering: .relaxed)
      return false
    }
    return sum
  }

  /// The lower of two pods, each of which is this pod or an ancestor.
  func lower(of one: PodState, _ other: PodState) -> PodState {
    one === other ? one : selfAndAncestors.first { $0 === one || $0 === other } ?? self
  }

  /// The nearest pod, from this pod to the root, that owns a scope, or else the root.
  func owner(of scope: ScopeIdentity) -> PodState { first { $0.owned.contains(scope) } }

  /// Whether this pod or an ancestor owns a scope.
  func isOwned(_ scope: ScopeIdentity) -> Bool { owner(of: scope).owned.contains(scope) }

  /// This pod and its descendants.
  ///
  /// `visit`: called with each pod before its list of children is read. So a child that is made later finds what `visit` left.
  func subtree(_ retained: RetainedObjects, visit: (PodState) -> Void = { _ in }) -> [PodState] {
    // A child is listed once, but the parent and the pod that acts for the parent both have it.
    var walk = Walk(from: self)
    while let state = walk.next() {
      visit(state)
      for child in state.allChildren { walk.add(child) }
    }
    return retained.add(walk.found)
  }

  /// The children of this pod, and of an ended pod for which it acts.
  ///
  /// A child stays in the list of its ended parent: if it moved, another thread that just reads both lists could miss it.
  var allChildren: [PodState] {
    children.all + (withLock { held in knownRare(held)?.predecessor }?.allChildren ?? [])
  }

  func hasChildren(_ held: borrowing Held) -> Bool { children.exist || knownRare(held)?.predecessor != nil }

  /// Lists this pod among the children of its parent.
  ///
  /// Called once, before other threads have the pod.
  func register() {
    if let changingParent { return changingParent.list(self, isNew: true) }
    // Safe: this state retains its parent.
    unretainedParent?._withUnsafeGuaranteedRef { parent in
      parent.makeChildren()
      parent.children.add(self)
    }
  }

  /// Removes this pod from the list of its parent for good, once the pod has ended and lists no children.
  ///
  /// The children of a stored pod outlive the pod for which the builder ran. The changes of the ancestors reach them through its list.
  func unregister() {
    // Relaxed: the pod is marked as ended before its end reads the lists. A thread that then removes the last child takes a shard's lock
    // after that, and sees the mark. The exchange lets one of the two through.
    guard isEnded, children.isEmpty,
      conditions.bitwiseOr(Condition.isUnlisted, ordering: .relaxed).oldValue & Condition.isUnlisted == 0
    else { return }
    if let changingParent { return changingParent.unlist(self) }
    unretainedParent?._withUnsafeGuaranteedRef { parent in
      parent.children.remove(self)
      parent.unregister()
    }
  }
}

/// The changes of some pods.
struct Changes {
  private(set) var bits: UInt64 = 0
  /// The smallest number of deferrals up to which these pods have noted their answers.
  private var notedDeferrals = UInt.max

  var isEmpty: Bool { bits == 0 }

  /// Whether the bits include all answers of these pods to the deferred dependencies that exist now.
  var areComplete: Bool {
    isEmpty || notedDeferrals == ChangeBits.deferrals.load(ordering: .acquiring)
  }

  @inline(__always)
  mutating func add(_ state: PodState) {
    // Acquiring: the changes that are read next include the answers up to this number.
    let noted = state.notedDeferrals.load(ordering: .acquiring)
    let changes = state.changes.load(ordering: .relaxed)
    if changes == 0 { return }
    bits |= changes
    notedDeferrals = min(notedDeferrals, noted)
  }
}

extension UInt {
  /// For a `chainRevision`: whether a pod is hiding instances just now.
  var isChanging: Bool { self & 1 != 0 }
}

/// The children of a pod, in several lists with a lock each, so that threads rarely write to the same cache lines.
///
/// The lists are made with the first child. They are read without the lock of the pod.
struct ChildList: ~Copyable {
  /// A power of two: `add` takes four bits.
  private static let count = 16
  /// The address of the shards: the lock of each, and 16 bytes behind the lock, its children.
  ///
  /// A shard has cache lines of its own. The lock and the children are separate variables, since one thread reads the lock while another
  /// thread changes the children. Listed children are alive: an ended child that stays in the list has children, which retain it.
  private let shards = Atomic<UInt>(0)

  var exist: Bool { shards.load(ordering: .relaxed) != 0 }

  /// Makes the lists; called with the lock of the pod held.
  func make() {
    guard !exist else { return }
    let made = Memory.allocateLines(bytes: ChildList.count * Memory.lineBytes)
    for number in 0..<ChildList.count {
      ChildList.lock(number, in: made).initialize(to: Lock())
      ChildList.children(number, in: made).initialize(to: [])
    }
    shards.store(UInt(bitPattern: made), ordering: .releasing)
  }

  deinit {
    guard let made = known else { return }
    for number in 0..<ChildList.count {
      ChildList.lock(number, in: made).deinitialize(count: 1)
      ChildList.children(number, in: made).deinitialize(count: 1)
    }
    made.deallocate()
  }

  private var known: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: shards.load(ordering: .acquiring)) }

  private static func lock(_ number: Int, in shards: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Lock> {
    (shards + number * Memory.lineBytes).assumingMemoryBound(to: Lock.self)
  }

  private static func children(_ number: Int, in shards: UnsafeMutableRawPointer)
    -> UnsafeMutablePointer<[Unmanaged<PodState>]>
  {
    (shards + number * Memory.lineBytes + 16).assumingMemoryBound(to: [Unmanaged<PodState>].self)
  }

  /// Adds a child; the lists were made before.
  func add(_ child: PodState) {
    // Fibonacci hashing (Knuth, "The Art of Computer Programming", 6.4), since the numbers of threads are multiples of some power of two.
    let number = Int((UInt64(CurrentThread.id) &* 0x9E37_79B9_7F4A_7C15) >> 60)
    child.shard = number
    change(number) { children in
      child.positionInShard = children.count
      children.append(.passUnretained(child))
    }
  }

  func remove(_ child: PodState) {
    change(child.shard) { children in
      assert(children[child.positionInShard].toOpaque() == Unmanaged.passUnretained(child).toOpaque())
      let last = children.removeLast()
      guard last.toOpaque() != Unmanaged.passUnretained(child).toOpaque() else { return }
      // Safe: every listed child is alive.
      last._withUnsafeGuaranteedRef { $0.positionInShard = child.positionInShard }
      children[child.positionInShard] = last
    }
  }

  @inline(__always)
  private func change<Result>(_ number: Int, _ body: (inout [Unmanaged<PodState>]) -> Result) -> Result? {
    guard let known else { return nil }
    return ChildList.lock(number, in: known).pointee.withLock { body(&ChildList.children(number, in: known).pointee) }
  }

  var isEmpty: Bool {
    (0..<ChildList.count).allSatisfy { number in change(number) { children in children.isEmpty } ?? true }
  }

  var all: [PodState] {
    guard known != nil else { return [] }
    return (0..<ChildList.count).flatMap { number in
      change(number) { children in children.map { $0.takeUnretainedValue() } } ?? []
    }
  }
}
