/// What replaces a provider, or every member of a family, in one layer.
class Override: Definition, @unchecked Sendable {
  // Safe: constants, but for `owner`, `inherited` and `isUsed`, which the engine's lock guards.

  /// The declaration that is replaced: of a provider, of a member, or of a family as a whole.
  let target: Declaration
  /// The scope that it gives the provider, if it gives one.
  let ownScope: ScopeIdentity?
  /// Whether the value was given and not built, so that it is not disposed.
  let isGiven: Bool
  /// The layer that has this override, while it has it.
  var owner: Layer?
  /// What it replaced of the pod that its layer stands in for, kept by this: what counts without it.
  var inherited: Pointer?
  /// Whether a resolve ever took it, for tests that insist on that.
  private(set) var isUsed = false
  /// The override that this is a copy of, in a layer that stands in for that one's.
  let origin: Override?
  /// The address of the value that the override itself keeps, where records may use that; else zero.
  fileprivate(set) var lent: UInt = 0

  init(_ target: Declaration, scope: ScopeIdentity?, isGiven: Bool) {
    self.target = target
    ownScope = scope
    self.isGiven = isGiven
    origin = nil
  }

  /// What it changes, as bits: factories of its family lead to a member too.
  var bits: UInt64 { target.bit | (target.family?.bit ?? 0) }

  /// Notes that a resolve took it.
  @inline(__always)
  func noteUse() {
    if !isUsed { noteFirstUse() }
  }

  @inline(never)
  private func noteFirstUse() {
    isUsed = true
    origin?.noteUse()
    // What a block's own override stands before is replaced by it, as a second override of one pod replaces the first.
    inherited?.object.noteUse()
  }

  /// What it replaces, with the scope that counts.
  var info: ProviderInfo { ProviderInfo(target, scope: ownScope ?? target.scope) }

  /// The value of an override that gives one, for a record to keep: the override's own where that may be lent, else one more.
  ///
  /// Runs no code of the user's.
  func lend(_ declaration: Declaration) -> StoredValue { fatalError(Failure.abstract()) }

  /// The value of an override that gives one, kept once more.
  ///
  /// Runs no code of the user's.
  func give(_ declaration: Declaration) -> StoredValue { fatalError(Failure.abstract()) }

  /// The same override for another layer.
  func copy() -> Override { fatalError(Failure.abstract()) }

  fileprivate init(copying other: Override) {
    target = other.target
    origin = other
    ownScope = other.ownScope
    isGiven = other.isGiven
    inherited = other.inherited.map { Pointer(retaining: $0.object.copy()) }
  }

  deinit { inherited?.unmanaged.release() }
}

extension Override {
  /// An override as the engine passes it on: an address, and no counted reference.
  ///
  /// Layers keep their overrides, records those that made them, and an override the one that it stands before. Who has an address
  /// knows one of these to be there.
  struct Pointer: Hashable, @unchecked Sendable {
    // Safe: a constant; what it leads to is guarded as said there.
    private let address: UnsafeRawPointer

    init(_ override: Override) { address = UnsafeRawPointer(Unmanaged.passUnretained(override).toOpaque()) }

    /// Keeps the override until somebody releases it.
    init(retaining override: consuming Override) {
      address = UnsafeRawPointer(Unmanaged.passRetained(override).toOpaque())
    }

    /// The override with an address.
    init(at address: UnsafeRawPointer) { self.address = address }

    @inline(__always)
    var unmanaged: Unmanaged<Override> { .fromOpaque(address) }

    var object: Override { unmanaged.takeUnretainedValue() }

    /// Calls the body with the override, which is kept by somebody else meanwhile.
    @inline(__always)
    func with<Result>(_ body: (Override) throws -> Result) rethrows -> Result {
      try unmanaged._withUnsafeGuaranteedRef(body)
    }

    var target: Unmanaged<Declaration> { with { .passUnretained($0.target) } }
    var ownKind: ScopeIdentity.Kind? { with { $0.ownScope?.kind } }
    var ownScopeID: ObjectIdentifier? { with { $0.ownScope.map { ObjectIdentifier($0) } } }
    var requiresOwner: Bool? { with { $0.ownScope?.requiresOwner } }
    var ownBit: UInt64? { with { $0.ownScope?.bit } }
    var isGiven: Bool { with { $0.isGiven } }
    var isCopy: Bool { with { $0.origin != nil } }
    var bits: UInt64 { with { $0.bits } }
    func noteUse() { with { $0.noteUse() } }

