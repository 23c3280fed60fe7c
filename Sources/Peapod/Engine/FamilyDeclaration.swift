/// The identity of a family as a whole: what an override of the family replaces, and what a factory of it depends on.
final class FamilyDeclaration: Declaration, @unchecked Sendable {
  // Safe: constants; the interner guards itself; `isNamed` is guarded by the engine's lock.

  /// The members that exist, one object for each distinct set of arguments.
  let members = Interner<Declaration>()
  /// Whether the `ProviderFamily` value still exists.
  ///
  /// Members of a family that cannot be named are not kept for it.
  var isNamed = true
  private let memberType: String

  init(_ name: String?, kind: Kind, scope: ScopeIdentity, fileID: StaticString, line: UInt, valueType: String) {
    memberType = valueType
    super.init(
      kind: kind, isReference: false, fileID: fileID, line: line,
      details: Details(name: name, scope: scope, hook: .none))
  }

  private init(ghostOf other: FamilyDeclaration) {
    memberType = other.memberType
    super.init(ghostOf: other)
  }

  override func ghost() -> Declaration { FamilyDeclaration(ghostOf: self) }
  override class func destroyBox(_ value: StoredValue) {}
  override var valueType: String { memberType }
}

/// Tells the engine when a family can no longer be named.
@usableFromInline
final class FamilyToken: Sendable {
  let family: FamilyDeclaration

  init(_ family: FamilyDeclaration) { self.family = family }

  /// The first member whose arguments have a hash; there may be others.
  @inline(never)
  func firstMember(hash: Int) -> Declaration? {
    // Safe: this keeps the family, and that its members.
    Unmanaged.passUnretained(family.members)._withUnsafeGuaranteedRef { $0.first(hash: hash) }
  }

  deinit { Layer.forgetMembers(of: family) }
}

/// The arguments of a family member, or what is known of them.
class FamilyArguments: @unchecked Sendable {
  // Safe: immutable; arguments are Sendable by the constraints of families.

  /// What the arguments hash to; `nil` if they cannot be compared.
  let hash: Int?

  /// What they are called in messages and drawings; asked for here, since it is the user's code that says it.
  let text: String

  fileprivate init(hash: Int?, text: String) {
    self.hash = hash
    self.text = text
  }

  /// Arguments of which only the text is known.
  convenience init(text: String) { self.init(hash: nil, text: text) }

  /// Whether these are equal to other arguments of the same family; `false` if they cannot be compared.
  func isEqual(to other: FamilyArguments) -> Bool { text == other.text }
}

/// The arguments of a family member, with their types.
final class TypedArguments<each Argument>: FamilyArguments, @unchecked Sendable {
  // Safe: as its base class.

  let values: (repeat each Argument)

  init(_ values: repeat each Argument, hash: Int?) {
    self.values = (repeat each values)
    var parts: [String] = []
    for value in repeat each values { parts.append("\(value)") }
    super.init(hash: hash, text: parts.joined(separator: ", "))
  }

  /// Their bits, where these say all of them.
  var raw: RawArguments {
    var raw = RawArguments()
    repeat raw.append(each values)
    return raw
  }

  override func isEqual(to other: FamilyArguments) -> Bool {
    guard let other = other as? TypedArguments<repeat each Argument> else { return text == other.text }
    for (own, theirs) in repeat (each values, each other.values) {
      guard let own = own as? any Hashable, let theirs = theirs as? any Hashable,
        AnyHashable(own) == AnyHashable(theirs)
      else { return false }
    }
    return true
  }
}

extension TypedArguments where repeat each Argument: Hashable {
  func isEqual(to others: repeat each Argument) -> Bool {
    for (own, other) in repeat (each values, each others) {
      guard own == other else { return false }
    }
    return true
  }
}
