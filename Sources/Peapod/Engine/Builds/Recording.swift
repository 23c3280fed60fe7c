/// Recording what a builder resolves.
extension Build {
  /// Fast path: takes an instance, with its value, that the root shares with the child for which a synchronous builder runs here.
  ///
  /// Without this path, the request of the benchmarks takes 5 percent more instructions. Returns `nil` for any other caller, and if the root
  /// may not answer. `pod`: the resolving pod, which has to be the builder's own, so that the instance is an ordinary dependency. The instance
  /// lives in the root, so the build stays where it is.
  @inline(never)
  static func sharedInstance(of declaration: Declaration, in pod: Pod) -> (instance: Instance, value: StoredValue)? {
    guard let frame = CurrentThread.frame,
      frame.pointee.pod?.toOpaque() == Unmanaged.passUnretained(pod).toOpaque()
    else { return nil }
    // Safe: the caller of the builder retains the build until the builder has returned.
    return frame.pointee.build?._withUnsafeGuaranteedRef { $0.takeSharedInstance(of: declaration) }
  }

  private func takeSharedInstance(of declaration: Declaration) -> (instance: Instance, value: StoredValue)? {
    // A builder that resolves its own provider, itself or by a factory, gets the definition beneath its override.
    guard !view.isRoot, self.declaration !== declaration,
      let shared = view.readSharedInstance(of: declaration, view.definition(of: declaration))
    else { return nil }
    addDependency(.instance(shared.instance))
    return shared
  }

  /// Records an instance that the builder resolved from its own pod, from an inner pod or from another pod.
  ///
  /// The build moves first. Otherwise another pod could find the build in the former home, and judge it by a dependency of the child.
  func record(_ instance: Instance, from request: Request.Context) {
    if request.isOwn(of: self) {
      if view.isBelow(orSame: instance.home), !instance.traits.contains(.isOfLaterView) {
        moveDown(to: instance.home)
      } else {
        detachFromView(request)
      }
      addDependency(.instance(instance))
    } else if request.asked.isCompact || isInner(request.asked) {
      recordInner(instance, from: request.asked)
    } else {
      // The state of an override scope ends before the dependent, unless a builder opened the scope and has a `Lazy` within it.
      let isScope = request.asked.isSubstitute && request.asked.maker == nil
      addDependency(.crossPod(instance, from: isScope ? request.own : request.asked))
    }
  }

  /// Detaches the build: its waiters receive the instance, and no pod caches it.
  func detach() { withHome { $0.detach(instance, $1) } }

  /// Detaches the build, since another pod answers in place of its view: callers of its ancestors resolve again.
  private func detachFromView(_ request: Request.Context) {
    moveDown(to: view)
    detach()
    if view.isEnded { return }
    // The resolving pod has its first override since the build began. Callers of other pods resolve again.
    lock.withLock { if !isSealed { instance.traits.insert(.isOfLaterView) } }
    WaitGraph.dismiss(self) { !$0.isFirst && $0.request.asked !== request.asked }
  }

  /// Records a deferred dependency that the builder made.
  func record(_ question: Question, from request: Request.Context) {
    if request.isOwn(of: self) {
      if view.isEnded || !view.isBelow(orSame: request.view) {
        detachFromView(request)
      } else if !view.isRoot {
        moveDown(to: view.home(of: question, heldBy: instance))
      }
      addDependency(.deferred(question))
    } else if isInner(request.asked) {
      let outer = OuterView(of: request.asked, for: self)
      // After an override scope, the builder's own pod answers.
      let isWithinScope = request.asked.isSubstitute && request.own !== request.asked
      let known = outer.question(question, in: request.asked)
      guard let own = known ?? (isWithinScope ? outer.laterQuestion(question) : nil) else { return }
      if outer.isOwn { moveDown(to: view.home(of: own, heldBy: instance)) }
      addDependency(.deferred(own))
    } else {
      addDependency(
        .deferred(
          Question(
            question.declaration, question.definition, question.members, askedOf: request.asked,
            through: question.innerPod)))
    }
  }

  /// Moves the instance to a pod in which one of its dependencies lives, if that pod is below the present home.
  ///
  /// The builds that need this build move first, so that a clear which finds this build in the child finds them there too. Waiters with
  /// another view resolve again. `cause`: the provider that the builder is about to resolve. `isRunner`: whether the thread that runs the
  /// build calls, once the builder is done.
  func moveDown(to target: PodState, for cause: Declaration? = nil, isRunner: Bool = false) {
    guard isToMove(to: target) else { return }
    var walk = Walk<Build>()
    for dependent in dependents(movingTo: target) { walk.add(dependent) }
    while let build = walk.next() { for dependent in build.dependents(movingTo: target) { walk.add(dependent) } }
    for build in walk.found.reversed() where build !== self { build.moveAlone(to: target, for: cause) }
    moveAlone(to: target, for: cause, isRunner: isRunner)
  }

