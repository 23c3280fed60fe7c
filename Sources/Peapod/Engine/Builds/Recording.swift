/// Recording what a builder resolves.
extension Build {
  /// Records an instance that the builder resolved, as its relation to the builder's pod says.
  ///
  func record(_ instance: Instance, from request: Request) {
    if request.isOwn(of: self) {
      add(.instance(instance))
      if view.isBelow(orSame: instance.home) {
        moveDown(to: instance.home)
      } else {
        // The pod of the builder has ended, and another one acts for it.
        detach()
      }
    } else if request.asked.isCompact || isInner(request.asked) {
      recordInner(instance, from: request.asked)
    } else {
      add(.crossPod(CrossPodDependency(instance, from: request.asked)))
    }
  }

  /// Lets the instance go to those who wait, without a place in any pod.
  func detach() {
    while true {
      let home = instance.home
      let isDone = home.lock.withLock {
        guard instance.home === home else { return false }
        home.detach(instance)
        return true
      }
      if isDone { return }
    }
  }

  /// Records a deferred dependency that the builder made.
  func record(_ question: Question, from request: Request) {
    if request.isOwn(of: self) {
      add(.deferred(question))
      if view.isEnded { detach() } else { moveDown(to: home(of: question)) }
    } else if isInner(request.asked) {
      let outer = OuterView(of: request.asked, for: self)
      guard let own = outer.question(question, in: request.asked) else { return }
      add(.deferred(own))
      if outer.isOwn { moveDown(to: home(of: own)) }
    } else {
      add(
        .deferred(
          Question(question.declaration, question.definition, askedOf: request.asked, through: question.innerPod)))
    }
  }

  /// The highest pod in which the holder of a question may live: the pod of the definition, the owner of the scope, and where the present
  /// answers live.
  func home(of question: Question) -> PodState {
    let scope = question.scope.identity
    var home = view.home(of: question.definition, scope, scope.kind)
    if let family = question.declaration as? FamilyDeclaration {
      // The nearest pod that overrides a member.
      var state = view
      while state !== home, let parent = state.parent {
        if state.overrides(family) {
          home = state
          break
        }
        state = parent
      }
    }
    for answer in question.answers(for: view) where view.isBelow(orSame: answer.home) {
      // A pod that changes something on which the present answer depends will have an answer of its own.
      let changing = view.levels(below: answer.home).first { view.isAnyChanged([answer], by: [$0], isTop: false) }
      home = view.lower(of: home, changing ?? answer.home)
    }
    return home
  }

  /// Moves the instance to a pod, if that is below its present one: something that it depends on lives there.
  ///
  /// Waiters whose pod is not below resolve again.
  func moveDown(to target: PodState) {
    guard target !== instance.home, view.lower(of: target, instance.home) === target else { return }
    guard use == .cached else {
      instance.home = target
      return
    }
    let former = instance.home
    // A child's lock before its ancestor's.
    target.lock.withLock {
      former.lock.withLock {
        guard !instance.flags.contains(.isDetached) else {
          instance.home = target
          return
        }
        former.table.remove(instance)
        instance.home = target
        target.table.insert(instance)
        target.moves.wrappingAdd(1, ordering: .relaxed)
      }
    }
    WaitGraph.dismiss(self) { !$0.view.isBelow(orSame: target) || $0.view !== self.view }
  }
}
