/// The parent of a child that was made with a builder's pod.
///
/// When the build ends, the builder's pod refers to the pod in which the instance lives, and that pod is the parent from then on.
final class ChangingParent: @unchecked Sendable {
  // Safe: guarded by `lock`.
  private let lock = Lock()
  /// The builder's pod, until the child and the build have ended; it retains the pod that acts for an ended parent.
  private var pod: Pod?
  /// The last parent, after the child has ended.
  private var last: PodState?
  /// The parent that lists the child, while the child is listed.
  private var listing: PodState?
  private var isUnlisted = false

  init(_ pod: Pod) { self.pod = pod }

  private var both: (pod: Pod?, last: PodState?) { lock.withLock { (pod, last) } }

  var state: PodState? {
    let (pod, last) = both
    return pod?.currentState ?? last?.successor ?? last
  }

  /// `state`, for callers that hold a lock: no pod is made that acts for a parent that has just ended.
  var knownState: PodState? {
    // Without the pod that acts for the last parent, since the caller may hold the lock of the last parent. With the lock of this object,
    // since another thread may end the child, and the last reference to `pod` must not be released here.
    lock.withLock { pod?.knownState ?? last }
  }

  /// The parent, as a pod that does not retain the parent's cached instances.
  var handle: Pod? {
    let (pod, last) = both
    return pod ?? last.map { Pod(handleOf: $0) }
  }

  /// Lists the child among the children of its present parent.
  ///
  /// After a call of `unlist`, it only releases the builder's pod once the build has ended. Called without locks.
  ///
  /// `isNew`: whether no other thread has the child, so that no change of the tree concerns it.
  func list(_ child: PodState, isNew: Bool) {
    var listed: PodState?
    repeat {
      listed = state
      // Before the lock is taken, since the lock of the parent comes first.
      listed?.makeChildren()
      // A change of the tree reads the lists one by one, so it could miss a child that moves meanwhile.
      let former = isNew ? move(child, to: listed) : listed?.root.changing { _ in move(child, to: listed) }
      former?.unregister()
      // Another thread may have changed the parent meanwhile.
    } while listed !== state
    if let settled = both.pod?.settledState { child.settleParent(settled) }
    releasePod()
  }

  /// Moves the child to the list of another parent, and returns the former parent; `nil` if the child stays where it is, or is unlisted.
  private func move(_ child: PodState, to next: PodState?) -> PodState? {
    lock.withLock {
      guard !isUnlisted, next !== listing else { return nil }
      defer { listing = next }
      listing?.children.remove(child)
      next?.children.add(child)
      return listing
    }
  }

  /// Removes the child from the list of its parent for good.
  func unlist(_ child: PodState) {
    let former = lock.withLock {
      listing?.children.remove(child)
      defer { (listing, isUnlisted) = (nil, true) }
      return listing
    }
    former?.unregister()
    releasePod()
  }

  /// Releases the builder's pod after the end of the child; before the end of the build, the last parent is not known.
  private func releasePod() {
    let released = lock.withLock { () -> Pod? in
      guard isUnlisted, let settled = pod?.settledState else { return nil }
      last = settled
      defer { pod = nil }
      return pod
    }
    // Released without the lock: this may be the last reference.
    withExtendedLifetime(released) {}
  }
}

extension PodState {
  /// Removes the instances of this pod and its descendants that depend on an instance of a pod that is no ancestor any longer; returns the
  /// disposal, which the caller runs without locks.
  ///
  /// The instance of a builder lives in or below the pods of what the builder has recorded. But a thread of the builder records nothing.
  func takeInstancesOfFormerParents() -> (() -> Void)? {
    guard withLock({ held in hasInstances || hasChildren(held) }) else { return nil }
    let disposal = root.changing { retained -> (() -> Void)? in
      revision.wrappingAdd(1, ordering: .releasing)
      defer { revision.wrappingAdd(1, ordering: .releasing) }
      let all = retained.add(subtree(retained).flatMap { $0.finishedInstances })
      var walk = Walk<Instance>()
      for instance in all { walk.add(instance) }
      // An instance of an ancestor depends on ancestors only.
      while let next = walk.next() {
        for other in next.ownDependencies where other.home.isBelow(orActingFor: self) { walk.add(other) }
      }
      var concerned: Set<ObjectIdentifier> = []
      for instance in walk.found.sorted(by: { $0.serial < $1.serial })
      where instance.ownDependencies.contains(where: { other in
        concerned.contains(ObjectIdentifier(other))
          || !isBelow(orActingFor: other.home) && !other.home.isBelow(orActingFor: self)
      }) {
        concerned.insert(ObjectIdentifier(instance))
        // So that the builds in progress are not cached that have resolved the instance.
        instance.home.withLock { _ in instance.flags.insert(.isOutdated) }
      }
      let ended = take(all.filter { concerned.contains(ObjectIdentifier($0)) }, retained)
      return ended.isEmpty ? nil : Teardown.prepare(ended, retained)
    }
    return disposal.map { disposal in
      {
        disposal()
        self.notifyWatchers()
      }
    }
  }

  /// Whether this pod is `other`, a descendant of `other`, or one of a pod that acts for `other` after its end.
  func isBelow(orActingFor other: PodState) -> Bool { selfAndAncestors.contains { $0.place == other.place } }
}

extension Instance {
  /// The instances that the builder resolved from its own pod.
  var ownDependencies: [Instance] {
    dependencies.compactMap { if case .instance(let other) = $0 { other } else { nil } }
  }
}
