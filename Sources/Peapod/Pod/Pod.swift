import Synchronization

/// Resolves providers, caches their instances as their scopes say, and can override every provider.
///
/// ```swift
/// let pod = Pod()
/// let report = pod.resolve(reportProvider)
/// ```
/// A pod records which provider resolves which. Overrides, child pods, teardown order and diagrams follow from this dependency graph, so
/// none of them needs a declaration.
///
/// - Note: Every method may be called from any thread, and from within builders, disposal closures and observers. The pod holds no lock
///   while such code runs.
public final class Pod: Sendable {
  /// A root pod that always exists, for programs that need only one pod.
  public static let shared = Pod("shared")

  /// The pod of this task: ``shared``, unless `withChild` or a test trait sets another pod.
  @TaskLocal public static var current: Pod = .shared

  /// The parent of a child pod, or `nil`.
  public var parent: Pod? { actingState.parentPod }

  /// The name of the pod in messages and diagrams.
  public var name: String { actingState.name }

  /// The address of the retained state, or zero while the pod is not settled.
  ///
  /// The pod of a builder is settled when the build ends.
  private let settled: Atomic<UInt>
  /// Whether the user made this pod, so that the state ends when the pod is deallocated.
  ///
  /// Builders receive pods that are not owners.
  let isOwner: Bool
  private let lock = Lock()

  // Safe: guarded by `lock`.

  /// The state for which the builder runs, in a pod that is not settled.
  @exclusivity(unchecked) nonisolated(unsafe) private var view: PodState?
  /// The build while it runs, in a pod that is not settled.
  @exclusivity(unchecked) nonisolated(unsafe) private var runningBuild: Build?
  /// The children that were made with the pod, while it is not settled.
  @exclusivity(unchecked) nonisolated(unsafe) private var children: [WeakReference] = []
  /// The pod that acts for this pod after the end of its state.
  @exclusivity(unchecked) nonisolated(unsafe) private var successor: Pod?

  /// Creates a root pod.
  ///
  /// - Parameters:
  ///   - name: The name of the pod in messages and diagrams.
  ///   - observers: The observers of this pod and of its descendants.
  public convenience init(_ name: String = "Pod", observers: [any PodObserver] = []) {
    self.init(owning: PodState(name, parentPod: nil, observers: observers.map { ($0, nil) }))
  }

  /// Creates the pod that caches the value of a `Lazy`: a root pod without slots, which needs less memory, and takes a lock for each read.
  ///
  /// `source`: the pod that resolves the value.
  convenience init(ofLazyFrom source: Pod?) {
    let maker = source.flatMap { Caller(resolvingIn: $0).recorder }
    let lazySource = maker == nil ? nil : source.map { (Unmanaged.passUnretained($0), isOwn: $0.build != nil) }
    self.init(owning: PodState("Lazy", parentPod: nil, isCompact: true, lazySource: lazySource))
  }

  /// Creates the pod that owns a state, and lists it among the children of its parent.
  init(owning state: PodState) {
    settled = Atomic(UInt(bitPattern: Unmanaged.passRetained(state).toOpaque()))
    isOwner = true
    state.register()
  }

  /// Creates a pod that refers to a state.
  init(handleOf state: PodState) {
    settled = Atomic(UInt(bitPattern: Unmanaged.passRetained(state).toOpaque()))
    isOwner = false
  }

  /// Creates the pod of a builder, while it is not known yet which pod will have the instance.
  init(for build: Build) {
    settled = Atomic(0)
    isOwner = false
    view = build.view
    runningBuild = build
  }

  deinit {
    guard let state = unretainedState else { return }
    if isOwner { state._withUnsafeGuaranteedRef { $0.end() } }
    state.release()
  }
}

// MARK: - The state

extension Pod {
  /// The state, if it is settled, for callers that retain this pod.
  @inline(__always)
  var unretainedState: Unmanaged<PodState>? {
    // Safe: the state was retained when its address was stored, and is released with this pod.
    UnsafeRawPointer(bitPattern: settled.load(ordering: .acquiring)).map { .fromOpaque($0) }
  }

  /// The state, if it is settled.
  @inline(__always)
  var settledState: PodState? { unretainedState?.takeUnretainedValue() }

  /// Whether this pod surely refers to a child: for its builder, the instance lives there.
  var isOfChild: Bool { settledState.map { !$0.isRoot } ?? false }

  /// The state, if the user made this pod.
  @inline(__always)
  var ownedState: PodState? { isOwner ? settledState : nil }

  /// The state of this pod, ended or not.
  @inline(__always)
  var state: PodState { settledState ?? unsettledState }

