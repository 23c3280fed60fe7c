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
    var records = OuterRecords(outer, for: self)
    for dependency in records.dependencies(for: instance) {
      guard outer.isOwn || asked.isCompact else {
        // The outer pod is not the builder's pod, so the outer pod judges the dependency.
        addDependency(dependency.instance.map { .crossPod($0, from: outer.view) } ?? dependency)
        continue
      }
      switch dependency {
      case .instance(let instance): moveDown(to: instance.home)
      case .deferred(let question): if question.pod == nil { moveDown(to: home(of: question)) }
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
  let view: PodState
  /// Whether the outer pod is the pod of the builder.
  let isOwn: Bool
  /// The outer pod and its ancestors.
  private let chain: Set<ObjectIdentifier>

  init(of asked: PodState, for build: Build) {
    var state = asked
    while build.isInner(state), let next = state.original ?? state.parent { state = next }
    isOwn = state === build.view || state.effective === build.view || asked.isCompact
    view = isOwn ? build.view : state.effective
    chain = Set(view.selfAndAncestors.map { ObjectIdentifier($0) })
  }

  func contains(_ state: PodState) -> Bool { chain.contains(ObjectIdentifier(state)) }

  /// The override as the outer pod sees it; `isConstant` tells that the override belongs to an inner pod itself.
  fileprivate func definition(_ inner: Override?) -> (isConstant: Bool, override: Override?) {
    guard let inner else { return (false, nil) }
    let outer = inner.origin ?? inner
    let isKnown = inner.origin != nil || outer.ownerID.map { chain.contains($0) } ?? false
    return (!isKnown, isKnown ? outer : nil)
  }

  /// The question of an instance in an inner pod, as the outer pod sees it; `nil` if the inner pod itself answers the question.
  func question(_ question: Question, in inner: PodState) -> Question? {
    let (isConstant, override) = definition(question.definition)
    let scope = question.scope.identity
    if isConstant || scope.kind == .custom && inner.ownsInside(scope, of: view) { return nil }
    return Question(question.declaration, override, askedOf: isOwn ? nil : view, through: question.innerPod ?? inner)
  }
}

extension PodState {
  /// Whether an inner pod, from this one up to the outer pod, owns a scope itself.
  ///
  /// The state of an override scope copies its owned scopes from the original, so they do not count.
  fileprivate func ownsInside(_ scope: ScopeIdentity, of view: PodState) -> Bool {
    selfAndAncestors.first { $0 === view || $0.owned.contains(scope) }.map { $0 !== view && !$0.isSubstitute } ?? false
  }
}

/// Records of instances that live in inner pods, as the outer pod sees them.
private struct OuterRecords {
  private let outer: OuterView
  private let build: Build
  private var known: [ObjectIdentifier: [Dependency]] = [:]

  init(_ outer: OuterView, for build: Build) {
    self.outer = outer
    self.build = build
  }

  /// The dependencies that the builder records instead of an instance.
  mutating func dependencies(for instance: Instance) -> [Dependency] {
    if outer.contains(instance.home) { return [.instance(instance)] }
    for current in innerInstances(from: instance) where known[ObjectIdentifier(current)] == nil {
      known[ObjectIdentifier(current)] = record(of: current)
    }
    return known[ObjectIdentifier(instance)] ?? []
  }

  /// An instance and its dependencies in inner pods, direct or not, each after its own dependencies.
  private func innerInstances(from instance: Instance) -> [Instance] {
    var found: [Instance] = []
    var walk = InstanceWalk(from: instance)
    while let next = walk.next() {
      found.append(next)
      for dependency in innerDependencies(of: next) { walk.add(dependency) }
    }
    return found.sorted { $0.serial < $1.serial }
  }

  private func innerDependencies(of instance: Instance) -> [Instance] {
    instance.dependencies.compactMap { dependency in
      switch dependency {
      case .instance(let other): outer.contains(other.home) ? nil : other
      case .crossPod(let other, let pod):
        build.isTransparent(pod) && !outer.contains(other.home) ? other : nil
      case .deferred: nil
      }
    }
  }

  private func record(of instance: Instance) -> [Dependency] {
    var dependencies: [Dependency] = []
    for dependency in instance.dependencies {
      switch dependency {
      case .instance(let other):
        dependencies += outer.contains(other.home) ? [dependency] : known[ObjectIdentifier(other)] ?? []
      case .crossPod(let other, let pod):
        if pod === outer.view || pod.effective === outer.view {
          dependencies.append(.instance(other))
        } else if build.isTransparent(pod) {
          dependencies += known[ObjectIdentifier(other)] ?? [.instance(other)]
        } else {
          dependencies.append(dependency)
        }
      case .deferred(let question):
        if question.pod != nil {
          dependencies.append(dependency)
        } else if let own = outer.question(question, in: instance.home) {
          dependencies.append(.deferred(own))
        }
      }
    }
    let (isConstant, definition) = outer.definition(instance.definition)
    if isConstant || instance.home.isCompact { return dependencies }
    let scope = instance.scope.identity
    let isOwnedInside =
      instance.flags.contains(.hasInnerOwner)
      || instance.scopeKind == .custom && instance.home.ownsInside(scope, of: outer.view)
    var home =
      isOwnedInside
      ? outer.view.home(of: definition, .singleton) : outer.view.home(of: definition, scope)
    for case .instance(let other) in dependencies { home = outer.view.lower(of: home, other.home) }
    let record = Instance(instance.declaration, definition, in: home, .record)
    if isOwnedInside { record.flags.insert(.hasInnerOwner) }
    record.dependencies = dependencies
    for dependency in dependencies { record.inherit(dependency) }
    record.serial += 1
    record.noteOwnTraits()
    return [.instance(record)]
  }
}
