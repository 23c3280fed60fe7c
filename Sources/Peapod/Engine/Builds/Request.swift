/// One request: what a caller asks of a pod, and how it is answered.
///
/// Every kind of request takes this one path: `answer()` gives the instance, a build to wait for, or a new build that the caller runs.
struct Request {
  let declaration: Declaration
  let caller: Caller
  /// The pod that was asked, and the nearest pod from there that changes anything.
  let asked: PodState
  let view: PodState
  /// The state that the pod was made with.
  private let origin: PodState
  /// The revisions of the pods that answer, when the request was made.
  let revision: UInt
  /// The position among the overrides of the provider.
  let outer: Override?
  let definition: Override?
  let scope: ScopeIdentity
  let kind: ScopeIdentity.Kind
  let use: Build.Use
  /// The `Lazy` or factory that resolves.
  private let deferral: Deferral?

  /// How a request goes on.
  enum Answer {
    /// The value was copied to the memory of the caller.
    case ready(Instance)
    /// Another caller builds the instance.
    case wait(Build)
    /// The caller builds the instance.
    case build(Build)
    /// The providers of a dependency cycle, the first of them not repeated.
    case cycle([ProviderInfo])
    /// There is no instance, and none may be built.
    case nothing
    /// An override changed meanwhile: the request is to be made again.
    case outdated
  }

  /// A request that is made later: it is not answered now.
  init(deferring declaration: Declaration, of pod: Pod, by caller: Caller) {
    self.init(unchecked: declaration, of: pod, by: caller, deferral: nil, isFresh: false)
  }

  /// Creates a request that is answered now.
  ///
  /// `deferral`: the `Lazy` or factory that resolves. `isFresh`: whether the instance is for one use.
  init(_ declaration: Declaration, of pod: Pod, by caller: Caller, deferral: Deferral? = nil, isFresh: Bool = false) {
    self.init(unchecked: declaration, of: pod, by: caller, deferral: deferral, isFresh: isFresh)
    if kind == .custom, !caller.isNobody, (definition?.ownScope ?? declaration.scope).requiresOwner,
      !view.isOwned(scope)
    {
      fatalError(Failure.unowned(declaration, scope, pod: asked.name, deferral ?? caller.build?.nearestDeferral))
    }
  }

  private init(unchecked declaration: Declaration, of pod: Pod, by caller: Caller, deferral: Deferral?, isFresh: Bool) {
    self.declaration = declaration
    self.caller = caller
    self.deferral = deferral
    asked = pod.actingState
    view = asked.effective
    origin = pod.state
    revision = view.chainRevision
    outer = caller.outer(for: declaration) ?? deferral?.outer
    definition = view.definition(of: declaration, after: outer)
    if !(caller.isNobody) { definition?.noteUse() }
    let named = definition?.ownScope
    scope = named?.identity ?? declaration.details?.scope.identity ?? .singleton
    kind = named?.identity.kind ?? declaration.scopeKind
    use =
      switch kind {
      case _ where isFresh: .fresh
      case .alwaysCreateNew: .transient
      case .graph: .graph
      default: .cached
      }
  }

  /// Answers the request.
  ///
  /// `memory`: where the value is copied to; `nil` for a request that only looks. `mayBuild`: whether to wait and to build.
  func answer(into memory: UnsafeMutableRawPointer?, mayBuild: Bool = true) -> Answer {
    switch use {
    case .transient, .fresh:
      guard mayBuild else { return .nothing }
      if let path = caller.build?.path(fromSame: declaration, definition, for: view) { return .cycle(path) }
      return begun(newBuild(in: home))
    case .graph: return answerFromGraph(into: memory, mayBuild: mayBuild)
    case .cached: return answerFromPods(into: memory, mayBuild: mayBuild)
    }
  }

  /// The highest pod in which an instance may live.
  private var home: PodState { view.home(of: definition, scope, kind) }

  // MARK: - Cached instances

  /// What a look at one pod found.
  private enum Found {
    case nothing
    case ready(Instance)
    /// Cached; whether this pod shares it has to be found out without the lock.
    case candidate(Instance)
    /// The object of a weak instance is deallocated.
    case gone(Instance)
    case building(Build)
    case claimed(Build)
    /// A build has moved to a pod that was looked at before.
    case moved
    case outdated
  }

  /// What is known of the instances that were found.
  private struct Findings {
    var accepted: Instance?
    var rejected: [Instance] = []
    var gone: [Instance] = []
  }

