/// What is known of a provider: for messages, events and drawings.
public struct ProviderInfo: Hashable, Sendable, Identifiable, Codable {
  /// The identity of the provider.
  public var id: ProviderID
  /// The name it was given, else the type of its value; a family member's arguments follow in parentheses.
  public var name: String
  /// The type of its value.
  public var valueType: String
  /// The scope that keeps its instances.
  public var scope: String
  /// The file of its declaration, as `Module/File.swift`.
  public var fileID: String
  /// The line of its declaration.
  public var line: UInt

  init(_ declaration: Declaration, scope: NamedScope) {
    id = ProviderID(declaration, isBound: false)
    name = declaration.name
    valueType = declaration.valueType
    self.scope = scope.identity.name
    fileID = declaration.fileID
    line = UInt(declaration.line)
  }
}
