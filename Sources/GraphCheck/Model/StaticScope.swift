/// A scope, as far as the source tells.
enum StaticScope: Hashable {
  case singleton, transient, graph, weak
  /// A type of the program, and its value where the source shows that the type has several scopes.
  ///
  /// The value is a case, a constant, the arguments of an initializer, or generic arguments: `tab`, `(id: 1)`, `<Int>`.
  case custom(type: String, value: String?)
  case unknown

  /// The scope of a demangled type.
  init(type: String) {
    switch type {
    case "Peapod.SingletonScope": self = .singleton
    case "Peapod.AlwaysCreateNewScope": self = .transient
    case "Peapod.GraphScope": self = .graph
    case "Peapod.WeakScope": self = .weak
    // The demangled name of `any ProviderScope`.
    case "Peapod.ProviderScope": self = .unknown
    case _ where type.hasPrefix("any ") || type.hasPrefix("some ") || !type.contains("."): self = .unknown
    default: self = .custom(type: type, value: nil)
    }
  }

  /// The type of a scope of the program.
  var type: String? {
    if case .custom(let type, _) = self { type } else { nil }
  }

  /// The scope in a finding, without its module.
  var label: String {
    switch self {
    case .singleton: "singleton"
    case .transient: "alwaysCreateNew"
    case .graph: "graph"
    case .weak: "weak"
    case .custom(let type, let value):
      type.unqualified + (value.map { "(<".contains($0.prefix(1)) ? $0 : ".\($0)" } ?? "")
    case .unknown: "unknown"
    }
  }

  /// The scope in a diagram.
  ///
  /// The built-in scopes have the names of their types, as at run time.
  var name: String {
    switch self {
    case .singleton: "SingletonScope"
    case .transient: "AlwaysCreateNewScope"
    case .graph: "GraphScope"
    case .weak: "WeakScope"
    case .custom, .unknown: label
    }
  }
}

extension String {
  /// A qualified name without its module, and without the mark that distinguishes private types of one name.
  var unqualified: String {
    let name = firstIndex(of: ".").map { self[index(after: $0)...] } ?? self[...]
    return name.split(separator: ".").map { part in
      part.hasPrefix("(") ? part.dropFirst().prefix { $0 != " " } : part
    }.joined(separator: ".")
  }

  /// Generic arguments without the modules and the outer types of their names.
  var withoutQualifiers: String {
    var (text, start) = ("", "")
    for character in self {
      switch character {
      case ".": start = ""
      case _ where character.isLetter || character.isNumber || character == "_": start.append(character)
      default:
        text += start + String(character)
        start = ""
      }
    }
    return text + start
  }
}