    var owner: Layer? {
      get { with { $0.owner } }
      nonmutating set { with { $0.owner = newValue } }
    }

    var inherited: Pointer? {
      get { with { $0.inherited } }
      nonmutating set { with { $0.inherited = newValue } }
    }
  }
}

/// An override that gives a value, of a provider of any kind.
///
/// It knows nothing of the value's type: to find the metadata of a generic class took a third of the time of an override.
final class GivenOverride: Override, @unchecked Sendable {
  // Safe: as its base class; what this adds is constant, once it is made.

  /// A small value itself, as most are that requests bring; else what is stored of it.
  @exclusivity(unchecked) private var room: (UInt, UInt, UInt) = (0, 0, 0)
  /// Whether the room holds the value itself.
  private let isInPlace: Bool

  init<Value>(_ target: Declaration, value: consuming Value) {
    // One of the main actor may have to outlive this, to end there.
    let mayBeLent = !target.isReference && !target.isMainActor
    isInPlace =
      mayBeLent && MemoryLayout<Value>.size <= 3 * MemoryLayout<UInt>.size
      && MemoryLayout<Value>.alignment <= MemoryLayout<UInt>.alignment
    super.init(target, scope: nil, isGiven: true)
    if isInPlace {
      Memory.put(value, into: &room)
      // Safe: an object stays where it is, and its stored properties with it. Who is lent the value keeps the override.
      lent = withUnsafePointer(to: &room) { UInt(bitPattern: $0) }
    } else {
      room.0 = StoredValue.storing(value, isReference: target.isReference).word
      if mayBeLent { lent = room.0 }
    }
  }

  private init(copying other: GivenOverride) {
    isInPlace = false
    super.init(copying: other)
    room.0 = other.give(other.target).word
    if other.lent != 0 { lent = room.0 }
  }

  deinit {
    // Safe: this keeps it to its own end.
    Unmanaged.passUnretained(target)._withUnsafeGuaranteedRef { target in
      if isInPlace {
        type(of: target).endValue(at: &room)
      } else {
        Leftover(StoredValue(word: room.0), of: target).release()
      }
    }
  }

  /// The value, to look at.
  @inline(__always)
  private var value: StoredValue { StoredValue(word: lent != 0 ? lent : room.0) }

  override func lend(_ declaration: Declaration) -> StoredValue { lent != 0 ? value : give(declaration) }

  override func give(_ declaration: Declaration) -> StoredValue { declaration.duplicate(value) }

  override func store(_ declaration: Declaration, in pod: Pod) throws -> StoredValue { give(declaration) }

  override func make(_ declaration: Declaration, in pod: Pod, at memory: UnsafeMutableRawPointer) throws {
    declaration.copy(value, to: memory)
  }

  override func storeAsync(_ declaration: Declaration, in pod: Pod) async throws -> StoredValue { give(declaration) }

  override func copy() -> Override { GivenOverride(copying: self) }
}

/// An override of a provider whose builder is synchronous.
///
/// It knows nothing of the value's type either.
final class SyncOverride: Override, @unchecked Sendable {
  // Safe: as its base class; what this adds is constant.

  /// Builds a value in uninitialised memory of the caller's.
  typealias Build = (Pod, Declaration, UnsafeMutableRawPointer) throws -> Void

  private let build: Build

  init(
    _ target: Declaration, scope: ScopeIdentity? = nil, build: @escaping Build
  ) {
    self.build = build
    super.init(target, scope: scope, isGiven: false)
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
  // Safe: as its base class; what this adds is constant.

  typealias Build = @Sendable (Pod, Declaration) async throws -> Value

  private let build: Build

  init(
    _ target: Declaration, scope: ScopeIdentity? = nil, build: @escaping Build
  ) {
    self.build = build
    super.init(target, scope: scope, isGiven: false)
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
