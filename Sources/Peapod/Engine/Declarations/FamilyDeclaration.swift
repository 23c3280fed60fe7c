/// The identity of a whole family: the target of an override of the family, and the dependency that the holder of a factory records.
@usableFromInline
final class FamilyDeclaration: Declaration, @unchecked Sendable {
  // Safe: constants; the interner has a lock of its own.

  /// The members that exist, one object for each distinct set of arguments.
  let members = Interner<Declaration>()
  private let memberType: String

  init(_ kind: Kind, at place: Place, _ details: Details, valueType: String) {
    memberType = valueType
    super.init(kind, isReference: false, at: place, details)
  }

  override var valueType: String { memberType }
}

class FamilyArguments: @unchecked Sendable {
  // Safe: immutable; arguments are Sendable by the constraints of families.

  /// The hash of the arguments; `nil` if they cannot be compared.
  let hash: Int?

  init(hash: Int?) { self.hash = hash }

  /// The text of the arguments in messages and diagrams.
  ///
  /// User code makes the text, at each use, since few members are ever named. So this is called without a lock.
  var text: String { fatalError(Failure.abstract()) }

  /// Whether these are equal to other arguments of the same family, as far as the hash and the text tell.
  func isEqual(to other: FamilyArguments) -> Bool { hash == other.hash && text == other.text }
}

/// The arguments of a decoded identity.
final class DecodedArguments: FamilyArguments, @unchecked Sendable {
  // Safe: as its base class.

  private let decodedText: String

  init(hash: Int?, text: String) {
    decodedText = text
    super.init(hash: hash)
  }

  override var text: String { decodedText }
}

final class TypedArguments<each Argument>: FamilyArguments, @unchecked Sendable {
  // Safe: as its base class.

  let values: (repeat each Argument)

  init(_ values: repeat each Argument, hash: Int?) {
    self.values = (repeat each values)
    super.init(hash: hash)
  }

  override var text: String {
    var parts: [String] = []
    for value in repeat each values { parts.append("\(value)") }
    return parts.joined(separator: ", ")
  }

  /// The bits of the arguments, for arguments whose bits tell them apart.
  var raw: RawArguments {
    var raw = RawArguments()
    repeat raw.append(each values)
    return raw
  }

  override func isEqual(to other: FamilyArguments) -> Bool {
    guard let typed = other as? TypedArguments<repeat each Argument> else { return super.isEqual(to: other) }
    for (own, theirs) in repeat (each values, each typed.values) {
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
