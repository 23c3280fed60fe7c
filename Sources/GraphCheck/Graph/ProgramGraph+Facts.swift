import IndexStore

extension ProgramGraph {
  /// The facts of a declaration's own code.
  func findFacts(of container: String) -> [Fact] {
    guard let definition = index.definitions[container] else { return [] }
    guard let context = CodeContext(definition, provider: providers[container], in: self) else { return [] }
    var facts: [Fact] = []
    for reference in index.references(of: container) {
      guard let (file, token) = token(reference), let certainty = context.certainty(of: token) else { continue }
      let targets = targets(of: reference.symbol)
      if !targets.isEmpty {
        let (use, isOwnPod) = use(reference, token, file, in: context.builder)
        let isSure = targets.count == 1 && isOwnPod && use != .passed && !context.mayUseOtherPod(at: token)
        for target in targets {
          let worst: StaticEdge.Certainty = isSure ? target.isFamily ? max(certainty, .branch) : certainty : .uncertain
          facts.append(.use(target, use, worst, step("\(target.name) is resolved here", worst, reference)))
        }
      }
      let isBuilder = context.isBuilder(token)
      let functions = functions(called: reference, token, file, isBuilder: isBuilder)
      guard !functions.isEmpty else { continue }
      // The library calls the builder with its own pod.
      let isOwnPod =
        !context.mayUseOtherPod(at: token)
        && (isBuilder || givesOwnPod(reference.symbol, token, file, reference.file, in: context.builder))
      for (usr, isSure) in functions {
        let worst = isSure && isOwnPod ? certainty : .uncertain
        facts.append(.call(usr, worst, step("\(reference.symbol.name) is called here", worst, reference)))
      }
    }
    return facts
  }

  private func step(
    _ text: String, _ certainty: StaticEdge.Certainty, _ reference: ProgramIndex.Reference
  ) -> StaticEdge.Step {
    StaticEdge.Step(
      text: text + (certainty == .uncertain ? ", perhaps not while the instance is built" : ""), file: reference.file,
      position: reference.position)
  }

  // MARK: - Calls

  /// The declarations whose code runs at a reference.
  private func functions(
    called reference: ProgramIndex.Reference, _ token: Int, _ file: SourceFile, isBuilder: Bool
  ) -> [(usr: String, isSure: Bool)] {
    let symbol = reference.symbol
    guard providers[symbol.usr] == nil else { return [] }
    let isCalled = reference.roles.contains(.call) || isBuilder
    if symbol.kind == .constructor {
      return [(symbol.usr, isCalled)]
        + storedProperties(initializedBy: symbol.usr).map { ($0, isCalled && !mayReplace($0, initializer: symbol)) }
    }
    if symbol.isFunction {
      // The provider that a property returns is handled where the property is named.
      if let variable = index.accessedVariables[symbol.usr], let type = demangle.type(ofVariable: variable),
        type.contains("Provider")
      {
        return []
      }
      let implementations = index.implementations[symbol.usr] ?? []
      if reference.isThroughProtocol { return implementations.map { ($0, false) } }
      let own = index.definitions[symbol.usr] == nil ? [] : [(symbol.usr, isCalled && implementations.isEmpty)]
      return own + implementations.map { ($0, false) }
    }
    // A constant that contains a function, or whose first use builds something.
    guard symbol.isVariable, symbol.kind != .instanceProperty, isStored(symbol.usr),
      let type = demangle.type(ofVariable: symbol.usr), !type.contains("Provider")
    else { return [] }
    return [(symbol.usr, type.contains(" -> ") && (isBuilder || file.text(token + 1) == "("))]
  }

  /// The stored properties of a type and its superclasses: every initializer initializes them.
  private func storedProperties(initializedBy initializer: String) -> [String] {
    var found: [String] = []
    var rest = index.definitions[initializer].flatMap(\.parent).map { [$0] } ?? []
    var seen: Set<String> = []
    while let type = rest.popLast() {
      guard seen.insert(type).inserted else { continue }
      found += (index.members[type] ?? []).filter {
        index.definitions[$0]?.symbol.kind == .instanceProperty && isStored($0)
      }
      rest += index.superclasses[type] ?? []
    }
    return found
  }

