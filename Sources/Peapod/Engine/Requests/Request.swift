/// One request: a caller resolves a provider from a pod.
///
/// Every kind of request takes this path: `answer()` returns the instance, a build to wait for, or a new build that the caller runs. A
/// request cannot be copied, since a copy would retain all objects to which the request refers.
struct Request: ~Copyable {
  let declaration: Declaration
  let definition: Override?
  let kind: ScopeIdentity.Kind
  let use: Build.Use
  let context: Context

  /// The part of a request that its build stores: the caller and the pod.
  struct Context {
    let caller: Caller
    /// The nearest pod, from the resolving pod up, that overrides a provider or owns a scope, or else the root.
    let view: PodState
    /// The resolving pod, if it is not the view.
    fileprivate let otherAsked: PodState?
    /// The resolving pod.
    var asked: PodState { otherAsked ?? view }
    /// The pod's own state, if another state acts for it.
    fileprivate let otherOwn: PodState?
    /// The pod's own state, for which another state may act.
    var own: PodState { otherOwn ?? asked }
    /// The revisions of the view and its ancestors when the request was made.
    let revision: UInt
    /// The override beneath which the provider is resolved.
    let outer: Override?
    /// The `Lazy` or factory that resolves.
    let deferral: Deferral?
  }

  var caller: Caller { context.caller }
  var view: PodState { context.view }
  var revision: UInt { context.revision }
  var outer: Override? { context.outer }

  enum Answer {
    /// A cached instance, with its value for the caller.
    case ready(Instance, StoredValue?)
    /// Another caller builds the instance.
    case wait(Build)
    /// The caller builds the instance.
    case build(Build)
    /// The builds of a dependency cycle, without the first build at the end again.
    case cycle([Build])
    /// There is no instance, and none may be built.
    case nothing
    /// An override changed meanwhile: the request is to be made again.
    case outdated
  }

  var scope: ScopeIdentity { definition?.ownScope?.identity ?? declaration.details?.scope.identity ?? .singleton }

  enum Purpose {
    case resolve
    /// Builds an instance for one use.
    case useOnce
    /// Records a deferred dependency, which is not answered now.
    case deferral
    /// Looks for an instance, and records nothing.
    case look
  }

  /// Creates a request of the code that runs here.
  ///
  /// `deferral`: the `Lazy` or factory that resolves.
  init(_ declaration: Declaration, of pod: Pod, to purpose: Purpose = .resolve, _ deferral: Deferral? = nil) {
    self.declaration = declaration
    let isAwaited = declaration.kind == .async && (purpose == .resolve || purpose == .useOnce)
    let here = Caller(resolvingIn: pod, isAwaited: isAwaited)
    let caller = purpose == .look ? Caller() : here
    let own = pod.state
    let asked = own.has(PodState.Condition.changesAnswers) ? pod.acting(for: own) : own
    let view = asked.effective
    let outer = here.outer(for: declaration) ?? deferral?.outer(for: declaration)
    // Before the request looks at any override: an override that is installed later outdates the request.
    let revision = view.chainRevision
    definition = view.definition(of: declaration, after: outer)
    if purpose != .look { definition?.noteUse() }
    kind = definition?.ownScope?.identity.kind ?? declaration.scopeKind
    use =
      switch kind {
      case _ where purpose == .useOnce: .fresh
      case .alwaysCreateNew: .transient
      case .graph: .graph
      default: .cached
      }
    context = Context(
      caller: caller, view: view, otherAsked: asked === view ? nil : asked, otherOwn: asked === own ? nil : own,
      revision: revision, outer: outer, deferral: deferral)
    if kind == .custom, purpose == .resolve || purpose == .useOnce { checkOwner() }
  }

  @inline(never)
  private func checkOwner() {
    let named = definition?.ownScope ?? declaration.scope
    guard named.requiresOwner, !view.isOwned(scope) else { return }
    let builds = sequence(first: context.caller.build) { $0?.parent }.prefix { $0 != nil }
    fatalError(
      Failure.unowned(
        declaration, named, pod: context.asked.name, context.deferral ?? context.caller.build?.nearestDeferral,
        builders: builds.compactMap { $0?.declaration }))
  }

