/// Tells one provider from every other: the identity of a declaration, and for a family member of its arguments too.
public struct ProviderID: Hashable, Sendable, CustomStringConvertible {
  /// The number of the declaration, or of the family.
  private let number: UInt64
  /// The arguments of a family member; of a decoded identity their text alone is known.
  private let arguments: FamilyArguments?
  /// The declaration, where this was asked of a provider.
  ///
  /// An identity in a drawing keeps no provider alive.
  let declaration: Declaration?

  init(_ declaration: consuming Declaration, isBound: Bool) {
    number = declaration.family?.number ?? declaration.number
    arguments = declaration.details?.arguments
    self.declaration = isBound ? declaration : nil
  }

  /// An identity for a provider of which only a text is known.
  package init(number: UInt64) {
    self.number = number
    arguments = nil
    declaration = nil
  }

  /// The number of the provider, with the arguments of a family member.
  public var description: String {
    arguments.map { "#\(number)(\($0.text))" } ?? "#\(number)"
  }

  /// Whether the two are one provider.
  ///
  /// Members are equal if their family and arguments are.
  public static func == (left: ProviderID, right: ProviderID) -> Bool {
    guard left.number == right.number else { return false }
    guard let own = left.arguments, let other = right.arguments else { return left.arguments === right.arguments }
    return own === other || own.isEqual(to: other)
  }

  /// Hashes what the declaration and the family are known by.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(arguments?.hash)
  }
}

extension ProviderID: Codable {
  private enum CodingKeys: String, CodingKey { case number, arguments, hash }

  /// Reads an identity that equals the one that was written.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    number = try container.decode(UInt64.self, forKey: .number)
    arguments = try container.decodeIfPresent(String.self, forKey: .arguments)
      .map { text in FamilyArguments(hash: try container.decodeIfPresent(Int.self, forKey: .hash), text: text) }
    declaration = nil
  }

  /// Writes the number and the text of the arguments.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(number, forKey: .number)
    try container.encodeIfPresent(arguments?.text, forKey: .arguments)
    try container.encodeIfPresent(arguments?.hash, forKey: .hash)
  }
}
