/// The pods above and below a pod.
extension PodState {
  /// The pod at the top.
  var root: PodState {
    var state = self
    while let parent = state.parent { state = parent }
    return state
  }

  /// The nearest pod, from this one up, that changes anything, or else the root.
  ///
  /// It answers every request to this pod.
  @inline(__always)
  var effective: PodState {
    var state = self
    while state.changes.load(ordering: .relaxed) == 0, let parent = state.parent { state = parent }
    return state
  }

  /// Whether this is a pod or one of its descendants.
  func isBelow(orSame other: PodState) -> Bool {
    var state: PodState? = self
    while let current = state {
      if current === other { return true }
      state = current.parent
    }
    return false
  }

  /// The bits of all that the pods change from this one up to another, without that one.
  @inline(__always)
  func changes(below other: PodState) -> UInt64 {
    var bits: UInt64 = 0
    var state = self
    while state !== other {
      bits |= state.changes.load(ordering: .relaxed)
      guard let parent = state.parent else { break }
      state = parent
    }
    return bits
  }

  /// The sum of the revisions from this pod up.
  ///
  /// It stays the same only if no pod changed: revisions never decrease.
  @inline(__always)
  var chainRevision: UInt {
    var sum = revision.load(ordering: .acquiring)
    var changing = sum & 1
    var state = self
    while let parent = state.knownParent {
      let next = parent.revision.load(ordering: .acquiring)
      sum &+= next
      changing |= next & 1
      state = parent
    }
    return sum << 1 | changing
  }

  /// How many builds moved to this pod and its ancestors below another one.
  func moves(upTo other: PodState) -> UInt {
    var sum: UInt = 0
    var state = self
    while state !== other {
      sum &+= state.moves.load(ordering: .relaxed)
      guard let parent = state.knownParent else { break }
      state = parent
    }
    return sum
  }

  /// The first of two pods on the way up from this one; both are on that way.
  func lower(of one: PodState, _ other: PodState) -> PodState {
    if one === other { return one }
    var state: PodState? = self
    while let current = state {
      if current === one { return one }
      if current === other { return other }
      state = current.parent
    }
    return self
  }

  /// The nearest pod, from this one up, that owns a scope, or else the root.
  func owner(of scope: ScopeIdentity) -> PodState {
    var state = self
    while let parent = state.parent, !state.owned.contains(scope) { state = parent }
    return state
  }

  /// Whether a pod, from this one up, owns a scope.
  func isOwned(_ scope: ScopeIdentity) -> Bool { owner(of: scope).owned.contains(scope) }

  /// This pod and its descendants.
  func subtree(_ kept: Kept) -> [PodState] {
    var found = [self]
    var position = 0
    while position < found.count {
      found.append(contentsOf: found[position].children?.all ?? [])
      position += 1
    }
    return kept.keep(found)
  }

  /// Lists this pod among the children of its parent.
  ///
  /// Called once, before other threads have the pod.
  func register() {
    if changesParent { registerAgain() } else { registration = parent?.madeChildren.add(self) }
  }

  /// Lists this pod among the children of its present parent.
  ///
  /// Once `unregister` was called, it does nothing. Called without locks.
  func registerAgain() {
    guard changesParent else { return }
    var listed: PodState?
    repeat {
      listed = parent
      let list = listed?.madeChildren
      listing.withLock {
        unlist()
        if !isUnlisted { registration = list?.add(self) }
      }
      // Another thread may have changed the parent meanwhile.
    } while listed !== parent
  }

  /// Ends the listing.
  func unregister() {
    guard changesParent else { return unlist() }
    let handle = listing.withLock {
      unlist()
      isUnlisted = true
      return takeParentHandle()
    }
    withExtendedLifetime(handle) {}
  }

  /// Called with the lock `listing` held, if the parent changes.
  private func unlist() {
    guard let registration else { return }
    registration.list.remove(self, registration)
    self.registration = nil
  }
}

extension UInt {
  /// Of a sum of revisions: whether a pod is hiding instances just now.
  var isChanging: Bool { self & 1 != 0 }
}

/// The children of a pod, in several lists with a lock each: threads that make and release children at the same time write to lists, and
/// to cache lines, of their own.
final class ChildList: @unchecked Sendable {
  // Safe: each shard is guarded by its own lock, and is never moved.

  private static let count = 16
  /// The lock of each shard, and 16 bytes behind it the children in it.
  ///
  /// They are alive as long as they are listed: `end()` removes them first.
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
    Memory.free(shards)
  }

  // Apart from each other, since a thread looks at the lock while another one changes the children. Each shard has cache lines of its own.

  private func lock(_ number: Int) -> UnsafeMutablePointer<Lock> {
    (shards + number * ChildList.stride).assumingMemoryBound(to: Lock.self)
  }

  private func children(_ number: Int) -> UnsafeMutablePointer<[Unmanaged<PodState>]> {
    (shards + number * ChildList.stride + 16).assumingMemoryBound(to: [Unmanaged<PodState>].self)
  }

  /// The list and the shard in which one child is.
  struct Registration {
    let list: ChildList
    fileprivate let shard: Int
  }

  func add(_ child: PodState) -> Registration {
    let number = Int(truncatingIfNeeded: (CurrentThread.id >> 12) ^ (CurrentThread.id >> 20)) & (ChildList.count - 1)
    lock(number).pointee.withLock {
      child.listPosition = children(number).pointee.count
      children(number).pointee.append(.passUnretained(child))
    }
    return Registration(list: self, shard: number)
  }

  func remove(_ child: PodState, _ registration: Registration) {
    lock(registration.shard).pointee.withLock {
      let list = children(registration.shard)
      let last = list.pointee.removeLast()
      guard last.toOpaque() != Unmanaged.passUnretained(child).toOpaque() else { return }
      // Safe: every listed child is alive.
      last._withUnsafeGuaranteedRef { $0.listPosition = child.listPosition }
      list.pointee[child.listPosition] = last
    }
  }

  var all: [PodState] {
    (0..<ChildList.count).flatMap { number in
      lock(number).pointee.withLock { children(number).pointee.map { $0.takeUnretainedValue() } }
    }
  }
}
