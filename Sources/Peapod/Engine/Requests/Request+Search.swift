/// The search for a cached instance, pod by pod from the view up to the highest pod in which the instance may live.
extension Request {
  func answerFromPods(copiesValue: Bool, mayBuild: Bool, changing: PodState?) -> Answer {
    // Fast path: takes no lock of the root. A caller outside of builders has read the slot. A builder for the root itself gains nothing, since
    // a root without children publishes values only, no instances.
    if let recorder = caller.recorder, !view.isRoot || !context.isOwn(of: recorder),
      let (instance, value) = view.readSharedInstance(of: declaration, definition)
    {
      record(instance)
      return .ready(instance, value)
    }
    let home = home
    // Every answer lives there or below. Before the search, so that a clear which finds the answer also finds the dependent build.
    move(to: home)
    // A builder may need itself although the search does not find its build, which was cleared.
    if let build = caller.build, build.isAtPowerOfTwo,
      let path = build.path(fromSame: declaration, definition, for: view)
    {
      return mayBuild ? .cycle(path) : .nothing
    }
    var (accepted, rejected): (Instance?, [Instance]) = (nil, [])
    var level = view
    let moves = view.moves(upTo: home)
    while true {
      var candidate: Instance?
      let answer = look(
        in: level, accepted, besides: rejected, undecided: &candidate, copiesValue: copiesValue, changing: changing,
        claimIf: mayBuild && level === home ? moves : nil)
      switch answer {
      case .ready(let instance, let value):
        // Below `home`, a clear may have removed the instance before the dependent build moved there.
        if level !== home, caller.recorder != nil {
          move(to: level)
          guard level.withLock({ _ in instance.state == .cached }) else {
            if let value { declaration.release(value) }
            continue
          }
        }
        record(instance)
        return answer
      case .build(let build): return begun(build)
      case .wait(let build) where !accepts(build): rejected.append(build.instance)
      case .wait: return mayBuild ? answer : .nothing
      case .outdated, .cycle: return answer
      case .nothing:
        if let candidate {
          guard isRight(candidate) else {
            rejected.append(candidate)
            continue
          }
          accepted = candidate
          // The next pod that changes nothing of this instance finds it without the lock.
          level.refreshMasks()
        } else {
          guard level !== home else { return .nothing }
          // The parent of an ended child may have ended meanwhile too, so that another pod acts for it.
          guard let parent = level.parent else { return mayBuild ? .outdated : .nothing }
          level = parent
        }
      }
    }
  }

  /// Looks for the instance in one pod, and claims the build if there is none.
  ///
  /// `accepted`: the candidate that the view shares. `undecided`: receives a cached instance of which the caller decides, without the lock,
  /// whether the view shares it. `claimIf`: the number of moves at the beginning of the search; `nil` if no build may
  /// be claimed in this pod.
  private func look(
    in level: PodState, _ accepted: Instance?, besides rejected: [Instance], undecided: inout Instance?,
    copiesValue: Bool, changing: PodState?, claimIf moves: UInt?
  ) -> Answer {
    var object: StoredValue?
    // Released without the lock.
    defer { if let object { declaration.release(object) } }
    let changes = view.changes(below: level)
    return level.withLock { held -> Answer in
      var building: Build?
      for candidate in level.instances(of: declaration, held)
      where candidate.definition === definition && !rejected.contains(where: { $0 === candidate }) {
        switch candidate.state {
        case .cached where candidate.hiddenCount == 0:
          if candidate.flags.contains(.isWeak) {
            object = candidate.weakObject(held)
            guard object != nil else { continue }
          }
          guard
            level === view && (!candidate.traits.contains(.isCrossPod) || level.isCompact)
              || candidate === accepted || level.isShared(candidate, despite: changes, held)
          else {
            undecided = candidate
            return .nothing
          }
          // The object of a weak instance is returned in any case: released here, it could be the last reference.
          if let object { return .ready(candidate, declaration.value(of: object)) }
          guard copiesValue else { return .ready(candidate, nil) }
          level.publish(candidate, held)
          // A recorded builder whose request the pod of the slot itself answers never reads the slot.
          let isRecorded = caller.recorder != nil
          if level !== view || !isRecorded { level.restock(candidate, isShared: isRecorded, held) }
          return .ready(candidate, StoredValue(word: candidate.word).retained())
        case .building:
          if let build = candidate.build, !isElsewhere(build, than: changing) { building = building ?? build }
        case .record, .cached: break
        }
      }
      if let building { return .wait(building) }
      guard let moves else { return .nothing }
      // A build moves with the lock of this pod held, so from here on none does.
      guard view.moves(upTo: level) == moves, view.chainRevision == revision else { return .outdated }
      return claim(in: level, held)
    }
  }

  /// Enters a new instance into the table of its pod.
  private func claim(in level: PodState, _ held: borrowing PodState.Held) -> Answer {
    let instance = Instance(declaration, definition, in: level, .building)
    instance.buildCount = level.takeBuildCount(of: declaration, definition, held)
    // If the pod has ended meanwhile, only the caller receives the value, as with any build.
    if let constant = definition?.constant, kind != .weak, !level.isEnded {
      instance.word = constant.retained().word
      instance.noteOwnTraits()
      instance.countBuild()
      level.clock += 1
      instance.serial = level.clock
      instance.state = .cached
      level.insert(instance, held)
      level.publish(instance, held)
      return .ready(instance, constant.retained())
    }
    // Before the instance is in the table, where other callers find the build.
    let build = Build(instance, use, for: context)
    level.insert(instance, held)
    return .build(build)
  }

  /// Whether this pod accepts the instance that a build will give, as far as is known.
  func accepts(_ build: Build) -> Bool {
    if !build.request.isUnchanged,
      !WaitGraph.awaited(by: build).allSatisfy({ $0.isRightSoFar })
    {
      return false
    }
    return build.isShared(by: view) && build.instance.isCurrentElsewhere((build.dependencies, build.home))
  }

  /// The nearest pod, from the view up, that changes a dependency of a build for another pod.
  ///
  /// The provider that made the build move counts too: its instance may not be recorded yet.
  func podChanging(dependenciesOf build: Build) -> PodState? {
    let home = home
    let levels = view.levels(below: home)
    guard build.view !== view, !levels.isEmpty else { return nil }
    let dependencies = build.dependencies.filter { if case .crossPod = $0 { false } else { true } }
    let cause = build.lock.withLock { build.movedFor }
    // The scope that the provider has here: an override of another child may give it another scope.
    let scope = cause.map { (view.definition(of: $0)?.ownScope ?? $0.scope).identity }
    return levels.first { level in
      if let cause, let scope, level.overrides(cause) || level.owned.contains(scope) { return true }
      return view.isFromOtherBranch(dependencies, of: build.view, in: home, by: [level])
    }
  }

  /// Whether a build is for a pod that is neither an ancestor of the view nor below the pod that changes a dependency.
  ///
  /// Called with the lock of a pod held.
  private func isElsewhere(_ build: Build, than changing: PodState?) -> Bool {
    guard let changing else { return false }
    return !build.view.climb(isLocked: true) { $0 === changing } && !view.climb(isLocked: true) { $0 === build.view }
  }

  /// Whether a cached instance is right for this pod.
  private func isRight(_ instance: Instance) -> Bool {
    guard view.shares(instance) else { return false }
    if instance.isCurrentElsewhere() { return true }
    // Another pod changed, so this instance depends on an outdated answer.
    Teardown.run(instance.home.take([instance], RetainedObjects()))
    instance.home.notifyWatchers()
    return false
  }
}
