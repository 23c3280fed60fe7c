import Synchronization

/// One construction under way.
///
/// The caller that made a build runs its builder, or starts a task for an async builder. Other callers may wait, see `WaitGraph`.
final class Build: Defined, @unchecked Sendable {
  // Safe: constants and atomics. The comments below say what guards the rest.

  enum Use: UInt8 {
    /// The pod caches the instance.
    case cached
    /// The builds of one top-level resolve share the instance.
    case graph
    /// Only the caller uses the instance: a transient.
    case transient
    /// Only the caller uses the instance, and disposes it: `perUse` and `withFreshInstance`.
    case fresh
  }

  let instance: Instance
  let request: Request.Context
  let use: Use
  let depth: Int32
  let start: Int64
  /// Guards the dependencies, and the fields that are marked below.
  let lock = Lock()
  /// Whether the build has ended, and whether callers wait for the build.
  let status = Atomic(Status.running)

  enum Status: UInt8, AtomicRepresentable { case running, awaited, ended }

  // Guarded by `lock`.
  /// The time in which the builder waited for other builds, in nanoseconds.
  @exclusivity(unchecked) private var nested: Int64 = 0
  /// Since when an async builder waits, and for how many builds: it may wait for several builds at once.
  @exclusivity(unchecked) private var nestedStart: Int64 = 0
  @exclusivity(unchecked) private var nestedCount: Int32 = 0
  /// The errors of the builds that the builder needed, or the error of this build if it failed.
  @exclusivity(unchecked) var errorOrigins: [ErrorOrigin] = []
  @exclusivity(unchecked) private var known: Set<Dependency.Key> = []
  @exclusivity(unchecked) private var ownToken: BuildToken?
  @exclusivity(unchecked) var ownGraph: GraphInstances?
  /// The provider whose resolve caused the latest move of this build to a child.
  @exclusivity(unchecked) var movedFor: Declaration?
  /// Whether the builder is done, so that nothing more is recorded.
  @exclusivity(unchecked) private(set) var isSealed = false

  // Used only by the thread or task that runs the build.
  /// The graph-scoped instances that include the instance of this build.
  @exclusivity(unchecked) var graph: GraphInstances?
  /// Whether no override that changed during the build concerns the instance.
  @exclusivity(unchecked) var isStillRight = true
  /// Whether the pod already caches such an instance, which the callers resolve then.
  @exclusivity(unchecked) var hasRival = false
  /// The observers that are to be notified of the build.
  @exclusivity(unchecked) var queuesToDeliver: [EventQueue] = []
  /// When the builder returned.
  @exclusivity(unchecked) var end: Int64 = 0

  // Guarded by the lock of `WaitGraph`.
  @exclusivity(unchecked) var waiters: [ObjectIdentifier: Waiter] = [:]
  /// The waits that block this build: its own, and the waits of builds that its thread or task runs for this build.
  @exclusivity(unchecked) var waits: [ObjectIdentifier: Waiter] = [:]
  /// The task of an async build; `nil` for a build without a task of its own.
  @exclusivity(unchecked) var task: Task<Void, Never>?
  /// The highest priority of the waiters of an async build.
  @exclusivity(unchecked) var priority = TaskPriority.background
  /// Whether the last waiter of an async build was canceled.
  @exclusivity(unchecked) var isAbandoned = false

  /// The pod that the builder receives.
  ///
  /// Set once, before the builder runs. The thread or task that runs the build releases the pod.
  @exclusivity(unchecked) private(set) var pod: Pod!

  init(_ instance: Instance, _ use: Use, for request: consuming Request.Context) {
    let parent = request.caller.build
    self.request = consume request
    self.use = use
    self.instance = instance
    depth = parent.map { $0.depth + 1 } ?? 0
    start = MonotonicClock.now
    instance.build = self
    // Other threads do not have the instance yet. A synchronous builder runs on this thread.
    if instance.declaration.kind != .async, CurrentThread.isMain { instance.flags.insert(.ranOnMain) }
    parent?.beginNested(at: start)
  }

