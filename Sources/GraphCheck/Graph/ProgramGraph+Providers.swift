import IndexStore

extension ProgramGraph {
  /// Returns the provider that a variable contains, if the initializer or getter of the variable makes a provider.
  func provider(_ definition: ProgramIndex.Definition, isOwn: Bool) -> StaticProvider? {
    guard definition.symbol.isVariable, let type = demangle.type(ofVariable: definition.symbol.usr),
      let providerType = ProviderType(type)
    else { return nil }
    let references = index.references(of: definition.symbol.usr)
    let calls = references.filter { isOwnMaker($0.symbol) }
    guard !calls.isEmpty || references.contains(where: isForeignMaker) else { return nil }
    return StaticProvider(
      definition, name: qualifiedName(definition), type: providerType, maker: calls.first.flatMap(maker),
      makerLine: calls.first?.position.line ?? definition.position.line, isOwn: isOwn)
  }

  /// Whether a symbol is an initializer of a kind of provider, or `family`.
  func isOwnMaker(_ symbol: Symbol) -> Bool {
    ProviderType.kinds.contains { symbol.usr.hasPrefix("s:6Peapod\($0.utf8.count)\($0)V") }
      && (symbol.kind == .constructor && symbol.name.hasPrefix("init(") || symbol.name.hasPrefix("family("))
  }

  /// Whether a reference calls a function of the program that returns a provider.
  private func isForeignMaker(_ reference: ProgramIndex.Reference) -> Bool {
    let symbol = reference.symbol
    guard symbol.isFunction, symbol.subkind == 0, !symbol.name.hasPrefix("callAsFunction("),
      let result = demangle.result(ofFunction: symbol.usr)
    else { return false }
    return ProviderType(result) != nil
  }

  /// Reads the arguments of the call that makes a provider.
  func maker(_ call: ProgramIndex.Reference) -> StaticProvider.Maker? {
    guard let (file, token) = token(call) else { return nil }
    var next = file.afterGenericArguments(of: token)
    var (builder, builderArgument, scope, disposal): (Range<Int>?, Range<Int>?, Range<Int>?, Range<Int>?)
    if file.text(next) == "(", let close = file.partner(of: next) {
      for argument in file.arguments(in: next) {
        switch argument.label {
        case "scope": scope = argument.tokens
        case "onDispose": disposal = argument.tokens
        case nil where file.text(argument.tokens.lowerBound) == "{": builder = argument.tokens
        // The name comes first, as a string or `nil`.
        case nil: builderArgument = argument.tokens
        default: break
        }
      }
      next = close + 1
    }
    if file.text(next) == "{", let close = file.partner(of: next) {
      builder = next..<close + 1
      next = close + 1
      while file.isWord(next), file.text(next + 1) == ":", let close = file.partner(of: next + 2) {
        disposal = next + 2..<close + 1
        next = close + 1
      }
    }
    return StaticProvider.Maker(
      token: token, builder: builder, builderArgument: builder == nil ? builderArgument : nil, scope: scope,
      disposal: disposal)
  }

  private func qualifiedName(_ definition: ProgramIndex.Definition) -> String {
    var name = definition.symbol.name
    var parent = definition.parent
    while let usr = parent, let outer = index.definitions[usr] {
      name = "\(outer.symbol.name).\(name)"
      parent = outer.parent
    }
    return name
  }

  // MARK: - Names of providers

  /// The providers that a name may stand for: its own provider, or the provider that an alias or a computed property
  /// returns.
  func targets(of symbol: Symbol, seen: Set<String> = []) -> [StaticProvider] {
    guard symbol.isVariable else { return [] }
    if let provider = providers[symbol.usr] { return [provider] }
    guard !seen.contains(symbol.usr), let type = demangle.type(ofVariable: symbol.usr), type.contains("Peapod."),
      type.contains("Provider")
    else { return [] }
    var found: [String: StaticProvider] = [:]
    for reference in index.references(of: symbol.usr) {
      for target in targets(of: reference.symbol, seen: seen.union([symbol.usr])) { found[target.usr] = target }
    }
    return found.values.sorted { $0.position < $1.position }
  }
}
