import Synchronization

/// The replacement of a provider, or of every member of a family, in one pod.
class Override: Definition, Indexed, @unchecked Sendable {
  // Safe: constants and atomics. `ownerID` and `inherited` are set before other threads have the override. The lock of the pod guards
  // `hidden`.

  /// The declaration of the provider, the member or the family that is replaced.
  let target: Declaration
  /// The scope that the override gives the provider, if it gives one.
  let ownScope: NamedScope?
  /// Whether this is a constant override, whose value is not disposed.
  let isConstant: Bool
  /// The identity of the pod state that has this override.
  private(set) var ownerID: ObjectIdentifier?
  /// The override of the original pod that this override hides within an override scope.
  var inherited: Override?
  /// The override of the original pod of which this is a copy within an override scope.
  let origin: Override?
  /// The time at which a resolve first used this override; zero before that time.
  private let firstUseTime = Atomic<Int64>(0)
  private let dependents = Atomic<Bool>(false)
  /// The instances that this override hides, since they depend on its provider.
  ///
  /// Not retained, since an instance retains its pod.
  var hidden: [WeakReference] = []

  init(_ target: Declaration, scope: NamedScope?, isConstant: Bool) {
    self.target = target
    ownScope = scope
    self.isConstant = isConstant
    origin = nil
  }

  fileprivate init(copying other: Override) {
    target = other.target
    origin = other.origin ?? other
    ownScope = other.ownScope
    isConstant = other.isConstant
  }

  var index: UInt32 { target.index }

  /// Called before other threads have the override.
  func install(in owner: PodState) { ownerID = ObjectIdentifier(owner) }

  /// The time at which a resolve first used this override, before each build that depends on it ended; zero if unused.
  var firstUse: Int64 { firstUseTime.load(ordering: .relaxed) }

  /// Whether a resolve has used this override.
  var isUsed: Bool { firstUse != 0 }

  /// Whether any instance ever depended on an instance of this override, or deferred the provider.
  var hasDependents: Bool { dependents.load(ordering: .relaxed) }

  func noteDependent() { dependents.store(true, ordering: .relaxed) }

  /// Notes that a resolve used this override.
  @inline(__always)
  func noteUse() {
    if !isUsed { noteFirstUse() }
  }

  @inline(never)
  private func noteFirstUse() {
    _ = firstUseTime.compareExchange(expected: 0, desired: MonotonicClock.now, ordering: .relaxed)
    origin?.noteUse()
    // An override of an override scope replaces the inherited override, as a second override of one pod replaces the first.
    inherited?.noteUse()
  }

  /// The provider, with the scope of the override if the override gives a scope.
  var info: ProviderInfo { ProviderInfo(target, scope: ownScope ?? target.scope) }

  /// The address of a constant value that instances may use as long as they retain this override; else zero.
  var lentWord: UInt { 0 }

  /// Returns another copy of a constant value.
  func constantValue() -> StoredValue { fatalError(Failure.abstract()) }

  /// Returns a copy of this override for another pod.
  func copy() -> Override { fatalError(Failure.abstract()) }
}

/// A constant override, of a provider of any kind.
///
/// The class is not generic: the metadata of a generic class took a third of the time of an override.
final class ConstantOverride: Override, @unchecked Sendable {
  // Safe: as its base class; the value is constant.

  private let value: StoredValue

  init<Value>(_ target: Declaration, value: consuming Value) {
    self.value = .storing(value, isReference: target.isReference)
    super.init(target, scope: nil, isConstant: true)
  }

  private init(copying other: ConstantOverride) {
    value = other.target.duplicate(other.value)
    super.init(copying: other)
  }

  deinit { EndedValue(value, of: target).release() }

  /// A main-actor value is copied, since the value may outlive this override until its release on the main actor.
  override var lentWord: UInt { target.isReference || target.isMainActor ? 0 : value.word }

  override func constantValue() -> StoredValue { target.duplicate(value) }

  override func store(_ declaration: Declaration, in pod: Pod) throws -> StoredValue { declaration.duplicate(value) }

  override func make(_ declaration: Declaration, in pod: Pod, at memory: UnsafeMutableRawPointer) throws {
    declaration.copy(value, to: memory)
  }

  override func storeAsync(_ declaration: Declaration, in pod: Pod) async throws -> StoredValue {
    declaration.duplicate(value)
  }

  override func copy() -> Override { ConstantOverride(copying: self) }
}

/// An override of a provider whose builder is synchronous.
///
/// The class is not generic either.
final class SyncOverride: Override, @unchecked Sendable {
  // Safe: as its base class; the builder is constant.

  /// Builds a value in uninitialized memory of the caller.
  typealias Build = (Pod, Declaration, UnsafeMutableRawPointer) throws -> Void

  private let build: Build

  init(_ target: Declaration, scope: NamedScope? = nil, build: @escaping Build) {
    self.build = build
    super.init(target, scope: scope, isConstant: false)
  }

  private init(copying other: SyncOverride) {
    build = other.build
    super.init(copying: other)
  }

  override func store(_ declaration: Declaration, in pod: Pod) throws -> StoredValue {
    if declaration.isReference {
      var word: UInt = 0
      try build(pod, declaration, &word)
      return StoredValue(word: word)
    }
    let box = declaration.makeBox()
    do { try build(pod, declaration, box) } catch {
      Memory.free(box)
      throw error
    }
    return StoredValue(word: UInt(bitPattern: box))
  }

  override func make(_ declaration: Declaration, in pod: Pod, at memory: UnsafeMutableRawPointer) throws {
    try build(pod, declaration, memory)
  }

  override func copy() -> Override { SyncOverride(copying: self) }
}

/// An override of a provider whose builder is asynchronous.
final class AsyncOverride<Value>: Override, @unchecked Sendable {
  // Safe: as its base class; the builder is constant.

  typealias Build = @Sendable (Pod, Declaration) async throws -> Value

  private let build: Build

  init(_ target: Declaration, scope: NamedScope? = nil, build: @escaping Build) {
    self.build = build
    super.init(target, scope: scope, isConstant: false)
  }

  private init(copying other: AsyncOverride) {
    build = other.build
    super.init(copying: other)
  }

  override func storeAsync(_ declaration: Declaration, in pod: Pod) async throws -> StoredValue {
    .storing(try await build(pod, declaration), isReference: declaration.isReference)
  }

  override func copy() -> Override { AsyncOverride(copying: self) }
}
