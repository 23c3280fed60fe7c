import IndexStore

extension ProgramGraph {
  /// The scope that a provider is declared with.
  func scope(of provider: StaticProvider) -> StaticScope {
    let references = index.references(of: provider.usr)
    if let maker = provider.maker {
      // Two calls may have two scopes, unless one is inside the other.
      let others = references.filter { isOwnMaker($0.symbol) }.compactMap { token($0)?.token }
      let isOnly = others.allSatisfy { token in token == maker.token || maker.builder?.contains(token) == true }
      return isOnly ? scope(of: maker, in: provider.file, isFixed: true) : .unknown
    }
    // A function of the program makes the provider, with one scope or with a scope that the function receives.
    let functions = references.filter { $0.symbol.isFunction && $0.roles.contains(.call) }.map(\.symbol.usr)
    let makers = functions.flatMap { index.references(of: $0) }.filter { isOwnMaker($0.symbol) }
    guard makers.count == 1, let call = makers.first, let maker = maker(call) else { return .unknown }
    return scope(of: maker, in: call.file, isFixed: false)
  }

  /// Reads the scope of a call that makes a provider.
  ///
  /// `isFixed`: whether each run of the call gives the same scope.
  private func scope(of maker: StaticProvider.Maker, in path: String, isFixed: Bool) -> StaticScope {
    guard let argument = maker.scope else { return .singleton }
    let file = source.file(path)
    // `.session`, `MyScope()`, `Module.MyScope()` and `AppScope.user` are understood.
    var name = argument.lowerBound + (file.text(argument.lowerBound) == "." ? 1 : 0)
    while name + 2 < argument.upperBound, file.text(name + 1) == ".", file.isWord(name + 2) { name += 2 }
    let end = file.afterGenericArguments(of: name)
    let isCall = file.text(end) == "(" && file.partner(of: end) == argument.upperBound - 1
    guard file.isWord(name), isCall || end == argument.upperBound else { return .unknown }
    return index.references(in: path, at: file.position(of: name)).lazy
      .compactMap { self.scope($0.symbol, name, file, isFixed: isFixed) }.first ?? .unknown
  }

  /// The scope that a symbol names or makes at a token.
  ///
  /// `seen`: the constants that lead to the symbol.
  private func scope(
    _ symbol: Symbol, _ name: Int, _ file: SourceFile, isFixed: Bool, seen: Set<String> = []
  ) -> StaticScope? {
    switch symbol.kind {
    case .constructor:
      guard let text = demangle(symbol.usr), let end = text.ranges(of: ".init(").last else { return nil }
      let generics = name + 1..<file.afterGenericArguments(of: name)
      return value(
        StaticScope(type: String(text[..<end.lowerBound])), named: "", name, file, isFixed,
        generics: generics.isEmpty ? nil : file.code(generics))
    case .enumConstant:
      guard let text = demangle(symbol.usr), let end = text.firstRange(of: "("),
        let dot = text[..<end.lowerBound].lastIndex(of: ".")
      else { return nil }
      let type = String(text[..<dot])
      let arguments = hasValues(type) ? file.arguments(after: name, isLiteral: !isFixed) ?? "" : ""
      return .custom(type: type, value: text[text.index(after: dot)..<end.lowerBound] + arguments)
    case .staticProperty, .variable, .classProperty, .instanceProperty:
      guard let type = demangle.type(ofVariable: symbol.usr) else { return nil }
      let named = value(scope(ofType: type), named: symbol.name, name, file, isFixed)
      return forwarded(by: symbol, named, seen: seen) ?? named
    case .function, .staticMethod, .classMethod, .instanceMethod:
      guard symbol.subkind == 0, let type = demangle.result(ofFunction: symbol.usr) else { return nil }
      return value(scope(ofType: type), named: String(symbol.name.prefix { $0 != "(" }), name, file, isFixed)
    default: return nil
    }
  }

  /// The scope that a constant or a getter takes from one call with literals, or from one other constant.
  private func forwarded(by constant: Symbol, _ named: StaticScope, seen: Set<String>) -> StaticScope? {
    guard case .custom(let type, _?) = named, !seen.contains(constant.usr) else { return nil }
    let scopes = index.references(of: constant.usr).filter { !$0.roles.contains(.implicit) }.compactMap { reference in
      token(reference).flatMap { file, token in
        scope(reference.symbol, token, file, isFixed: false, seen: seen.union([constant.usr]))
      }
    }
    let own = scopes.filter { $0.type == type }
    guard own.count == 1, case .custom(_, _?)? = own.first else { return nil }
    return own.first
  }

