import Synchronization

/// A provider with the override that counts.
protocol Defined {
  var declaration: Declaration { get }
  /// The override that counts; `nil` for the provider's own builder.
  var definition: Override? { get }
}

extension Defined {
  /// The scope that counts.
  var scope: NamedScope { definition?.ownScope ?? declaration.scope }
  var scopeKind: ScopeIdentity.Kind { definition?.ownScope?.identity.kind ?? declaration.scopeKind }
  var named: NamedProvider { NamedProvider(declaration: declaration, scope: scope) }
  var info: ProviderInfo { named.info }
}

/// A provider and the scope that counts, which are described later, without a lock: user code makes the texts.
struct NamedProvider {
  let declaration: Declaration
  let scope: NamedScope
  var info: ProviderInfo { ProviderInfo(declaration, scope: scope) }
}

/// The replacement of a provider, or of every member of a family, in one pod.
///
/// Not generic: the metadata of a generic class took a third of the time of an override.
final class Override: Keyed, @unchecked Sendable {
  // Safe: constants and atomics. `owner` and `inherited` are set before other threads have the override. `lock` guards `hidden`.

  /// How an override makes instances of a provider, or of a member of a family.
  enum Builder {
    /// The override has one value, which is not disposed.
    case constant(StoredValue)
    case sync((Pod, Declaration) throws -> StoredValue)
    case async(@Sendable (Pod, Declaration) async throws -> StoredValue)
  }

  /// The declaration of the provider, the member or the family that is replaced.
  let target: Declaration
  /// The scope that the override gives the provider, if it gives one.
  let ownScope: NamedScope?
  private let builder: Builder
  /// The value of a constant override, without a reference for the caller.
  var constant: StoredValue? { if case .constant(let value) = builder { value } else { nil } }
  var isConstant: Bool { constant != nil }
  /// The `lineage` of the pod that has this override.
  private(set) var owner: Lineage?
  /// The override of the original pod that this override hides within an override scope.
  var inherited: Override?
  /// The override of the original pod of which this is a copy within an override scope.
  let origin: Override?
  /// The time at which a resolve first used this override; zero before that time.
  private let firstUseTime = Atomic<Int64>(0)
  /// Whether the override belongs to a set, of which a test may leave any part unresolved.
  let isOfSet = OverrideSet.isBeingMade
  /// Whether any instance ever depended on an instance of this override, or deferred the provider.
  let hasDependents = Atomic<Bool>(false)
  private let lock = Lock()
  /// The instances that this override hides, since they depend on its provider; unretained, since an instance retains its pod.
  @exclusivity(unchecked) private var hidden: [WeakReference] = []

  init(_ target: Declaration, scope: NamedScope? = nil, _ builder: Builder, origin: Override? = nil) {
    self.target = target
    ownScope = scope
    self.builder = builder
    self.origin = origin
  }

  /// The override that this override copies, or this override itself.
  var original: Override { origin ?? self }

  /// Returns a copy of this override for another pod.
  func copy() -> Override {
    _ = constant?.retained()
    return Override(target, scope: ownScope, builder, origin: original)
  }

  deinit {
    if let constant { target.release(constant) }
  }

  var key: UInt32 { target.index }

  /// Called before other threads have the override.
  func install(in owner: PodState) { self.owner = owner.lineage }

  /// Called once, when the override was added.
  func hide(_ instances: [Instance]) {
    lock.withLock { hidden = instances.map { WeakReference($0) } }
  }

  /// The instances that this override hides: they were built before the override was added.
  var hiddenInstances: [Instance] { lock.withLock { hidden }.compactMap { $0.object as? Instance } }

  /// The instances that this override hides, which others hide from now on.
  func takeHidden() -> [Instance] {
    let taken = lock.withLock {
      defer { hidden = [] }
      return hidden
    }
    return taken.compactMap { $0.object as? Instance }
  }

  /// The time at which a resolve first used this override, before each build that depends on it ended; zero if unused.
  var firstUse: Int64 { firstUseTime.load(ordering: .relaxed) }

  var isUsed: Bool { firstUseTime.load(ordering: .acquiring) != 0 }

  /// Whether a resolve used this override; called once it is removed and the revision has changed.
  ///
  /// A read and write in one step: either it sees the first use, or each use sees the changed revision.
  func wasUsed() -> Bool { firstUseTime.bitwiseOr(0, ordering: .acquiringAndReleasing).newValue != 0 }

  @inline(__always)
  func noteUse() {
    if !isUsed { noteFirstUse() }
  }

  @inline(never)
  private func noteFirstUse() {
    _ = firstUseTime.compareExchange(expected: 0, desired: MonotonicClock.now, ordering: .acquiringAndReleasing)
    origin?.noteUse()
    // An override of an override scope replaces the inherited override, as a second override of one pod replaces the first.
    inherited?.noteUse()
  }

  /// Notes that an instance depends on this override, though not on an instance of the override that this pod built.
  func noteDependent() {
    noteUse()
    hasDependents.store(true, ordering: .relaxed)
  }

  /// The provider, with the scope of the override if the override gives a scope.
  var named: NamedProvider { NamedProvider(declaration: target, scope: ownScope ?? target.scope) }
  var info: ProviderInfo { named.info }

  /// Builds a value of a synchronous kind.
  func store(_ declaration: Declaration, in pod: Pod) throws -> StoredValue {
    switch builder {
    case .constant(let value): value.retained()
    case .sync(let build): try build(pod, declaration)
    case .async: fatalError(Failure.abstract())
    }
  }

  /// Builds a value of the asynchronous kind.
  func storeAsync(_ declaration: Declaration, in pod: Pod) async throws -> StoredValue {
    switch builder {
    case .constant(let value): value.retained()
    case .sync: fatalError(Failure.abstract())
    case .async(let build): try await build(pod, declaration)
    }
  }
}

/// The instances that answered a deferred dependency when an override hid its holder; unretained.
final class FormerAnswers: Sendable {
  private let answers: [WeakReference]
  init(_ instances: [Instance]) { answers = instances.map { WeakReference($0) } }
  var instances: [Instance] { answers.compactMap { $0.object as? Instance } }
}

/// The identity of a pod, and of the pods that act for it, each after the end of the one before.
///
/// An object of its own: after the deallocation of a state, another pod may get the address of the state.
final class Lineage: Sendable {}

extension PodState {
  /// Whether this pod has an override, or has had it, or acts for a pod that has had it.
  func isOwner(of override: Override) -> Bool { lineage.map { override.owner === $0 } ?? false }
}
