/// A description of a provider for messages, events and diagrams.
public struct ProviderInfo: Hashable, Sendable, Identifiable, Codable {
  /// The identity of the provider.
  public var id: ProviderID
  /// The given name, or else the value type, with the arguments of a family member in parentheses.
  public var name: String
  /// The type of the value.
  public var valueType: String
  /// The scope of the provider's instances.
  public var scope: String
  /// The file of the declaration, as `Module/File.swift`.
  public var fileID: String
  /// The line of the declaration.
  public var line: UInt

  /// The name, type and file, by which providers of two processes are compared.
  var nameTypeAndFile: [String] { [name, valueType, fileID] }

  init(_ declaration: Declaration, scope: NamedScope) {
    id = ProviderID(declaration, isBound: false)
    // Read once, because each access makes a new string.
    let type = declaration.valueType
    name = declaration.name(ofType: type)
    valueType = type
    self.scope = scope.identity.name
    fileID = declaration.fileID
    line = UInt(declaration.line)
  }
}

extension ProviderInfo: Comparable {
  /// Returns whether one provider is declared before another.
  public static func < (left: ProviderInfo, right: ProviderInfo) -> Bool {
    let (one, other) = ((left.fileID, left.line, left.name), (right.fileID, right.line, right.name))
    if one != other { return one < other }
    // Providers of one line may have the same name.
    return (left.id.description, left.valueType, left.scope) < (right.id.description, right.valueType, right.scope)
  }
}
