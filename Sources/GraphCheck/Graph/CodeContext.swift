import IndexStore

/// The code of one declaration.
///
/// Tells how certainly a token of the code runs when the declaration is built or called.
struct CodeContext {
  private enum Body {
    /// A builder's closure, a function's body or a getter, by the token of its brace.
    case brace(Int)
    /// The expression that initializes a property.
    case expression(Int)
  }

  private let graph: ProgramGraph
  private let file: SourceFile
  private let path: String
  private let start: Int
  private let maker: StaticProvider.Maker?
  private let isProvider: Bool
  private let isLazy: Bool
  /// The first token after which another pod may be in use.
  private let podMaker: Int

  init?(_ definition: ProgramIndex.Definition, provider: StaticProvider?, in graph: ProgramGraph) {
    let file = graph.source.file(definition.file)
    guard let start = file.token(at: definition.position) else { return nil }
    self.graph = graph
    self.file = file
    path = definition.file
    self.start = start
    maker = provider?.maker
    isProvider = provider != nil
    var word = start - 1
    while file.isWord(word), !file.beginsLine(word + 1), file.text(word) != "lazy" { word -= 1 }
    isLazy = definition.symbol.isVariable && file.text(word) == "lazy"
    podMaker =
      graph.index.references(of: definition.symbol.usr).filter { graph.makesPod($0.symbol) }
      .compactMap { graph.token($0)?.token }.min() ?? .max
  }

  /// Whether another pod may be in use at a token.
  func mayUseOtherPod(at token: Int) -> Bool { token > podMaker }

  /// The brace of the builder, if this is the code of a provider with a closure.
  var builder: Int? { maker?.builder?.lowerBound }

  /// Whether a token names the function or constant that is the builder.
  func isBuilder(_ token: Int) -> Bool { maker?.builderArgument == file.expression(around: token) }

  /// Returns how certainly a token runs, or `nil` if the code is not part of the construction.
  func certainty(of token: Int) -> StaticEdge.Certainty? {
    if isProvider {
      guard let maker else { return .uncertain }
      if maker.disposal?.contains(token) == true || maker.scope?.contains(token) == true { return nil }
      if let builder = maker.builder, builder.contains(token) { return certainty(of: token, since: builder.lowerBound) }
      return isBuilder(token) ? .certain : .uncertain
    }
    if isLazy { return .uncertain }
    switch body(around: token) {
    case .brace(let brace): return certainty(of: token, since: brace)
    case .expression(let first):
      // The default of a parameter is used unless the caller gives another value.
      let isDefault = file.text(first) == "(" && first > start && file.text(first - 1) != "="
      let isParameter = isDefault && ["func", "init", "subscript"].contains(keyword)
      return max(isParameter ? .branch : .certain, certainty(of: token, since: first))
    }
  }

  private var keyword: String { file.text(start) == "init" ? "init" : file.text(start - 1) }

  /// The outermost bracket of the declaration around a token.
  private func body(around token: Int) -> Body {
    let parent = file.parent(of: start)
    var outermost = token
    while let next = file.parent(of: outermost), next != parent { outermost = next }
    return file.text(outermost) == "{" && outermost > start ? .brace(outermost) : .expression(outermost)
  }

  private func certainty(of token: Int, since body: Int) -> StaticEdge.Certainty {
    let maySkip = file.maySkip(token, since: body) || mayThrow(before: token, since: body)
    var certainty: StaticEdge.Certainty = file.isInLazyVariable(token) ? .uncertain : maySkip ? .branch : .certain
    var bracket = file.parent(of: token)
    while let open = bracket, open > body {
      if file.text(open) == "{", file.isInLazyVariable(open) { return .uncertain }
      certainty = max(
        certainty, file.text(open) == "{" ? self.certainty(ofBrace: open) : self.certainty(ofArgumentsIn: open))
      bracket = file.parent(of: open)
    }
    return certainty
  }

  /// Whether an error may end the body before a token is reached.
  ///
  /// A resolve before the token counts as one that succeeds. If no known function explains a `try`, its expression may throw.
  private func mayThrow(before token: Int, since body: Int) -> Bool {
    file.tried(before: token, since: body).contains { tried in
      var isExplained = false
      for place in tried.tokens {
        let symbols = graph.index.references(in: path, at: file.position(of: place)).map(\.symbol)
        let throwing = symbols.filter { graph.mayThrow($0) }
        isExplained = isExplained || !throwing.isEmpty
        guard place < token, !tried.pending.contains(place) else { continue }
        // The index does not have a local constant, which may contain a function.
        let isLocalCall = symbols.isEmpty && file.isWord(place) && file.text(place + 1) == "("
        if isLocalCall || throwing.contains(where: { !graph.isOfPod($0) }) { return true }
      }
      return !isExplained
    }
  }

  private func certainty(ofBrace brace: Int) -> StaticEdge.Certainty {
    switch file.kind(ofBrace: brace) {
    case .always, .calledClosure: .certain
    case .branch: .branch
    case .argument(let callee): isCalledAtOnce(by: callee) ? .branch : .uncertain
    case .other: .uncertain
    }
  }

  /// Returns how certainly the arguments of a call run.
  ///
  /// An argument may be a closure without braces. The mangled name marks such a closure with `XA` if it escapes.
  private func certainty(ofArgumentsIn call: Int) -> StaticEdge.Certainty {
    guard file.text(call) == "(", let callee = file.callee(before: call) else { return .certain }
    let function = graph.index.references(in: path, at: file.position(of: callee))
      .first { graph.demangle($0.symbol.usr)?.contains("@autoclosure") == true }
    guard let function else { return .certain }
    return function.symbol.usr.contains("XA") || graph.mayMakePod(function) ? .uncertain : .branch
  }

  /// Whether a function calls its closures before it returns, and outside override scopes: none of the closures may escape.
  ///
  /// The mangled name marks the type of a closure that does not escape with `XE`. Where two closures have one type, the name
  /// may mark only the first.
  private func isCalledAtOnce(by callee: Int) -> Bool {
    graph.index.references(in: path, at: file.position(of: callee)).contains { reference in
      let symbol = reference.symbol
      guard symbol.isFunction || symbol.kind == .constructor,
        let text = graph.demangle(symbol.usr), !graph.mayMakePod(reference)
      else { return false }
      let closures = text.ranges(of: " -> ").count - 1
      return closures > 0 && symbol.usr.ranges(of: "XE").count == closures
    }
  }
}
