/// Tells one provider from every other: the identity of a declaration, and for a family member of its arguments too.
public struct ProviderID: Hashable, Sendable, CustomStringConvertible {
  /// The number of the declaration, or of the family.
  private let number: UInt64
  /// The arguments of a family member.
  private let values: FamilyArguments?
  /// Their text: all that a decoded identity knows of them.
  private let arguments: String?
  /// The declaration, where this was asked of a provider.
  ///
  /// An identity in a drawing keeps no provider alive.
  let declaration: Declaration?

  init(_ declaration: Declaration, isBound: Bool) {
    let family = declaration.family
    number = (family ?? declaration).number
    values = declaration.details?.arguments
    arguments = values?.text
    self.declaration = isBound ? declaration : nil
  }

  /// The number of the provider, with the arguments of a family member.
  public var description: String {
    arguments.map { "#\(number)(\($0))" } ?? "#\(number)"
  }

  /// Whether the two are one provider.
  ///
  /// Members are equal if their family and arguments are.
  public static func == (left: ProviderID, right: ProviderID) -> Bool {
    guard left.number == right.number else { return false }
    if let own = left.values, let other = right.values { return own === other || own.isEqual(to: other) }
    return left.arguments == right.arguments
  }

  /// Hashes what the declaration and the family are known by.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(arguments)
  }
}

extension ProviderID: Codable {
  private enum CodingKeys: String, CodingKey { case number, arguments }

  /// Reads an identity that equals the one that was written.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    number = try container.decode(UInt64.self, forKey: .number)
    arguments = try container.decodeIfPresent(String.self, forKey: .arguments)
    values = nil
    declaration = nil
  }

  /// Writes the number and the text of the arguments.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(number, forKey: .number)
    try container.encodeIfPresent(arguments, forKey: .arguments)
  }
}
