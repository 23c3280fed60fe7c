import IndexStore

extension ProgramGraph {
  /// The scope that a provider is declared with.
  func scope(of provider: StaticProvider) -> StaticScope {
    let references = index.references(of: provider.usr)
    if let maker = provider.maker {
      // Two calls may have two scopes, unless one is inside the other.
      let others = references.filter { isOwnMaker($0.symbol) }.compactMap { token($0)?.token }
      let isOnly = others.allSatisfy { token in token == maker.token || maker.builder?.contains(token) == true }
      return isOnly ? scope(of: maker, in: provider.file) : .unknown
    }
    // A function of the program makes the provider, with one scope or with a scope that the function receives.
    let functions = references.filter { $0.symbol.isFunction && $0.roles.contains(.call) }.map(\.symbol.usr)
    let makers = functions.flatMap { index.references(of: $0) }.filter { isOwnMaker($0.symbol) }
    guard makers.count == 1, let call = makers.first, let maker = maker(call) else { return .unknown }
    return scope(of: maker, in: call.file)
  }

  private func scope(of maker: StaticProvider.Maker, in path: String) -> StaticScope {
    guard let argument = maker.scope else { return .singleton }
    let file = source.file(path)
    // `.session`, `MyScope()`, `Module.MyScope()` and `AppScope.user` are understood.
    var name = argument.lowerBound + (file.text(argument.lowerBound) == "." ? 1 : 0)
    while name + 2 < argument.upperBound, file.text(name + 1) == ".", file.isWord(name + 2) { name += 2 }
    let end = file.afterGenericArguments(of: name)
    let isCall = file.text(end) == "(" && file.partner(of: end) == argument.upperBound - 1
    guard file.isWord(name), isCall || end == argument.upperBound else { return .unknown }
    return index.references(in: path, at: file.position(of: name)).lazy.compactMap { self.scope($0.symbol) }.first
      ?? .unknown
  }

  /// The scope that a symbol names or makes.
  private func scope(_ symbol: Symbol) -> StaticScope? {
    switch symbol.kind {
    case .constructor:
      guard let text = demangle(symbol.usr), let end = text.ranges(of: ".init(").last else { return nil }
      return StaticScope(type: String(text[..<end.lowerBound]))
    case .enumConstant:
      guard let text = demangle(symbol.usr), let end = text.firstRange(of: "("),
        let dot = text[..<end.lowerBound].lastIndex(of: ".")
      else { return nil }
      return .custom(type: String(text[..<dot]), value: String(text[text.index(after: dot)..<end.lowerBound]))
    case .staticProperty, .variable, .classProperty, .instanceProperty:
      return demangle.type(ofVariable: symbol.usr).map(scope(ofType:))
    case .function, .staticMethod, .classMethod, .instanceMethod:
      return symbol.subkind == 0 ? demangle.result(ofFunction: symbol.usr).map(scope(ofType:)) : nil
    default: return nil
    }
  }

  /// The scope of a demangled type; unknown if the type is a protocol.
  private func scope(ofType name: String) -> StaticScope {
    let scope = StaticScope(type: name)
    return scope.type.flatMap { types[$0] }?.symbol.kind == .protocol ? .unknown : scope
  }

  // MARK: - Comparing scopes

  /// Whether a scope is cleared whenever another scope is cleared, or `nil` if the source does not tell.
  func isCleared(_ scope: StaticScope, with other: StaticScope) -> Bool? {
    guard case .custom = scope else { return false }
    var seen: Set<StaticScope> = [other]
    var rest = [other]
    var isUnknown = false
    while let next = rest.popLast() {
      if mayBeSame(next, scope) { return true }
      guard let children = children(of: next) else {
        isUnknown = true
        continue
      }
      for child in children where seen.insert(child).inserted { rest.append(child) }
    }
    return isUnknown ? nil : false
  }

  /// Whether two scopes are one, or values of one type that the source does not tell apart.
  private func mayBeSame(_ left: StaticScope, _ right: StaticScope) -> Bool {
    guard case .custom(let leftType, let leftValue?) = left, case .custom(let rightType, let rightValue?) = right,
      leftType == rightType, leftValue != rightValue
    else { return left.type == right.type }
    return !hasDistinctCases(leftType)
  }

  /// Whether the cases of an enumeration are different scopes.
  ///
  /// The cases are different if the enumeration declares that it is hashable, or has no payload.
  private func hasDistinctCases(_ type: String) -> Bool {
    guard let definition = types[type] else { return false }
    if index.conformances["s:SH"]?.contains(definition.symbol.usr) == true { return true }
    return !(index.members[definition.symbol.usr] ?? []).contains {
      index.definitions[$0]?.symbol.kind == .enumConstant && index.definitions[$0]?.symbol.name.contains("(") == true
    }
  }

  /// The children of all values of a scope, or `nil` if the source does not tell.
  private func children(of scope: StaticScope) -> Set<StaticScope>? {
    guard case .custom(let type, _) = scope, let definition = types[type] else { return nil }
    guard let children = member("children", of: definition) else { return [] }
    var found: Set<StaticScope> = []
    for reference in index.references(of: children.symbol.usr) where !reference.roles.contains(.implicit) {
      switch self.scope(reference.symbol) {
      case .custom(let type, let value)?: found.insert(.custom(type: type, value: value))
      case .unknown?: return nil
      default:
        // A function or another property makes the list.
        if reference.symbol.isFunction, reference.symbol.subkind == 0 { return nil }
      }
    }
    // A list that an initializer receives is unknown.
    let isComputed = (index.accessors[children.symbol.usr] ?? []).contains {
      index.definitions[$0]?.isImplicit == false
    }
    return isComputed || !found.isEmpty ? found : nil
  }

  /// Whether the declaration of a scope says that the scope requires an owner.
  func requiresOwner(_ scope: StaticScope) -> Bool {
    guard case .custom(let type, _) = scope, let definition = types[type],
      let property = member("requiresOwner", of: definition)
    else { return false }
    let file = source.file(property.file)
    guard var token = file.token(at: property.position) else { return false }
    // `var requiresOwner: Bool { true }`, or `let requiresOwner = true`.
    let parent = file.parent(of: token)
    while token < file.tokens.count, file.text(token) != "false" {
      if file.text(token) == "true" { return true }
      token += 1
      if file.parent(of: token) == parent, file.text(token) == "}" || file.text(token) == "var" { return false }
    }
    return false
  }

  /// The property of a type, or else of its superclasses and protocols.
  private func member(_ name: String, of definition: ProgramIndex.Definition) -> ProgramIndex.Definition? {
    var rest = [definition.symbol.usr]
    var seen = Set(rest)
    while !rest.isEmpty {
      let type = rest.removeFirst()
      let own = (index.members[type] ?? []).lazy.compactMap { self.index.definitions[$0] }
        .first { $0.symbol.name == name && $0.symbol.isVariable }
      if let own { return own }
      let conformances = index.conformances.filter { $0.value.contains(type) }.keys.sorted()
      // A superclass comes before a protocol. The library's own protocol has the defaults.
      for base in (index.superclasses[type] ?? []) + conformances where !base.hasPrefix("s:6Peapod") {
        if seen.insert(base).inserted { rest.append(base) }
      }
    }
    return nil
  }
}