  /// The pod for which the builder runs.
  var view: PodState { request.view }
  /// The revisions of the view and its ancestors at the beginning of the build.
  var revision: UInt { request.revision }
  /// The override whose builder resolves its own provider: this build uses the definition beneath this override.
  var outer: Override? { request.outer }
  /// The build whose builder waits for this build, or made the task of this build and has not ended.
  var parent: Build? { request.caller.build.flatMap { $0.hasEnded ? nil : $0 } }
  /// Whether the builder runs in a task that was made for it.
  var hasOwnTask: Bool { declaration.kind == .async && (use == .cached || use == .graph) }
  var declaration: Declaration { instance.declaration }
  var definition: Override? { instance.definition }

  @inline(__always)
  var hasEnded: Bool { status.load(ordering: .acquiring) == .ended }

  /// Gives the builder its pod: the pod that all builders of a root share, or a pod of its own.
  ///
  /// A builder for a child gets its own pod, since the home of its instance is not known yet. An async builder also gets its own pod: its
  /// callbacks often resolve on other threads, and only the pod tells for which build.
  func makePod() {
    if view.isRoot, declaration.kind != .async, let shared = view.builderPod() {
      pod = shared
    } else {
      pod = Pod(for: self)
    }
  }

  /// Breaks the references between a build and its pod at the end of the build.
  func releasePod() {
    guard declaration.kind == .async else { return pod = nil }
    let released = lock.withLock { () -> Pod? in
      defer { pod = nil }
      return pod
    }
    withExtendedLifetime(released) {}
  }

  /// The pod, for tasks that the builder made: they may read the pod while `releasePod()` runs.
  var podOfTasks: Pod? { lock.withLock { pod } }
}

// MARK: - Dependencies

extension Build {
  /// Records a dependency, once.
  func addDependency(_ dependency: Dependency) {
    lock.withLock {
      // Another thread may still use the pod of the builder. A finished instance never changes.
      guard !isSealed else { return }
      let count = instance.dependencies.count
      if count >= 16, known.isEmpty { known = Set(instance.dependencies.map(\.key)) }
      let key = dependency.key
      if count < 16 || !known.insert(key).inserted {
        if count >= 16, key.isExact { return }
        if instance.dependencies.contains(where: { $0.isSame(as: dependency) }) { return }
      }
      if count == 1 { instance.dependencies.reserveCapacity(4) }
      instance.dependencies.append(dependency)
      instance.inherit(dependency)
    }
    dependency.instance?.definition?.hasDependents.store(true, ordering: .relaxed)
    // A caller whose pod changes a dependency waits no longer. The earlier dependencies were judged before, and count again only if the
    // caller's pod has changed since, or if they are deferred: their answers may be new.
    lazy var changeable = dependencies.filter(\.isDeferred) + [dependency]
    WaitGraph.dismiss(self) { waiter in
      guard waiter.view !== view else { return false }
      return !isShared(by: waiter.view, judging: waiter.request.isUnchanged ? changeable : nil)
    }
  }

  /// Ends the recording; returns the time in which the builder has waited for other builds, in nanoseconds.
  ///
  /// From now on, only the thread that runs the build, or a thread that holds the lock of the home, changes the instance.
  func seal(at time: Int64) -> Int64 {
    let waited = lock.withLock {
      isSealed = true
      return nestedCount > 0 ? nested + time - nestedStart : nested
    }
    if instance.traits.contains(.isCrossPod) { settleDependencies() }
    moveDownToAnswers()
    instance.noteOwnTraits()
    return waited
  }

  /// Makes ordinary dependencies of those that were resolved from the home itself, as from a global pod, if the view shares them.
  ///
  /// Reads of the instance then compare no cross-pod dependencies: they take 17 ns instead of 720.
  private func settleDependencies() {
    let home = instance.home
    let levels = view.levels(below: home)
    let settled = instance.dependencies.map { dependency -> Dependency in
      guard case .crossPod(let other, let pod) = dependency, pod === home,
        levels.isEmpty || !view.isAnyChanged([.instance(other)], of: instance, in: home, by: levels)
      else { return dependency }
      return .instance(other)
    }
    lock.withLock { instance.replaceDependencies(settled) }
  }