  @inline(never)
  private var unsettledState: PodState {
    // If there is no view, the pod has been settled meanwhile.
    lock.withLock { view } ?? settledState.unsafelyUnwrapped
  }

  /// The state of this pod, or of the pod that acts for it after the end of its state.
  @inline(__always)
  var currentState: PodState {
    let state = state
    return state.isEnded ? successor(of: state).state : state
  }

  /// The state of this pod, or of a successor that this pod already knows.
  ///
  /// Takes no lock of a state.
  var knownState: PodState {
    let state = state
    guard state.isEnded else { return state }
    // With the lock, since another thread may release the successor.
    return lock.withLock { successor?.state } ?? state
  }

  /// The state that answers now: in an override scope, the state of the scope.
  @inline(__always)
  var actingState: PodState { acting(for: state) }

  /// The same, for a state of this pod.
  @inline(__always)
  func acting(for state: PodState) -> PodState {
    state.has(PodState.Condition.changesAnswers) ? unusualState(state) : state
  }

  @inline(never)
  private func unusualState(_ state: PodState) -> PodState {
    if state.hasOverrideScope, let substitute = TaskContext.substitute(for: state) { return substitute.currentState }
    return state.isEnded ? successor(of: state).state : state
  }

  /// The build whose builder received this pod, while the build runs.
  @inline(__always)
  var build: Build? {
    guard settled.load(ordering: .relaxed) == 0 else { return nil }
    return lock.withLock { runningBuild }
  }

  /// The pod that continues after the end of the state, with the same overrides and an empty cache.
  ///
  /// Pods that are not owners retain the successor, so the successor ends with the last of these pods.
  private func successor(of ended: PodState) -> Pod {
    if let known = lock.withLock({ successor }) { return known }
    let parent = ended.nonOwningParentPod
    let state = ended.emptySuccessor(below: parent)
    // A pod that left the list of its parent has no children, and must not be retained by its successors.
    let listed = sequence(first: ended) { state in state.withLock { held in state.knownRare(held)?.predecessor } }
      .first { !$0.has(PodState.Condition.isUnlisted) }
    if let listed { state.withLock { held in state.madeRare(held).predecessor = listed } }
    let made = Pod(owning: state)
    parent?.noteChild(state)
    let next = ended.withLock { held -> Pod in
      if let known = ended.madeRare(held).successor { return known }
      ended.madeRare(held).successor = made
      return made
    }
    return lock.withLock {
      if let successor { return successor }
      // The pod whose deinitializer runs must not retain anything. A pod that was settled meanwhile has another state.
      if !isOwner, (view ?? settledState) === ended { successor = next }
      return next
    }
  }

  /// Points the pod of a builder at the pod in which the instance lives; returns disposals, which the caller runs without locks.
  func settle(in home: PodState) -> [() -> Void] {
    let (children, isMoved, outdated) = lock.withLock { () -> ([PodState], Bool, Pod?) in
      guard let former = view else { return ([], false, nil) }
      let children = self.children.compactMap { $0.object as? PodState }
      // A sum of revisions does not decrease, although the sum of the home may be smaller than that of the view.
      for child in children { child.revision.wrappingAdd(1 << 20, ordering: .releasing) }
      settled.store(UInt(bitPattern: Unmanaged.passRetained(home).toOpaque()), ordering: .releasing)
      defer { (view, runningBuild, self.children) = (nil, nil, []) }
      guard former !== home else { return (children, false, nil) }
      // The successor continued the view, not the home.
      defer { successor = nil }
      return (children, true, successor)
    }
    // The children may have another parent now. Those that have ended release this pod.
    for child in children { child.changingParent?.list(child, isNew: false) }
    // Released without the lock, since the end of the successor disposes its instances.
    withExtendedLifetime(outdated) {}
    return isMoved ? children.compactMap { $0.takeInstancesOfFormerParents() } : []
  }

  /// Records a child of a pod that is not settled.
  func noteChild(_ child: PodState) {
    guard child.changingParent != nil else { return }
    var retained: [AnyObject] = []
    let isSettled = lock.withLock {
      guard view != nil else { return true }
      // Now and then, since an async builder may make a child for each of many steps.
      if children.count >= 64, children.count.nonzeroBitCount == 1 {
        // Released without the lock: another thread may release the others' last reference meanwhile.
        retained = children.compactMap(\.object)
        children.removeAll { $0.object == nil }
      }
      children.append(WeakReference(child))
      return false
    }
    withExtendedLifetime(retained) {}
    // The pod may have been settled since the child was listed.
    if isSettled { child.changingParent?.list(child, isNew: true) }
  }
}
