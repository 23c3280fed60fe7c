import IndexStore

/// A provider that a variable or a static property contains.
final class StaticProvider {
  /// A call of a provider's initializer or of `family`.
  struct Maker {
    /// The token of the call's name.
    let token: Int
    /// The braces of the builder, where it is a closure.
    let builder: Range<Int>?
    /// The token range of the builder, where it is a function or a constant.
    let builderArgument: Range<Int>?
    let scope: Range<Int>?
    let disposal: Range<Int>?
  }

  let usr, name, kind, valueType: String
  let definition: ProgramIndex.Definition
  let isFamily: Bool
  /// The call that makes the provider, or `nil` where a function of the program makes it.
  let maker: Maker?
  /// The line of that call.
  let makerLine: Int
  /// Whether the provider is declared in the package, so that findings about the provider are wanted.
  let isOwn: Bool
  var scope = StaticScope.unknown
  var edges: [StaticEdge] = []

  init(
    _ definition: ProgramIndex.Definition, name: String, type: ProviderType, maker: Maker?, makerLine: Int, isOwn: Bool
  ) {
    usr = definition.symbol.usr
    self.definition = definition
    self.name = name
    kind = type.kind
    valueType = type.value
    isFamily = type.isFamily
    self.maker = maker
    self.makerLine = makerLine
    self.isOwn = isOwn
  }

  var file: String { definition.file }
  var position: Position { definition.position }

  /// The file of the declaration, as `Module/File.swift`.
  var fileID: String { "\(definition.module)/\(file.lastComponent)" }

  /// The provider with its scope, as findings show it.
  var label: String { "\(name) [\(scope.label)]" }
}

extension String {
  /// The last component of a path.
  var lastComponent: String { split(separator: "/").last.map(String.init) ?? self }
}