  /// The pod in which the instance will live, as far as is known.
  var home: PodState { lock.withLock { instance.home } }

  func withHome<Result>(_ body: (PodState, borrowing PodState.Held) -> Result) -> Result {
    while true {
      let home = home
      let result = home.withLock { held in self.home === home ? Optional(body(home, held)) : nil }
      if let result { return result }
    }
  }

  /// Changes the home of the instance; returns `outdated` if the home has changed meanwhile.
  ///
  /// Called with the locks of both pods held, if the instance is cached or graph-scoped. `isRunner`: whether the thread that runs the build
  /// moves the instance. A move by another thread is refused once the builder is done.
  func setHome(_ target: PodState, in former: PodState, isRunner: Bool) -> HomeChange {
    lock.withLock {
      guard instance.home === former else { return .outdated }
      guard isRunner || !isSealed else { return .refused }
      instance.home = target
      return .done
    }
  }

  enum HomeChange { case done, refused, outdated }

  /// Notes that the builder begins to wait for another build.
  @inline(__always)
  func beginNested(at time: Int64) {
    // A synchronous builder waits for one build at a time.
    guard declaration.kind == .async else { return }
    lock.withLock {
      if nestedCount == 0 { nestedStart = time }
      nestedCount += 1
    }
  }

  /// Ends the wait.
  ///
  /// A time in which the builder waits for several builds counts once.
  func endNested(from start: Int64, to end: Int64) {
    lock.withLock {
      guard declaration.kind == .async else { return nested += end - start }
      nestedCount -= 1
      if nestedCount == 0 { nested += end - nestedStart }
    }
  }

  var dependencies: [Dependency] { lock.withLock { instance.dependencies } }

  /// Whether the instances that the builder has resolved so far are still right, although overrides changed.
  var isRightSoFar: Bool { view.isStillRight(instance, dependencies, after: outer) }

  /// Whether a pod shares the instance, as far as some dependencies tell, or all dependencies so far.
  func isShared(by pod: PodState, judging some: [Dependency]? = nil, _ retained: RetainedObjects? = nil) -> Bool {
    let home = home
    if pod === view || pod.changes(below: home).isEmpty { return true }
    // Fast path: most masks tell at once.
    let rest = (some ?? dependencies).filter { dependency in
      guard case .instance(let other) = dependency else { return true }
      other.home.refreshMasks()
      if other.isShared(by: pod) { return false }
      return retained != nil || !other.home.isUnchanged(other, for: pod)
    }
    return rest.isEmpty || !pod.isAnyChanged(rest, of: instance, in: home, by: pod.levels(below: home), retained)
  }

  /// Whether a pod would share the instance, judged also by the builds for which this build waits.
  func willBeShared(by pod: PodState, _ retained: RetainedObjects) -> Bool {
    retained.add(WaitGraph.awaited(by: self)).allSatisfy { awaited in
      let levels = pod.levels(below: awaited.home)
      return awaited.isShared(by: pod, retained)
        && (awaited === self
          || !levels.contains {
            $0.overrides(awaited.declaration) || $0.owned.contains(awaited.instance.scope.identity)
          })
    }
  }

  /// Stands for this build in the pods that are made while it runs.
  var token: BuildToken {
    // Without recursion, since builds may nest deeply.
    var (missing, outer): ([Build], BuildToken?) = ([], nil)
    for build in sequence(first: self, next: \.parent) {
      outer = build.lock.withLock { build.ownToken }
      if outer != nil { break }
      missing.append(build)
    }
    for build in missing.reversed() {
      outer = build.lock.withLock {
        let token = build.ownToken ?? BuildToken(parent: outer)
        build.ownToken = token
        return token
      }
    }
    return outer.unsafelyUnwrapped
  }

  /// Whether a pod was made while this build ran.
  func isInner(_ state: PodState) -> Bool {
    guard let token = lock.withLock({ ownToken }) else { return false }
    return state.selfAndAncestors.contains { $0.maker?.isWithin(token) ?? false }
  }
}
