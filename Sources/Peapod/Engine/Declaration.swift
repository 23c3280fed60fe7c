/// The identity of a provider: one object for each declaration, and for each distinct member of a family.
@usableFromInline
class Declaration: Definition, @unchecked Sendable {
  // Safe: constants, but for `home` and `flags`, which the engine's lock guards, but for a declaration's own end; `file` and
  // `line` are replaced only before anybody else has it.

  enum Kind: UInt8 { case sync, throwing, async, mainActor }

  struct Flags: OptionSet {
    let rawValue: UInt8
    static let isGhost = Flags(rawValue: 1 << 0)
    static let isFirstBuild = Flags(rawValue: 1 << 1)
    static let isRegistered = Flags(rawValue: 1 << 2)
    static let isElsewhere = Flags(rawValue: 1 << 3)
    static let mayBePromised = Flags(rawValue: 1 << 4)
  }

  // In an order that leaves no gaps: there may be many providers.

  /// The text of the file's identifier, which ends with a zero.
  private var file: UnsafePointer<UInt8>
  let kind: Kind
  /// Whether values are references and so kept as their own bits.
  let isReference: Bool
  let scopeKind: ScopeIdentity.Kind
  private var flags: Flags
  /// The place of this provider in every slot table.
  let index: UInt32
  /// Tells this provider from earlier ones with the same index.
  let generation: UInt32
  private(set) var line: UInt32
  let details: Details?
  /// A layer that keeps records of this provider.
  ///
  /// Cleared before that layer goes.
  var home: Layer?

  /// What few providers have.
  final class Details: Sendable {
    let name: String?
    let scope: ScopeIdentity
    let hook: Hook
    /// Whether there is a hook: to look at that itself would copy it, and count a reference.
    let hasHook: Bool
    let family: FamilyDeclaration?
    let arguments: FamilyArguments?

    init(
      name: String?, scope: ScopeIdentity, hook: Hook, family: FamilyDeclaration? = nil,
      arguments: FamilyArguments? = nil
    ) {
      self.name = name
      self.scope = scope
      self.hook = hook
      hasHook = hook.exists
      self.family = family
      self.arguments = arguments
    }

    var isDefault: Bool { name == nil && scope === ScopeIdentity.singleton && !hook.exists && family == nil }
  }

  /// What is called with an instance that is no longer kept.
  enum Hook: Sendable {
    case none
    case sync(@Sendable (StoredValue) -> Void)
    case async(@Sendable (StoredValue) async -> Void)

    var exists: Bool {
      if case .none = self { false } else { true }
    }
  }

  init(kind: Kind, isReference: Bool, fileID: StaticString, line: UInt, details: Details) {
    (index, generation) = Indices.shared.take()
    self.kind = kind
    self.isReference = isReference
    file = fileID.hasPointerRepresentation ? fileID.utf8Start : StaticString("?").utf8Start
    self.line = UInt32(truncatingIfNeeded: line)
    self.details = details.isDefault ? nil : details
    scopeKind = details.scope.kind
    flags = .isFirstBuild
    super.init()
  }

  /// Describes an instance whose provider can no longer be named.
  init(ghostOf other: Declaration) {
    (index, generation) = (other.index, other.generation)
    kind = other.kind
    isReference = other.isReference
    file = other.file
    line = other.line
    details = other.details
    scopeKind = other.scopeKind
    flags = .isGhost
    super.init()
  }

  deinit {
    guard !isGhost else { return }
    // Not by `home`, which another thread may be clearing while it still looks at this.
    if isRegistered { Layer.forget(self) }
    Indices.shared.giveBack(index, generation)
    details?.family?.members.noteDeath()
  }

  /// Ends the life of a value of such a provider that is no reference.
  ///
  /// May run a `deinit` of the user's, so it is called without a lock.
  class func destroyBox(_ value: StoredValue) { fatalError(Failure.abstract()) }

  /// Ends the life of a value of such a provider, in memory that is somebody else's.
  class func endValue(at memory: UnsafeMutableRawPointer) { fatalError(Failure.abstract()) }

  /// Ends the life of a value of this provider.
  @inline(__always)
  final func destroy(_ value: StoredValue) {
    if isReference { value.releaseReference() } else { type(of: self).destroyBox(value) }
  }

  /// Copies a value of this provider into uninitialised memory.
  @inline(__always)
  final func copy(_ value: StoredValue, to memory: UnsafeMutableRawPointer) {
    if isReference { value.copyReference(to: memory) } else { copyBox(value, to: memory) }
  }

  /// Memory for a value that is no reference, as `destroyBox` frees it.
  func makeBox() -> UnsafeMutableRawPointer { fatalError(Failure.abstract()) }

  /// Copies a value that is no reference.
  func copyBox(_ value: StoredValue, to memory: UnsafeMutableRawPointer) { fatalError(Failure.abstract()) }

  /// Moves a value of this provider into uninitialised memory.
  func move(_ value: StoredValue, to memory: UnsafeMutableRawPointer) { fatalError(Failure.abstract()) }

  /// A second copy of a value, kept in memory of its own.
  @inline(__always)
  final func duplicate(_ value: StoredValue) -> StoredValue {
    guard isReference else { return duplicateBox(value) }
    value.retainReference()
    return value
  }

