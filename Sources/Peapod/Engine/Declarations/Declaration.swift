import Synchronization

/// The identity of a provider: one object for each declaration, and for each distinct member of a family.
@usableFromInline
class Declaration: @unchecked Sendable {
  // Safe: constants and atomics, but for `isFirstBuild`, which `RepeatedDeclarations` guards.

  enum Kind: UInt8 { case sync, throwing, async, mainActor }

  struct Place {
    /// The text of the file's identifier, which ends with a zero.
    let file: UnsafePointer<UInt8>
    let line: UInt32
  }

  // The order of the fields leaves no gaps, since a program may have many providers.

  private let file: UnsafePointer<UInt8>
  let kind: Kind
  /// Whether values are class instances, which are stored without a box.
  @usableFromInline let isReference: Bool
  let scopeKind: ScopeIdentity.Kind
  /// Whether `RepeatedDeclarations` has still to count this provider.
  final var isFirstBuild = true
  /// The place of this provider in every slot table.
  let index: UInt32
  /// Distinguishes this provider from earlier providers with the same index.
  let generation: UInt32
  let line: UInt32
  fileprivate let ownChangeNumber = ChangeNumber()
  let details: Details?

  /// The properties that few providers have.
  final class Details: Sendable {
    let name: String?
    let scope: NamedScope
    let disposal: DisposalClosure
    /// Whether there is a disposal closure; a test of the closure itself would retain the closure.
    let hasDisposal: Bool
    let family: FamilyDeclaration?
    let arguments: FamilyArguments?

    init(
      _ name: String?, scope: NamedScope, disposal: DisposalClosure = .none, family: FamilyDeclaration? = nil,
      arguments: FamilyArguments? = nil
    ) {
      self.name = name
      self.scope = scope
      self.disposal = disposal
      hasDisposal = disposal.exists
      self.family = family
      self.arguments = arguments
    }

    var isDefault: Bool { name == nil && scope.identity === ScopeIdentity.singleton && !hasDisposal && family == nil }
  }

  init(_ kind: Kind, isReference: Bool, at place: Place, _ details: Details) {
    (index, generation) = Indices.shared.takeIndex()
    self.kind = kind
    self.isReference = isReference
    (file, line) = (place.file, place.line)
    self.details = details.isDefault ? nil : details
    scopeKind = details.scope.identity.kind
  }

  deinit {
    Indices.shared.releaseIndex(index, generation)
    if let hash = details?.arguments?.hash { details?.family?.members.removeDeallocated(hash: hash) }
  }

  /// Releases a value of this provider, on the main actor if it was built there.
  ///
  /// Called without a lock: it may run a `deinit`.
  final func release(_ value: StoredValue) {
    if isMainActor, !CurrentThread.isMain { Task { @MainActor in value.release() } } else { value.release() }
  }

  /// Builds a value of a synchronous kind with the provider's own builder.
  func store(in pod: Pod) throws -> StoredValue { fatalError(Failure.abstract()) }

  /// Builds a value of the asynchronous kind with the provider's own builder.
  func storeAsync(in pod: Pod) async throws -> StoredValue { fatalError(Failure.abstract()) }

  /// Returns the class instance that a value is or contains, or `nil`.
  func object(in value: StoredValue) -> AnyObject? { fatalError(Failure.abstract()) }

  /// Returns the value in which `object(in:)` found this class instance.
  func value(of object: StoredValue) -> StoredValue { fatalError(Failure.abstract()) }

  /// The name of the value's type.
  var valueType: String { fatalError(Failure.abstract()) }
}

extension Declaration.Place {
  init(_ fileID: StaticString, _ line: UInt) {
    file = fileID.hasPointerRepresentation ? fileID.utf8Start : StaticString("?").utf8Start
    self.line = UInt32(truncatingIfNeeded: line)
  }
}

extension Declaration {
  var place: Place { Place(file: file, line: line) }
  var fileID: String { String(cString: file) }
  var scope: NamedScope { details?.scope ?? .singleton }
  var isTransient: Bool { scopeKind == .alwaysCreateNew }
  var family: FamilyDeclaration? { details?.family }
  var disposal: DisposalClosure { details?.disposal ?? .none }
  var hasDisposal: Bool { details?.hasDisposal ?? false }
  var isMainActor: Bool { kind == .mainActor }
  var number: UInt64 { UInt64(generation) << 32 | UInt64(index) }

  var name: String { name(ofType: details?.name == nil ? valueType : "") }

  /// The given name, or else the name of the value's type, with the arguments of a family member.
  func name(ofType valueType: String) -> String {
    let base = details?.name ?? valueType
    guard let arguments = details?.arguments else { return base }
    return "\(base)(\(arguments.text))"
  }

  var description: String { "\(name) (\(fileID):\(line))" }

  /// Whether a pod with these override bits may override this provider or its family.
  @inline(__always)
  func mayBeOverridden(by bits: UInt64) -> Bool {
    guard bits != 0 else { return false }
    return bits & (overrideBit | (family?.overrideBit ?? 0)) != 0
  }

  /// The number of the provider, or of the family of a member.
  var changeNumber: ChangeNumber {
    _read {
      let target = family ?? self
      yield target.ownChangeNumber
    }
  }

  /// The bit by which a child notes its own instance of the provider, if a deferred dependency ever led there; otherwise none.
  var answerBit: UInt64 { changeNumber.isDeferred ? changeNumber.answerBit((family ?? self).index) : 0 }

  /// The bits of the provider in the mask of a holder that defers it.
  var questionBits: UInt64 { changeNumber.questionBits((family ?? self).index) }

  /// The bit of this provider among the overrides of one pod; several providers share each bit.
  @inline(__always)
  var overrideBit: UInt64 { 1 << UInt64(index & 63) }
}

/// Gives each declaration a small number, and reuses the number when the declaration is deallocated.
private final class Indices: @unchecked Sendable {
  static let shared = Indices()

  // Safe: guarded by `lock`.
  private var next: UInt32 = 0
  private var free: [(index: UInt32, generation: UInt32)] = []
  private let lock = Lock()

  func takeIndex() -> (index: UInt32, generation: UInt32) {
    lock.withLock {
      if let last = free.popLast() { return (last.index, last.generation &+ 1) }
      defer { next += 1 }
      return (SlotTable.index(next), 0)
    }
  }

  func releaseIndex(_ index: UInt32, _ generation: UInt32) {
    lock.withLock { free.append((index, generation)) }
  }
}