  /// Whether a compiler-generated initializer may receive a value in place of a property's initial value.
  private func mayReplace(_ property: String, initializer: Symbol) -> Bool {
    guard index.definitions[initializer.usr]?.isImplicit == true, let name = index.definitions[property]?.symbol.name
    else { return false }
    return initializer.name.contains("(\(name):") || initializer.name.contains(":\(name):")
  }

  /// Whether a variable has no getter of its own.
  func isStored(_ usr: String) -> Bool {
    !(index.accessors[usr] ?? []).contains { index.definitions[$0]?.isImplicit == false }
  }

  // MARK: - Uses

  private static let uses: [String: (label: String?, use: StaticEdge.Use)] = [
    "resolve": (nil, .direct), "withResolved": (nil, .direct), "prepare": (nil, .direct),
    "cachedInstance": ("of", .peek),
    "withFreshInstance": ("of", .borrow), "lazy": (nil, .deferred), "factory": (nil, .deferred),
    "perUse": (nil, .deferred), "overrideProvider": (nil, .change), "removeOverrideProvider": (nil, .change),
    "clearCachedInstance": ("of", .change), "clearCachedInstances": ("of", .change), "isCached": (nil, .change),
    "refresh": (nil, .change), "requireOverride": (nil, .change), "allowUnresolvedOverride": (nil, .change),
    "allowOutliving": (nil, .change), "Injected": (nil, .direct), "LazyInjected": (nil, .deferred),
  ]

  /// Returns how a provider is used as an argument of a function of the pod, or of a property wrapper.
  ///
  /// - Returns: The use, and whether the pod is the building pod.
  func use(
    _ reference: ProgramIndex.Reference, _ token: Int, _ file: SourceFile, in body: Int? = nil
  ) -> (StaticEdge.Use, isOwnPod: Bool) {
    let expression = file.expression(around: token)
    guard let argument = file.argument(expression), let callee = file.callee(before: argument.call),
      let symbol = index.references(in: reference.file, at: file.position(of: callee)).lazy.map(\.symbol)
        .first(where: isOfPod),
      let (label, use) = Self.uses[String(symbol.name.prefix { $0 != "(" })] ?? wrapper(symbol), label == argument.label
    else { return (.passed, false) }
    if wrapper(symbol) != nil {
      return (use, !file.arguments(in: argument.call).contains { $0.label == "from" })
    }
    let isImmediate = use == .deferred && isUsedAtOnce(argument.call, file)
    return (isImmediate ? .direct : use, isOnOwnPod(callee, file, reference.file, in: body))
  }

  /// Whether the result of a call is resolved where it is made: `pod.lazy(title).value` or `pod.factory(title)()`.
  private func isUsedAtOnce(_ call: Int, _ file: SourceFile) -> Bool {
    guard let next = file.partner(of: call).map({ $0 + 1 }) else { return false }
    return file.text(next) == "(" && !file.beginsLine(next) || file.text(next) == "." && file.text(next + 1) == "value"
  }

  private func wrapper(_ symbol: Symbol) -> (label: String?, use: StaticEdge.Use)? {
    ["Injected", "LazyInjected"].first { symbol.usr.hasPrefix("s:6Peapod\($0.utf8.count)\($0)V") }
      .flatMap { Self.uses[$0] }
  }

  /// Whether a function is declared as throwing.
  ///
  /// A function of another language may throw where the source has a `try`.
  func mayThrow(_ symbol: Symbol) -> Bool {
    guard symbol.isFunction || symbol.kind == .constructor else { return false }
    guard symbol.subkind != 0, let getter = index.definitions[symbol.usr] else {
      return demangle(symbol.usr)?.contains(" throws") ?? true
    }
    // The mangled name of a getter does not tell.
    let file = source.file(getter.file)
    guard !getter.isImplicit, let start = file.token(at: getter.position) else { return false }
    return (start..<file.tokens.count).prefix { file.text($0) != "{" }.contains { file.text($0) == "throws" }
  }

  /// Whether a symbol is a function of the pod that the library declares, or a property wrapper.
  func isOfPod(_ symbol: Symbol) -> Bool {
    if wrapper(symbol) != nil { return true }
    guard symbol.kind == .instanceMethod, let text = demangle(symbol.usr) else { return false }
    return ["", "(extension in PeapodTesting):"].contains { text.hasPrefix("\($0)Peapod.Pod.") }
  }
}