  /// Adds the value to a scope of a type whose values are different scopes: the expression that makes or names the value.
  ///
  /// The generic arguments of a type are part of its value here.
  private func value(
    _ scope: StaticScope, named constant: String, _ name: Int, _ file: SourceFile, _ isFixed: Bool,
    generics: String? = nil
  ) -> StaticScope {
    guard case .custom(let text, _) = scope else { return scope }
    let type = String(text.prefix { $0 != "<" })
    let generics = generics ?? (type == text ? "" : String(text.dropFirst(type.count)))
    guard hasValues(type) else {
      return .custom(type: type, value: generics.isEmpty ? nil : generics.withoutQualifiers)
    }
    // A constant of an enumeration may be any of the cases.
    guard constant.isEmpty || types[type]?.symbol.kind != .enum,
      let arguments = file.arguments(after: name, isLiteral: !isFixed)
    else { return .custom(type: type, value: nil) }
    return .custom(type: type, value: constant.isEmpty ? generics.withoutQualifiers + arguments : constant + arguments)
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
      switch isSame(next, scope) {
      case true?: return true
      case false?: break
      case nil: isUnknown = true
      }
      guard let children = children(of: next) else {
        isUnknown = true
        continue
      }
      for child in children where seen.insert(child).inserted { rest.append(child) }
    }
    return isUnknown ? nil : false
  }

  /// Whether two scopes are one, or `nil` if they are values of one type that may be different.
  ///
  /// Values that the source does not show count as one.
  private func isSame(_ left: StaticScope, _ right: StaticScope) -> Bool? {
    guard case .custom(let type, let leftValue?) = left, case .custom(type, let rightValue?) = right,
      leftValue != rightValue
    else { return left.type == right.type }
    guard let definition = types[type], definition.symbol.kind == .enum else { return nil }
    guard leftValue.prefix(while: { $0 != "(" }) == rightValue.prefix(while: { $0 != "(" }) else {
      return !isHashable(definition) && hasPayloads(definition)
    }
    // Without its arguments, a case may be any of its values.
    return leftValue.contains("(") && rightValue.contains("(") ? nil : true
  }

  /// Whether the values of a type are different scopes: the type is hashable, and its values are not all equal.
  private func hasValues(_ type: String) -> Bool {
    guard let definition = types[type], isHashable(definition) else { return false }
    if definition.symbol.kind == .enum { return hasPayloads(definition) }
    return (index.members[definition.symbol.usr] ?? []).contains {
      index.definitions[$0]?.symbol.kind == .instanceProperty && isStored($0)
    }
  }

  private func isHashable(_ definition: ProgramIndex.Definition) -> Bool {
    ancestors(of: definition).contains("s:SH")
  }

  private func hasPayloads(_ definition: ProgramIndex.Definition) -> Bool {
    (index.members[definition.symbol.usr] ?? []).contains {
      index.definitions[$0]?.symbol.kind == .enumConstant && index.definitions[$0]?.symbol.name.contains("(") == true
    }
  }

  /// The children of a case, or of all values of a scope, or `nil` if the source does not tell.
  private func children(of scope: StaticScope) -> Set<StaticScope>? {
    guard case .custom(let type, let value) = scope, let definition = types[type] else { return nil }
    let enumCase = definition.symbol.kind == .enum ? value.map { String($0.prefix { $0 != "(" }) } : nil
    guard let children = member("children", of: definition) else { return [] }
    var found: Set<StaticScope> = []
    for reference in index.references(of: children.symbol.usr) where !reference.roles.contains(.implicit) {
      guard let (file, token) = token(reference), !file.isPattern(token),
        enumCase.map({ file.mayRun(token, in: $0) }) ?? true
      else { continue }
      switch self.scope(reference.symbol, token, file, isFixed: false) {
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
    for type in ancestors(of: definition) {
      let own = (index.members[type] ?? []).lazy.compactMap { self.index.definitions[$0] }
        .first { $0.symbol.name == name && $0.symbol.isVariable }
      if let own { return own }
    }
    return nil
  }

  /// A type, its superclasses and its protocols, the nearest first.
  private func ancestors(of definition: ProgramIndex.Definition) -> [String] {
    var found = [definition.symbol.usr]
    var position = 0
    while position < found.count {
      let type = found[position]
      position += 1
      let conformances = index.conformances.filter { $0.value.contains(type) }.keys.sorted()
      // A superclass comes before a protocol. The library's own protocol has the defaults.
      for base in (index.superclasses[type] ?? []) + conformances
      where !base.hasPrefix("s:6Peapod") && !found.contains(base) {
        found.append(base)
      }
    }
    return found
  }
}
