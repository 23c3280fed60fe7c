/// Dependencies through inner pods.
///
/// An inner pod is a child, or the state of an override scope, that a builder made itself. The *outer pod* is the pod from which the
/// inner pod was made. The instances of an inner pod end with it, and no other pod can share them. So the builder's instance depends on
/// their dependencies, as the outer pod sees them. The inner pod's own overrides and owned scopes are constant, and do not count. The pod
/// of a `Lazy` is treated in the same way.
extension Build {
  /// Records the dependencies of an instance of an inner pod.
  func recordInner(_ instance: Instance, from asked: PodState) {
    let outer = OuterView(of: asked, for: self)
    for dependency in outer.dependencies(for: instance) {
      guard outer.isOwn else {
        // The outer pod is not the builder's pod, so the outer pod judges the dependency.
        if case .instance(let other) = dependency {
          addDependency(.crossPod(other, from: outer.view))
        } else {
          addDependency(dependency)
        }
        continue
      }
      switch dependency {
      case .instance(let instance): moveDown(to: instance.home)
      case .deferred(let question):
        if question.pod == nil, !view.isRoot { moveDown(to: view.home(of: question, heldBy: self.instance)) }
      case .crossPod: break
      }
      addDependency(dependency)
    }
  }

  /// Whether a pod was made while this build ran, or belongs to a `Lazy`.
  fileprivate func isTransparent(_ state: PodState) -> Bool { state.isCompact || isInner(state) }
}

/// The outer pod of an inner pod, which judges the instances of the inner pod.
struct OuterView {
  private let build: Build
  let view: PodState
  /// Whether the outer pod is the pod of the builder.
  let isOwn: Bool

  init(of asked: PodState, for build: Build) {
    self.build = build
    var state = asked
    while build.isInner(state), let next = state.original ?? state.parent { state = next }
    isOwn = state === build.view || state.effective === build.view || asked.isCompact
    view = isOwn ? build.view : state.effective
  }

  private func contains(_ state: PodState) -> Bool { view.isBelow(orSame: state) }

  /// The override as the outer pod sees it; `isConstant` tells that the override belongs to an inner pod itself.
  private func definition(_ inner: Override?) -> (isConstant: Bool, override: Override?) {
    guard let inner else { return (false, nil) }
    let outer = inner.original
    if let known = view.installed(for: inner.target, copiedFrom: outer) {
      known.noteDependent()
      return (false, known)
    }
    // The override may have been removed meanwhile.
    let isRemoved = view.selfAndAncestors.contains { $0.isOwner(of: outer) }
    return (!isRemoved, isRemoved ? outer : nil)
  }

  /// The question of an instance in an inner pod, as the outer pod sees it; `nil` if the inner pod itself answers the question.
  func question(_ question: Question, in inner: PodState) -> Question? {
    let (isConstant, override) = definition(question.definition)
    if isConstant { return nil }
    let scope = question.scope.identity
    return Question(
      question.declaration, override, view.memberOverrides(of: question.declaration), askedOf: isOwn ? nil : view,
      through: question.innerPod ?? inner,
      hasInnerOwner: question.hasInnerOwner || scope.kind == .custom && inner.ownsInside(scope, of: view),
      isOfInnerPod: true)
  }

  /// The question as the outer pod will answer it after the override scope that answers it now.
  func laterQuestion(_ question: Question) -> Question {
    let declaration = question.declaration
    return Question(
      declaration, view.definition(of: declaration), view.memberOverrides(of: declaration),
      askedOf: isOwn ? nil : view, through: question.innerPod, isOfInnerPod: true)
  }

  /// The dependencies that the builder records instead of an instance.
  func dependencies(for instance: Instance) -> [Dependency] {
    if contains(instance.home) { return [.instance(instance)] }
    var known: [ObjectIdentifier: [Dependency]] = [:]
    for inner in innerInstances(from: instance) { known[ObjectIdentifier(inner)] = dependencies(for: inner, known) }
    return known[ObjectIdentifier(instance)] ?? []
  }

  /// An instance and its dependencies in inner pods, direct or not, each after its own dependencies.
  private func innerInstances(from instance: Instance) -> [Instance] {
    var found: [Instance] = []
    var walk = Walk(from: instance)
    while let next = walk.next() {
      found.append(next)
      for dependency in next.dependencies {
        switch dependency {
        case .instance(let other) where !contains(other.home): walk.add(other)
        case .crossPod(let other, let pod) where build.isTransparent(pod) && !contains(other.home): walk.add(other)
        default: break
        }
      }
    }
    return found.sorted { $0.serial < $1.serial }
  }

  /// The dependencies that the builder records instead of an instance of an inner pod, all of whose dependencies are known.
  private func dependencies(for instance: Instance, _ known: [ObjectIdentifier: [Dependency]]) -> [Dependency] {
    var dependencies: [Dependency] = []
    var listCount = 0
    for dependency in instance.dependencies {
      if let other = dependency.instance, known[ObjectIdentifier(other)] != nil { listCount += 1 }
      switch dependency {
      case .instance(let other):
        dependencies += contains(other.home) ? [dependency] : known[ObjectIdentifier(other)] ?? []
      case .crossPod(let other, let pod):
        if pod === view || pod.effective === view {
          dependencies.append(.instance(other))
        } else if build.isTransparent(pod) {
          dependencies += known[ObjectIdentifier(other)] ?? [.instance(other)]
        } else {
          dependencies.append(dependency)
        }
      case .deferred(let question):
        if let pod = question.pod {
          // The closure of a `Lazy` may have used the pod of the builder around it.
          guard isOwn, pod === view || pod.effective === view else {
            dependencies.append(dependency)
            continue
          }
          dependencies.append(
            .deferred(
              Question(
                question.declaration, question.definition, question.members, askedOf: nil, through: question.innerPod)))
        } else if let own = self.question(question, in: instance.home) {
          dependencies.append(.deferred(own))
        }
      }
    }
    // Else the list could have one element for each path to a dependency.
    if listCount > 1 { dependencies = dependencies.withoutRepetitions }
    let (isConstant, definition) = definition(instance.definition)
    if isConstant || instance.home.isCompact { return dependencies }
    let scope = instance.scope.identity
    let isOwnedInside =
      instance.flags.contains(.hasInnerOwner)
      || instance.scopeKind == .custom && instance.home.ownsInside(scope, of: view)
    var home = view.home(of: definition, isOwnedInside ? nil : scope)
    for dependency in dependencies {
      switch dependency {
      case .instance(let other): home = view.lower(of: home, other.home)
      case .deferred(let question):
        if question.pod == nil { home = view.lower(of: home, view.home(of: question, heldBy: instance)) }
      case .crossPod: break
      }
    }
    let record = Instance(instance.declaration, definition, in: home, .record)
    if isOwnedInside { record.flags.insert(.hasInnerOwner) }
    record.dependencies = dependencies
    for dependency in dependencies { record.inherit(dependency) }
    record.serial = max(record.serial + 1, instance.serial)
    (record.inclusive, record.exclusive) = (instance.inclusive, instance.exclusive)
    record.noteOwnTraits()
    return [.instance(record)]
  }
}

extension PodState {
  /// Whether an inner pod, from this one up to the outer pod or the first ancestor of both, owns a scope itself.
  func ownsInside(_ scope: ScopeIdentity, of view: PodState) -> Bool {
    var state: PodState? = self
    while let current = state, !view.isBelow(orSame: current) {
      // The state of an override scope has its owned scopes from the pod for which it acts.
      if !current.isSubstitute, current.owned.contains(scope) { return true }
      state = current.original ?? current.parent
    }
    return false
  }
}
