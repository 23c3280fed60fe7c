/// The identity of a provider: its declaration, and the arguments of a family member.
public struct ProviderID: Hashable, Sendable, CustomStringConvertible {
  /// The number of the declaration, or of the family.
  private let number: UInt64
  /// The arguments of a family member.
  ///
  /// A decoded identity has only their text and their hash.
  private let arguments: FamilyArguments?
  /// The declaration, if this is the identity of a provider and not of a graph node.
  ///
  /// An identity in a graph does not retain the declaration.
  let declaration: Declaration?

  init(_ declaration: consuming Declaration, isBound: Bool) {
    number = declaration.family?.number ?? declaration.number
    arguments = declaration.details?.arguments
    self.declaration = isBound ? declaration : nil
  }

  /// Creates an identity for a provider that is known only from text.
  package init(number: UInt64) {
    self.number = number
    arguments = nil
    declaration = nil
  }

  /// The number of the provider, with the arguments of a family member.
  public var description: String {
    arguments.map { "#\(number)(\($0.text))" } ?? "#\(number)"
  }

  /// Returns whether two identities belong to one provider.
  ///
  /// Members of a family are equal if their arguments are equal.
  public static func == (left: ProviderID, right: ProviderID) -> Bool {
    guard left.number == right.number else { return false }
    guard let own = left.arguments, let other = right.arguments else { return left.arguments === right.arguments }
    return own === other || own.isEqual(to: other)
  }

  /// Returns whether the other identity belongs to the same provider, or to the family of this member.
  package func isCovered(by other: ProviderID) -> Bool {
    number == other.number && (other.arguments == nil || self == other)
  }

  /// Hashes the number, and the hash of the arguments.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(arguments?.hash)
  }
}

extension ProviderID: Codable {
  private enum CodingKeys: String, CodingKey { case number, arguments, hash }

  /// Creates an identity that equals the encoded identity, in the process that encoded it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    number = try container.decode(UInt64.self, forKey: .number)
    arguments = try container.decodeIfPresent(String.self, forKey: .arguments)
      .map { text in DecodedArguments(hash: try container.decodeIfPresent(Int.self, forKey: .hash), text: text) }
    declaration = nil
  }

  /// Encodes the number, and the text and the hash of the arguments.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(number, forKey: .number)
    try container.encodeIfPresent(arguments?.text, forKey: .arguments)
    try container.encodeIfPresent(arguments?.hash, forKey: .hash)
  }
}
