enum Dependency: Defined, Sendable {
  /// An instance, or a record, resolved from the pod for which the dependent was built.
  case instance(Instance)
  /// An instance resolved from another pod, which the builder did not make.
  indirect case crossPod(Instance, from: PodState)
  case deferred(Question)

  /// The instance of a dependency that is not deferred.
  var instance: Instance? {
    switch self {
    case .instance(let instance), .crossPod(let instance, _): instance
    case .deferred: nil
    }
  }

  var isDeferred: Bool {
    if case .deferred = self { true } else { false }
  }

  var declaration: Declaration { target.declaration }
  var definition: Override? { target.definition }

  /// What was resolved or deferred.
  private var target: any Defined {
    switch self {
    case .instance(let instance), .crossPod(let instance, _): instance
    case .deferred(let question): question
    }
  }

  /// Equal for dependencies that repeat each other; different dependencies rarely share it.
  struct Key: Hashable {
    let object: ObjectIdentifier
    /// Whether no different dependency has this key.
    let isExact: Bool
  }

  var key: Key {
    switch self {
    case .instance(let instance): Key(object: ObjectIdentifier(instance), isExact: true)
    case .crossPod(let instance, _): Key(object: ObjectIdentifier(instance), isExact: false)
    case .deferred(let question): Key(object: question.key, isExact: false)
    }
  }

  /// Whether another dependency repeats this dependency.
  func isSame(as other: Dependency) -> Bool {
    switch (self, other) {
    case (.instance(let own), .instance(let theirs)): own === theirs
    case (.crossPod(let own, let pod), .crossPod(let theirs, let other)): own === theirs && pod === other
    case (.deferred(let own), .deferred(let theirs)):
      own.declaration === theirs.declaration && own.definition === theirs.definition && own.pod === theirs.pod
        && own.hasInnerOwner == theirs.hasInnerOwner && own.innerPod === theirs.innerPod
        && own.members.elementsEqual(theirs.members, by: ===)
    default: false
    }
  }
}

extension [Dependency] {
  /// The dependencies, each once.
  var withoutRepetitions: [Dependency] {
    var exact: Set<Dependency.Key> = []
    var others: [Dependency.Key: [Dependency]] = [:]
    return filter { dependency in
      let key = dependency.key
      if key.isExact { return exact.insert(key).inserted }
      if let known = others[key], known.contains(where: { $0.isSame(as: dependency) }) { return false }
      others[key, default: []].append(dependency)
      return true
    }
  }

  /// The dependencies of an instance, with those of the instance that a decorator of the same provider resolved.
  func withOriginals(of declaration: Declaration) -> [Dependency] {
    // Fast path: few instances decorate another.
    guard contains(where: { $0.declaration === declaration }) else { return self }
    var found: [Dependency] = []
    var rest = self
    while !rest.isEmpty {
      found += rest.filter { $0.declaration !== declaration }
      rest = rest.filter { $0.declaration === declaration }.flatMap { $0.instance?.dependencies ?? [] }
    }
    return found
  }
}

/// A deferred dependency: which instance a `Lazy`, a factory or a `PerUse` resolves, or a lookup that found no cached instance.
///
/// The answer may change, so a pod looks up the answer whenever the pod checks whether the holder is right. A question retains no instance.
final class Question: Defined, Sendable {
  /// The provider, or the family of a factory with arguments.
  let declaration: Declaration
  /// The override that the pod had when the question was recorded.
  let definition: Override?
  /// For the factory of a family: the overrides of members that keep the holder in a child.
  let members: [Override]
  /// The state of another pod that gives the answer; `nil` for the pod of the holder.
  let pod: PodState?
  /// Whether an inner pod owns the scope, so that other pods do not check the scope.
  let hasInnerOwner: Bool
  /// Whether the question was recorded in an inner pod, which may have an answer of its own.
  let isOfInnerPod: Bool
  /// Whether a pod other than the holder's and its ancestors may have the answer.
  let isAnsweredElsewhere: Bool
  /// The inner pod, or the pod of a `Lazy`, which may have an answer of its own.
  fileprivate let inner: WeakReference?
  /// The pod of a `Lazy`, of which each `Lazy` has one, or the provider.
  ///
  /// The address of a pod may be used again, so questions with one key may differ.
  fileprivate let key: ObjectIdentifier

  init(
    _ declaration: Declaration, _ definition: Override?, _ members: [Override], askedOf pod: PodState?,
    through inner: PodState? = nil, hasInnerOwner: Bool = false, isOfInnerPod: Bool = false
  ) {
    self.declaration = declaration
    self.definition = definition
    self.members = members
    self.pod = pod
    self.hasInnerOwner = hasInnerOwner
    self.isOfInnerPod = isOfInnerPod
    isAnsweredElsewhere = pod != nil || inner.map { !$0.isCompact } ?? false
    self.inner = inner.map { WeakReference($0) }
    key = inner.flatMap { $0.isCompact ? ObjectIdentifier($0) : nil } ?? ObjectIdentifier(declaration)
    declaration.changeNumber.noteDeferred()
    definition?.hasDependents.store(true, ordering: .relaxed)
    for member in members { member.noteDependent() }
  }

  /// Whether the question has another definition, now that an override was added or removed.
  ///
  /// An additional override of a member changes the answers, not the question.
  func isChanged(in view: PodState) -> Bool {
    view.definition(of: declaration) !== definition || members.contains { !view.hasInstalled($0) }
  }

  /// Whether an answer depends on an override.
  func depends(on override: Override) -> Bool {
    definition === override || members.contains { $0 === override }
  }

  /// The state of this inner pod, while it exists.
  var innerPod: PodState? { inner?.object as? PodState }
}

/// A question in the pod of a holder; holders of equal questions have the same answers.
struct HeldQuestion: Hashable {
  private let declaration: ObjectIdentifier
  private let definition: ObjectIdentifier?
  private let view: ObjectIdentifier
  private let inner: ObjectIdentifier?
  private let isWithinResolve: Bool

  /// Makes the question of a holder in `home`.
  ///
  /// `isWithinResolve`: whether a graph-scoped instance of the holder's resolve may be an answer.
  init(_ question: Question, in home: PodState, isWithinResolve: Bool = true) {
    declaration = ObjectIdentifier(question.declaration)
    definition = question.definition.map { ObjectIdentifier($0) }
    view = ObjectIdentifier(question.pod ?? home)
    inner = question.inner.map { ObjectIdentifier($0) }
    self.isWithinResolve = isWithinResolve
  }
}