  private func answerFromPods(into memory: UnsafeMutableRawPointer?, mayBuild: Bool) -> Answer {
    let home = home
    // A builder that needs itself although its build is no longer found, since it was cleared.
    if let build = caller.build, build.isAtPowerOfTwo,
      let path = build.path(fromSame: declaration, definition, for: view)
    {
      return mayBuild ? .cycle(path) : .nothing
    }
    var findings = Findings()
    var level = view
    var moves = view.moves(upTo: home)
    while true {
      let found = look(in: level, into: memory, findings, claimIf: mayBuild && level === home ? moves : nil)
      switch found {
      case .ready(let instance):
        record(instance)
        return .ready(instance)
      case .claimed(let build): return begun(build)
      case .building(let build):
        guard accepts(build) else {
          findings.rejected.append(build.instance)
          continue
        }
        guard mayBuild else { return .nothing }
        return .wait(build)
      case .candidate(let instance):
        if isRight(instance) {
          findings.accepted = instance
          // The next one that changes nothing of this instance finds it without the lock.
          level.refreshMasks()
        } else {
          findings.rejected.append(instance)
        }
        continue
      case .gone(let instance):
        findings.gone.append(instance)
        continue
      case .moved:
        moves = view.moves(upTo: home)
        level = view
        continue
      case .outdated: return .outdated
      case .nothing: break
      }
      guard level !== home, let parent = level.parent else { return .nothing }
      level = parent
    }
  }

  /// Looks for the instance in one pod, and claims the build if there is none.
  ///
  /// `claimIf`: the number of moves that were made when the search began; `nil` if the build belongs to another pod.
  private func look(
    in level: PodState, into memory: UnsafeMutableRawPointer?, _ findings: Findings, claimIf moves: UInt?
  ) -> Found {
    // Released without the lock.
    var removed: Instance?
    defer { removed?.takeValue()?.release() }
    // Of a weak provider: released without the lock, since this may be the last reference.
    var object: AnyObject?
    defer { withExtendedLifetime(object) {} }
    let changes = level === view ? 0 : view.changes(below: level)
    return level.lock.withLock { () -> Found in
      var (building, replaced): (Build?, Instance?)
      var next = level.table.first(declaration)
      while let candidate = next {
        next = candidate.next
        guard candidate.definition === definition else { continue }
        switch candidate.state {
        case .cached where candidate.hiddenCount == 0:
          if findings.rejected.contains(where: { $0 === candidate }) { continue }
          if findings.gone.contains(where: { $0 === candidate }) {
            if moves != nil { replaced = candidate }
            continue
          }
          guard
            level === view && (!candidate.traits.contains(.isCrossPod) || level.isCompact)
              || candidate === findings.accepted || level.isShared(candidate, despite: changes)
          else {
            return .candidate(candidate)
          }
          return deliver(candidate, of: level, to: memory, retaining: &object) ? .ready(candidate) : .gone(candidate)
        case .building:
          if building == nil, !findings.rejected.contains(where: { $0 === candidate }) {
            building = candidate.build
          }
        case .record: if moves != nil { replaced = candidate }
        case .cached: break
        }
      }
      if let building { return .building(building) }
      guard let moves else { return .nothing }
      // A build moves with the lock of this pod held, so from here on none does.
      guard view.moves(upTo: level) == moves else { return .moved }
      guard view.chainRevision == revision else { return .outdated }
      if let replaced {
        level.table.remove(replaced)
        replaced.state = .record
        removed = replaced
      }
      return claim(in: level, replacing: replaced, into: memory)
    }
  }

  /// Copies the value of a cached instance.
  ///
  /// Called with the lock held.
  private func deliver(
    _ instance: Instance, of level: PodState, to memory: UnsafeMutableRawPointer?, retaining object: inout AnyObject?
  ) -> Bool {
    let value = StoredValue(word: instance.word)
    if instance.flags.contains(.isWeak) {
      object = instance.weakObject
      guard let object else { return false }
      if let memory { declaration.move(declaration.value(of: object), to: memory) }
      return true
    }
    if let memory {
      declaration.copy(value, to: memory)
      level.publish(instance)
      level.restock(instance)
    }
    return true
  }

  /// Enters a new instance into the table of its pod.
  ///
  /// Called with the lock held.
  private func claim(in level: PodState, replacing replaced: Instance?, into memory: UnsafeMutableRawPointer?) -> Found
  {
    let instance = Instance(declaration, definition, in: level, .building)
    instance.buildCount = replaced?.buildCount ?? level.takeBuildCount(of: declaration)
    // In a pod that has ended meanwhile, the value goes to the caller alone, as that of any build.
    if let definition, definition.isConstant, kind != .weak, !level.isEnded {
      let lent = definition.lentWord
      instance.word = lent != 0 ? lent : definition.constantValue().word
      if lent != 0 { instance.flags.insert(.isLent) }
      instance.noteOwnTraits()
      instance.buildCount &+= 1
      level.clock += 1
      instance.serial = level.clock
      instance.state = .cached
      level.table.insert(instance)
      if let memory { declaration.copy(StoredValue(word: instance.word), to: memory) }
      level.publish(instance)
      return .ready(instance)
    }
    // Before the instance is in the table: others find the build there.
    let build = newBuild(of: instance)
    level.table.insert(instance)
    return .claimed(build)
  }