  /// Answers the request.
  ///
  /// `copiesValue`: whether the caller needs the value. `mayBuild`: whether the request may wait or build. `changing`: the
  /// pod that is known to change a dependency, so that the builds of pods elsewhere are not for the view. Otherwise each of many requests that
  /// change it would wait for the one before.
  func answer(copiesValue: Bool = true, mayBuild: Bool = true, changing: PodState? = nil) -> Answer {
    switch use {
    case .transient, .fresh:
      guard mayBuild else { return .nothing }
      if let path = caller.build?.path(fromSame: declaration, definition, for: view) { return .cycle(path) }
      return begun(newBuild(in: home))
    case .graph: return answerFromGraph(mayBuild: mayBuild)
    case .cached: return answerFromPods(copiesValue: copiesValue, mayBuild: mayBuild, changing: changing)
    }
  }

  /// Whether the value of a constant override answers the request, in any case without a task.
  var needsNoBuild: Bool {
    (definition?.isConstant ?? false) && (use == .cached && kind != .weak || use == .transient)
  }

  /// The highest pod in which an instance may live.
  var home: PodState { view.home(of: definition, scope) }

  // MARK: - Graph-scoped instances

  private func answerFromGraph(mayBuild: Bool) -> Answer {
    let home = home
    let outermost = caller.graph
    let graph = outermost ?? GraphInstances()
    let known = graph.builds(of: declaration)
    for build in known where build.definition === definition {
      // An inner pod that owns the scope has an instance of its own.
      guard view.isBelow(orSame: build.home), build.home.isBelow(orSame: home),
        !WaitGraph.withLock({ build.isAbandoned })
      else { continue }
      let instance = build.instance
      let (isRunning, value) = build.withHome { _, _ -> (Bool, StoredValue?) in
        let value = instance.state == .cached ? StoredValue(word: instance.word).retained() : nil
        return (instance.state == .building, value)
      }
      if isRunning, accepts(build) { return mayBuild ? .wait(build) : .nothing }
      guard let value else { continue }
      guard view.shares(instance), view.isStillRight(instance, after: outer), instance.isCurrentElsewhere() else {
        declaration.release(value)
        continue
      }
      record(instance)
      return .ready(instance, value)
    }
    guard mayBuild else { return .nothing }
    let new = graph.add(of: declaration, known: known) {
      let build = newBuild(in: home)
      build.graph = graph
      if outermost == nil { build.ownGraph = graph }
      return build
    }
    // Without a build, another task of this resolve began one meanwhile.
    return new.map { begun($0) } ?? answerFromGraph(mayBuild: mayBuild)
  }

  // MARK: - Beginning

  func newBuild(in home: PodState) -> Build {
    Build(Instance(declaration, definition, in: home, .building), use, for: context)
  }

  func begun(_ build: Build) -> Answer {
    build.makePod()
    move(to: build.instance.home)
    return .build(build)
  }

  func record(_ instance: Instance) { context.record(instance) }

  /// Moves the dependent build to a pod, if that pod is below its home.
  func move(to home: PodState) {
    if let recorder = context.caller.recorder, context.isOwn(of: recorder) {
      recorder.moveDown(to: home, for: declaration)
    }
  }
}

extension Request.Context {
  /// Records the answer for the dependent build.
  func record(_ instance: Instance) {
    caller.recorder?.record(instance, from: self)
  }

  /// Whether the view and its ancestors are as they were when the request was made, and no change is under way.
  var isUnchanged: Bool {
    let now = view.chainRevision
    return now == revision && !now.isChanging
  }

  /// Whether a request resolves from the pod of a build.
  ///
  /// Since the builder began, the pod may have lost its overrides, may have its first override, or may have ended.
  func isOwn(of build: Build) -> Bool {
    view === build.view || asked === build.view || asked === build.request.asked
      || own === build.view && build.view.isEnded
  }
}

extension Instance {
  /// Whether a weak instance still has its object, which is then retained; `true` for other instances.
  func isAlive(_ retained: RetainedObjects, _ held: borrowing PodState.Held) -> Bool {
    guard flags.contains(.isWeak) else { return true }
    guard let object = weakObject(held) else { return false }
    retained.add(object, of: declaration)
    return true
  }

  /// A reference to the object of a weak instance, while another object retains it.
  ///
  /// The caller releases the reference with `Declaration.release`, without a lock.
  func weakObject(_ held: borrowing PodState.Held) -> StoredValue? {
    // Safe: the value of a weak instance is a retained `WeakReference`.
    return Unmanaged<WeakReference>.fromOpaque(UnsafeRawPointer(bitPattern: word).unsafelyUnwrapped)
      ._withUnsafeGuaranteedRef { $0.object.map { StoredValue(retaining: $0) } }
  }
}
