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
    } else if isInner(request.asked) {
      recordInner([instance])
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
      guard let own = outerQuestion(question, request.view) else { return }
      add(.deferred(own))
      moveDown(to: home(of: own))
    } else {
      add(.deferred(Question(question.declaration, question.definition, askedOf: request.asked)))
    }
  }

  /// The highest pod in which the holder of a question may live: the pod of the definition, the owner of the scope, and where the present
  /// answers live.
  private func home(of question: Question) -> PodState {
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

// MARK: - Inner pods

/// An inner pod is a child, or the state of an override scope, that a builder made itself.
///
/// The instances of an inner pod end with it, and no other pod can share them. So the builder's instance depends on what they were built
/// from, as seen from the builder's own pod. What the inner pod itself overrides or owns is constant, and counts for nothing.
extension Build {
  /// Records what instances of an inner pod were built from.
  fileprivate func recordInner(_ instances: [Instance]) {
    var outside = OuterRecords(self)
    for dependency in instances.flatMap({ outside.dependencies(for: $0) }) {
      add(dependency)
      switch dependency {
      case .instance(let instance): moveDown(to: instance.home)
      case .deferred(let question): moveDown(to: home(of: question))
      case .crossPod: break
      }
    }
  }

  /// A question that was asked of an inner pod, as seen from the builder's pod; `nil` if the inner pod itself answers it.
  fileprivate func outerQuestion(_ question: Question, _ inner: PodState) -> Question? {
    if let definition = question.definition, definition.origin == nil, !isOuter(definition) { return nil }
    let scope = question.scope.identity
    if scope.kind == .custom, inner.ownsInside(scope, of: view) { return nil }
    return Question(question.declaration, question.definition?.origin ?? question.definition, askedOf: nil)
  }

  /// Whether an override belongs to the builder's pod or to an ancestor.
  fileprivate func isOuter(_ override: Override) -> Bool {
    var state: PodState? = view
    while let current = state {
      if override.ownerID == ObjectIdentifier(current) { return true }
      state = current.parent
    }
    return false
  }
}

extension PodState {
  /// Whether an inner pod, from this one up to the builder's pod, owns a scope itself. The copies of an override scope own what the
  /// originals own.
  fileprivate func ownsInside(_ scope: ScopeIdentity, of view: PodState) -> Bool {
    var state: PodState? = self
    while let current = state, current !== view {
      if current.owned.contains(scope) { return current.original == nil }
      state = current.parent
    }
    return false
  }
}

/// Records, as seen from the pod of a builder, of instances that live in an inner pod.
private struct OuterRecords {
  private let build: Build
  private let outer: Set<ObjectIdentifier>
  private var known: [ObjectIdentifier: [Dependency]] = [:]

  init(_ build: Build) {
    self.build = build
    var outer: Set<ObjectIdentifier> = []
    var state: PodState? = build.view
    while let current = state {
      outer.insert(ObjectIdentifier(current))
      state = current.parent
    }
    self.outer = outer
  }

  /// What counts for the builder instead of an instance.
  mutating func dependencies(for instance: Instance) -> [Dependency] {
    if outer.contains(ObjectIdentifier(instance.home)) { return [.instance(instance)] }
    // Dependencies come first: their serials are smaller.
    var inner: [Instance] = []
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(instance)]
    var rest = [instance]
    while let current = rest.popLast() {
      inner.append(current)
      for case .instance(let other) in current.dependencies
      where !outer.contains(ObjectIdentifier(other.home)) && seen.insert(ObjectIdentifier(other)).inserted {
        rest.append(other)
      }
    }
    for current in inner.sorted(by: { $0.serial < $1.serial }) where known[ObjectIdentifier(current)] == nil {
      known[ObjectIdentifier(current)] = record(of: current)
    }
    return known[ObjectIdentifier(instance)] ?? []
  }

  private func record(of instance: Instance) -> [Dependency] {
    var dependencies: [Dependency] = []
    for dependency in instance.dependencies {
      switch dependency {
      case .instance(let other):
        dependencies += outer.contains(ObjectIdentifier(other.home)) ? [dependency] : known[ObjectIdentifier(other)] ?? []
      case .crossPod(let cross):
        let isOwn = cross.pod.effective === build.view
        dependencies.append(isOwn ? .instance(cross.instance) : dependency)
      case .deferred(let question):
        if question.pod != nil {
          dependencies.append(dependency)
        } else if let own = build.outerQuestion(question, instance.home) {
          dependencies.append(.deferred(own))
        }
      }
    }
    // What the inner pod overrides is constant.
    if let definition = instance.definition, definition.origin == nil, !build.isOuter(definition) { return dependencies }
    let scope = instance.scope.identity
    let isOwnedInside = instance.scopeKind == .custom && instance.home.ownsInside(scope, of: build.view)
    let definition = instance.definition?.origin ?? instance.definition
    var home =
      isOwnedInside
      ? build.view.home(of: definition, .singleton, .singleton) : build.view.home(of: definition, scope, scope.kind)
    for case .instance(let other) in dependencies { home = build.view.lower(of: home, other.home) }
    let record = Instance(instance.declaration, definition, in: home, .record)
    if isOwnedInside || instance.flags.contains(.hasInnerOwner) { record.flags.insert(.hasInnerOwner) }
    record.dependencies = dependencies
    for dependency in dependencies { record.inherit(dependency) }
    record.serial += 1
    record.noteOwnTraits()
    return [.instance(record)]
  }
}