  /// Whether this pod accepts the instance that a build will give, as far as is known.
  private func accepts(_ build: Build) -> Bool {
    let home = build.home
    let revision = build.view.chainRevision
    if revision != build.revision || revision.isChanging, !build.isRightSoFar { return false }
    return build.view === view || view.changes(below: home) == 0
      || !view.isAnyChanged(
        build.dependencies.compactMap(\.instance), by: view.levels(below: home), isTop: false)
        && !view.isAnyQuestionChanged(build.dependencies, by: view.levels(below: home))
  }

  /// Begins to wait for the build that answers the request.
  ///
  /// A build that has moved since then dismissed only those who waited already: so this looks again.
  func wait(_ waiter: Waiter) -> WaitGraph.Attempt {
    let attempt = WaitGraph.wait(waiter)
    let build = waiter.build
    if case .waiting = attempt, build.view !== view, !view.isBelow(orSame: build.home) || !accepts(build) {
      WaitGraph.dismiss(build) { $0 === waiter }
    }
    return attempt
  }

  /// Whether a cached instance is right for this pod.
  private func isRight(_ instance: Instance) -> Bool {
    guard view.shares(instance) else { return false }
    guard instance.traits.contains(.isCrossPod), !view.hasCurrentCrossPodDependencies(instance) else { return true }
    // Another pod changed: what was built from the former answer is outdated.
    Teardown.run(instance.home.take([instance], Kept()))
    instance.home.notifyWatchers()
    return false
  }

  // MARK: - Graph-scoped instances

  private func answerFromGraph(into memory: UnsafeMutableRawPointer?, mayBuild: Bool) -> Answer {
    let known = caller.graph
    let all = known?.all ?? []
    for build in all where build.declaration === declaration && build.definition === definition {
      guard view.isBelow(orSame: build.home) else { continue }
      let instance = build.instance
      let (isCached, isRunning) = build.withHome { _ in
        (instance.state == .cached && instance.hiddenCount == 0, instance.state == .building)
      }
      if isRunning, accepts(build) { return mayBuild ? .wait(build) : .nothing }
      guard isCached, view.shares(instance), view.isStillRight(instance, after: outer) else { continue }
      var object: AnyObject?
      let isDelivered = instance.home.lock.withLock {
        instance.word != 0 && deliver(instance, of: instance.home, to: memory, retaining: &object)
      }
      guard isDelivered else { continue }
      record(instance)
      return .ready(instance)
    }
    guard mayBuild else { return .nothing }
    let new = known?.add(after: all.count) {
      let build = newBuild(in: home)
      build.graph = known
      return build
    }
    // Another task of this resolve began a build meanwhile, perhaps of the same provider.
    if known != nil, new == nil { return answerFromGraph(into: memory, mayBuild: mayBuild) }
    if let new { return begun(new) }
    let build = newBuild(in: home)
    build.graph = build.graphInstances
    _ = build.graph?.add(after: 0) { build }
    return begun(build)
  }

  // MARK: - Beginning

  private func newBuild(in home: PodState) -> Build {
    newBuild(of: Instance(declaration, definition, in: home, .building))
  }

  private func newBuild(of instance: Instance) -> Build {
    Build(instance, use, after: outer, for: view, revision: revision, parent: caller.build, deferral: deferral)
  }

  private func begun(_ build: Build) -> Answer {
    build.takePod()
    move(to: build.instance.home)
    return .build(build)
  }

  /// Records the answer as a dependency of the build that asks.
  func record(_ instance: Instance) {
    caller.recorder?.record(instance, from: self)
  }

  /// The instance of the build that asks will live in a pod, or below.
  func move(to home: PodState) {
    if let recorder = caller.recorder, isOwn(of: recorder) { recorder.moveDown(to: home) }
  }

  /// Whether the pod of a build was asked.
  ///
  /// The pod may have ceased to change anything, or ended, since the builder began.
  func isOwn(of build: Build) -> Bool {
    view === build.view || asked === build.view || origin === build.view && origin.isEnded
  }
}

extension Instance {
  /// The instance of a weak provider, while something else retains it.
  ///
  /// Called with the lock of `home` held.
  var weakObject: AnyObject? {
    guard word != 0 else { return nil }
    // Safe: the value of a weak instance is a retained `WeakReference`.
    return Unmanaged<WeakReference>.fromOpaque(UnsafeRawPointer(bitPattern: word).unsafelyUnwrapped)
      ._withUnsafeGuaranteedRef { $0.object }
  }
}