  /// A second copy of a value that is no reference.
  func duplicateBox(_ value: StoredValue) -> StoredValue { fatalError(Failure.abstract()) }

  /// The class instance that a value is or holds, or `nil`.
  func object(in value: StoredValue) -> AnyObject? { fatalError(Failure.abstract()) }

  /// The value of which `object(in:)` gave this instance.
  func value(of object: AnyObject) -> StoredValue { fatalError(Failure.abstract()) }

  /// A description of this provider that outlives it.
  func ghost() -> Declaration { fatalError(Failure.abstract()) }

  /// The name of the value's type.
  var valueType: String { fatalError(Failure.abstract()) }
}

extension Declaration {
  private func set(_ flag: Flags, _ isSet: Bool) {
    if isSet { flags.insert(flag) } else { flags.remove(flag) }
  }

  /// Whether this only describes an instance whose declaration has gone; it has no index.
  var isGhost: Bool { flags.contains(.isGhost) }

  /// Whether it was never built; used by debug builds to find computed properties.
  var isFirstBuild: Bool {
    get { flags.contains(.isFirstBuild) }
    set { set(.isFirstBuild, newValue) }
  }

  /// Whether a layer ever kept a record of this provider.
  var isRegistered: Bool {
    get { flags.contains(.isRegistered) }
    set { set(.isRegistered, newValue) }
  }

  /// Whether a second layer keeps records of this provider.
  var isElsewhere: Bool {
    get { flags.contains(.isElsewhere) }
    set { set(.isElsewhere, newValue) }
  }

  /// Whether a builder ever made a handle of this provider, or a factory of this family.
  var mayBePromised: Bool {
    get { flags.contains(.mayBePromised) }
    set { set(.mayBePromised, newValue) }
  }

  /// Whether it is built synchronously, kept by any pod, and no member of a family; needs no lock.
  @inline(__always)
  var isPlain: Bool {
    guard kind != .async, scopeKind == .singleton || scopeKind == .custom else { return false }
    guard let details else { return true }
    return details.family == nil && !(scopeKind == .custom && details.scope.requiresOwner)
  }

  /// Says that a layer keeps records of this provider.
  @inline(__always)
  func register(in layer: Layer) {
    isRegistered = true
    if home == nil {
      home = layer
    } else if home != layer {
      isElsewhere = true
    }
  }

  var fileID: String { String(cString: file) }

  /// Whether it was declared at the same place as another.
  func isDeclared(where other: Declaration) -> Bool {
    line == other.line && (file == other.file || fileID == other.fileID)
  }

  /// Says that it stands where another does, which is not declared again by that.
  ///
  /// Called before anybody else has it.
  func takePlace(of other: Declaration) {
    (file, line) = (other.file, other.line)
    isFirstBuild = false
  }

  var scope: ScopeIdentity { details?.scope ?? .singleton }
  var requiresOwner: Bool { details?.scope.requiresOwner ?? false }
  /// The scope, to compare.
  var scopeID: ObjectIdentifier { ObjectIdentifier(details?.scope ?? .singleton) }
  /// What stands for the provider in a word of bits.
  @inline(__always)
  var bit: UInt64 { Bits.bit(ofDeclaration: index) }
  /// What stands for the scope in a word of bits.
  @inline(__always)
  var scopeBit: UInt64 { scopeKind == .custom ? scope.bit : scopeKind.bit }
  var isTransient: Bool { scopeKind == .alwaysCreateNew }
  var family: FamilyDeclaration? { details?.family }
  var hook: Hook { details?.hook ?? .none }
  var hasHook: Bool { details?.hasHook ?? false }
  /// Whether a hook, if there is one, is done when it returns.
  var hasPlainHook: Bool {
    if case .async = hook { return false }
    return !isMainActor || ThreadContext.isMain
  }
  var number: UInt64 { UInt64(generation) << 32 | UInt64(index) }
  var isMainActor: Bool { kind == .mainActor }

  var name: String {
    let base = details?.name ?? valueType
    guard let arguments = details?.arguments else { return base }
    return "\(base)(\(arguments.text))"
  }

  var description: String { "\(name) (\(fileID):\(line))" }

  /// Hashes the identity.
  ///
  /// A member of a family is made anew where nobody holds it, and is equal to the earlier one all the same.
  func hash(into hasher: inout Hasher) {
    if let details, let family = details.family, let arguments = details.arguments, let hash = arguments.hash {
      hasher.combine(ObjectIdentifier(family))
      hasher.combine(hash)
    } else {
      hasher.combine(ObjectIdentifier(self))
    }
  }
}

/// Gives each declaration a small number, and gives it again when the declaration has gone.
private final class Indices: @unchecked Sendable {
  static let shared = Indices()

  // Safe: guarded by `lock`.
  private var next: UInt32 = 0
  private var free: [(index: UInt32, generation: UInt32)] = []
  private let lock = EngineLock()

  func take() -> (index: UInt32, generation: UInt32) {
    lock.withLock {
      if let last = free.popLast() { return (last.index, last.generation &+ 1) }
      defer { next += 1 }
      return (SlotTable.index(next), 0)
    }
  }

  func giveBack(_ index: UInt32, _ generation: UInt32) {
    lock.withLock { free.append((index, generation)) }
  }
}
