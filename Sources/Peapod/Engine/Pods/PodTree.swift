/// The ancestors and the descendants of a pod.
extension PodState {
  /// Calls a body with this pod and then with each ancestor, until the body returns `true`.
  ///
  /// Every request climbs several times, so ancestors that never change are not retained. `isLocked`: whether a lock is held, so that no
  /// pod is made that acts for a parent that has just ended.
  @inline(__always)
  func climb(isLocked: Bool = false, _ body: (PodState) -> Bool) {
    var state = Unmanaged.passUnretained(self)
    var retained: PodState?
    while !state._withUnsafeGuaranteedRef(body) {
      // Safe: a state retains its `fixedParent`.
      if let parent = state._withUnsafeGuaranteedRef({ $0.unretainedParent }) {
        state = parent
        continue
      }
      retained = state._withUnsafeGuaranteedRef {
        $0.changingParent == nil ? nil : isLocked ? $0.knownPresentParent : $0.presentParent
      }
      guard let retained else { return }
      state = .passUnretained(retained)
    }
    withExtendedLifetime(retained) {}
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
  func isBelow(orSame other: PodState) -> Bool {
    var isFound = false
    climb { state in
      isFound = state === other
      return isFound
    }
    return isFound
  }

  /// The changes of the pods from this pod up to `other`, without `other`.
  @inline(__always)
  func changes(below other: PodState) -> UInt64 {
    var bits: UInt64 = 0
    climb { state in
      if state === other { return true }
      bits |= state.changes.load(ordering: .relaxed)
      return false
    }
    return bits
  }

  /// The sum of the revisions of this pod and its ancestors, and in the lowest bit whether a revision is odd.
  ///
  /// Revisions never decrease, so the sum stays equal only if no pod changed.
  @inline(__always)
  var chainRevision: UInt {
    var (sum, changing): (UInt, UInt) = (0, 0)
    climb(isLocked: true) { state in
      let next = state.revision.load(ordering: .acquiring)
      sum &+= next
      changing |= next & 1
      return false
    }
    return sum << 1 | changing
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
    if one === other { return one }
    var isOne = false
    var isOther = false
    climb { state in
      (isOne, isOther) = (state === one, state === other)
      return isOne || isOther
    }
    return isOne ? one : isOther ? other : self
  }

  /// The nearest pod, from this pod to the root, that owns a scope, or else the root.
  func owner(of scope: ScopeIdentity) -> PodState { first { $0.owned.contains(scope) } }

  /// Whether this pod or an ancestor owns a scope.
  func isOwned(_ scope: ScopeIdentity) -> Bool { owner(of: scope).owned.contains(scope) }

  func subtree(_ retained: RetainedObjects) -> [PodState] {
    var found = [self]
    var position = 0
    while position < found.count {
      found.append(contentsOf: found[position].children?.all ?? [])
      position += 1
    }
    return retained.add(found)
  }

  /// Lists this pod among the children of its parent.
  ///
  /// Called once, before other threads have the pod.
  func register() {
    if let changingParent { return changingParent.list(self) }
    // Safe: this state retains its `fixedParent`.
    unretainedParent?._withUnsafeGuaranteedRef { $0.add(child: self) }
  }

  /// Removes this pod from the list of its parent for good.
  func unregister() {
    if let changingParent { return changingParent.unlist(self) }
    unretainedParent?._withUnsafeGuaranteedRef { $0.remove(child: self) }
  }
}

extension UInt {
  /// For a `chainRevision`: whether a pod is hiding instances just now.
  var isChanging: Bool { self & 1 != 0 }
}

/// The children of a pod, in several lists with a lock each, so that threads rarely write to the same cache lines.
final class ChildList: @unchecked Sendable {
  // Safe: each shard is guarded by its own lock, and is never moved.

  private static let count = 16
  /// The lock of each shard, and 16 bytes behind the lock, the children of the shard.
  ///
  /// Listed children are alive, since `end()` first removes a child from the list.
  private let shards: UnsafeMutableRawPointer
  private static var stride: Int { Memory.lineBytes }

  init() {
    shards = Memory.allocateLines(bytes: ChildList.count * ChildList.stride)
    for number in 0..<ChildList.count {
      lock(number).initialize(to: Lock())
      children(number).initialize(to: [])
    }
  }

  deinit {
    for number in 0..<ChildList.count {
      lock(number).deinitialize(count: 1)
      children(number).deinitialize(count: 1)
    }
    shards.deallocate()
  }

  // The lock and the children are separate variables, since one thread reads the lock while another thread changes the children. Each shard
  // has cache lines of its own.

  private func lock(_ number: Int) -> UnsafeMutablePointer<Lock> {
    (shards + number * ChildList.stride).assumingMemoryBound(to: Lock.self)
  }

  private func children(_ number: Int) -> UnsafeMutablePointer<[Unmanaged<PodState>]> {
    (shards + number * ChildList.stride + 16).assumingMemoryBound(to: [Unmanaged<PodState>].self)
  }

  func add(_ child: PodState) {
    let number = Int(truncatingIfNeeded: (CurrentThread.id >> 12) ^ (CurrentThread.id >> 20)) & (ChildList.count - 1)
    lock(number).pointee.withLock {
      (child.shard, child.positionInShard) = (number, children(number).pointee.count)
      children(number).pointee.append(.passUnretained(child))
    }
  }

  func remove(_ child: PodState) {
    lock(child.shard).pointee.withLock {
      let list = children(child.shard)
      assert(list.pointee[child.positionInShard].toOpaque() == Unmanaged.passUnretained(child).toOpaque())
      let last = list.pointee.removeLast()
      guard last.toOpaque() != Unmanaged.passUnretained(child).toOpaque() else { return }
      // Safe: every listed child is alive.
      last._withUnsafeGuaranteedRef { $0.positionInShard = child.positionInShard }
      list.pointee[child.positionInShard] = last
    }
  }

  var all: [PodState] {
    (0..<ChildList.count).flatMap { number in
      lock(number).pointee.withLock { children(number).pointee.map { $0.takeUnretainedValue() } }
    }
  }
}
