/// A declared name.
package struct Symbol: Hashable, Sendable {
  /// The kinds of `indexstore_symbol_kind_t` that the reader tells apart.
  package enum Kind: Int, Sendable {
    case unknown = 0, module = 1, `enum` = 5, `struct` = 6, `class` = 7, `protocol` = 8, `extension` = 9
    case `typealias` = 11, function = 12, variable = 13, field = 14, enumConstant = 15, instanceMethod = 16
    case classMethod = 17, staticMethod = 18, instanceProperty = 19, classProperty = 20, staticProperty = 21
    case constructor = 22, destructor = 23, parameter = 25
  }

  /// The mangled name of the declaration, after `s:`.
  package let usr: String
  package let name: String
  package let kind: Kind
  /// The subkind, which distinguishes accessors from functions, among others.
  ///
  /// An ordinary declaration has 0.
  package let subkind: Int

  package init(usr: String, name: String, kind: Kind, subkind: Int) {
    self.usr = usr
    self.name = name
    self.kind = kind
    self.subkind = subkind
  }

  /// Whether the symbol is a variable or a property of a type or an instance.
  package var isVariable: Bool {
    [.variable, .staticProperty, .classProperty, .instanceProperty].contains(kind)
  }

  /// Whether the symbol is a function, a method or an accessor.
  package var isFunction: Bool {
    [.function, .instanceMethod, .staticMethod, .classMethod].contains(kind)
  }
}