  /// Whether a pod is below the home.
  ///
  /// The build of a `Lazy` stays where it is, but the builds that need it move.
  private func isToMove(to target: PodState) -> Bool {
    if view.isRoot { return view.isCompact }
    let home = home
    return target !== home && view.lower(of: target, home) === target
  }

  /// The builds that are to move to a pod, since their instances will depend on the instance of this build, which moves there.
  private func dependents(movingTo target: PodState) -> [Build] {
    var found: [Build] = []
    if let recorder = request.caller.recorder,
      view.isCompact || recorder.view.isCompact || request.isOwn(of: recorder), recorder.isToMove(to: target)
    {
      found.append(recorder)
    }
    guard status.load(ordering: .acquiring) == .awaited else { return found }
    let waiting = WaitGraph.withLock { Array(waiters.values) }
    return found
      + waiting.compactMap { waiter -> Build? in
        guard waiter.view === view, let recorder = waiter.request.caller.recorder, recorder.view === view else {
          return nil
        }
        return recorder.isToMove(to: target) ? recorder : nil
      }
  }

  /// Moves this build, but not the builds that need it.
  private func moveAlone(to target: PodState, for cause: Declaration?, isRunner: Bool = false) {
    if view.isRoot { return }
    var outcome = HomeChange.outdated
    while outcome == .outdated {
      let former = home
      guard target !== former, view.lower(of: target, former) === target else { return }
      // The instance is in no table, and no other build looks at it.
      guard use == .cached || use == .graph else {
        outcome = setHome(target, in: former, isRunner: isRunner)
        continue
      }
      // The lock of a child comes before the lock of its ancestor.
      outcome = target.withLock { held in
        former.withLock { change(home: target, held, from: former, $0, isRunner: isRunner) }
      }
    }
    guard outcome == .done, use == .cached else { return }
    if let cause {
      // Released without the lock: this may be the last reference to an argument of the user.
      let former = lock.withLock {
        defer { movedFor = cause }
        return movedFor
      }
      withExtendedLifetime(former) {}
    }
    WaitGraph.dismiss(self) { !$0.view.isBelow(orSame: target) || $0.view !== self.view }
  }

  /// Moves the instance to the nearest pod that changes a dependency.
  ///
  /// Called when the builder is done: the answer to a deferred dependency may have been built after the dependency was recorded, and a
  /// cross-pod dependency moves no build when it is recorded.
  func moveDownToAnswers() {
    let home = home
    let levels = view.levels(below: home)
    guard !levels.isEmpty else { return }
    // A direct instance moved the build when it was recorded, but its own deferred dependencies may have answers since.
    let movable = instance.dependencies.filter { dependency in
      guard case .instance(let other) = dependency else { return true }
      return other.traits.contains(.isDeferred) && !other.home.isUnchanged(other, for: view)
    }
    guard !movable.isEmpty else { return }
    let changing = levels.first { view.isAnyChanged(movable, of: instance, in: home, by: [$0]) }
    if let changing { moveDown(to: changing, isRunner: true) }
  }

  private func change(
    home target: PodState, _ targetHeld: borrowing PodState.Held, from former: PodState,
    _ formerHeld: borrowing PodState.Held, isRunner: Bool
  ) -> HomeChange {
    let change = setHome(target, in: former, isRunner: isRunner)
    guard change == .done, use == .cached, !instance.flags.contains(.isDetached) else { return change }
    former.remove(instance, formerHeld)
    target.insert(instance, targetHeld)
    target.moves.wrappingAdd(1, ordering: .relaxed)
    return change
  }
}

extension PodState {
  /// The highest possible home for the holder of a question, as seen from this pod: the lowest of the definition's pod, the scope's owner
  /// and the answers' homes.
  func home(of question: Question, heldBy holder: Instance) -> PodState {
    var home = home(of: question.definition, question.hasInnerOwner ? nil : question.scope.identity)
    if let family = question.declaration as? FamilyDeclaration {
      // The nearest pod that overrides a member.
      home = selfAndAncestors.first { $0 === home || $0.overrides(family) } ?? home
    } else if question.innerPod.map({ $0.isCompact && $0.cachedInstances.isEmpty }) ?? !question.hasInnerOwner,
      let (_, value) = readSharedInstance(of: question.declaration, question.definition)
    {
      // Fast path: the root has the only answer, and no pod below changes anything of it.
      question.declaration.release(value)
      return home
    }
    // A pod that changes something on which a present answer depends will have an answer of its own.
    let answers = question.answers(for: self).filter { isBelow(orSame: $0.home) }
    if question.hasInnerOwner {
      // The answer of the inner pod lives there, and has dependencies like these.
      for answer in answers {
        let changing = levels(below: home).first {
          isAnyChanged(answer.dependencies, of: answer, in: answer.home, by: [$0])
        }
        home = changing ?? home
      }
      return home
    }
    for alike in Dictionary(grouping: answers, by: { ObjectIdentifier($0.home) }).values {
      let changing = levels(below: alike[0].home).first {
        isAnyChanged(alike.map { .instance($0) }, of: holder, in: home, by: [$0])
      }
      home = lower(of: home, changing ?? alike[0].home)
    }
    return home
  }
}
