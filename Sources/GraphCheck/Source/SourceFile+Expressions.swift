extension SourceFile {
  /// The argument of a call.
  struct Argument {
    /// The opening parenthesis of the call.
    let call: Int
    let label: String?
  }

  /// The tokens of `Deps.leaf`, `.leaf` or `leaf(3)` around the name of a declaration.
  func expression(around name: Int) -> Range<Int> {
    var start = name
    while text(start - 1) == "." {
      guard isWord(start - 2), !Self.isStatementKeyword(text(start - 2)) else {
        // An implicit member, or a member of the result of a call.
        start -= text(start - 2) == ")" ? 2 : 1
        break
      }
      start -= 2
    }
    var end = name + 1
    while text(end) == "(", !beginsLine(end), let close = partner(of: end) { end = close + 1 }
    return start..<end
  }

  /// The argument that consists of this expression alone, or `nil`.
  func argument(_ expression: Range<Int>) -> Argument? {
    guard let call = parent(of: expression.lowerBound), text(call) == "(",
      [",", ")"].contains(text(expression.upperBound))
    else { return nil }
    if text(expression.lowerBound - 1) == ":" {
      guard isWord(expression.lowerBound - 2), ["(", ","].contains(text(expression.lowerBound - 3)) else { return nil }
      return Argument(call: call, label: text(expression.lowerBound - 2))
    }
    guard ["(", ","].contains(text(expression.lowerBound - 1)) else { return nil }
    return Argument(call: call, label: nil)
  }

  /// The name of the function before an opening parenthesis or a trailing closure.
  func callee(before bracket: Int) -> Int? {
    var token = bracket - 1
    if text(token).hasSuffix(">") {
      var depth = 0
      while token >= 0 {
        let text = text(token)
        depth += text.utf8.count { $0 == UInt8(ascii: ">") } - text.utf8.count { $0 == UInt8(ascii: "<") }
        token -= 1
        if depth <= 0 { break }
      }
    }
    return isWord(token) ? token : nil
  }

  /// The first token after the generic arguments of a name, if there are any.
  func afterGenericArguments(of name: Int) -> Int {
    guard text(name + 1).hasPrefix("<") else { return name + 1 }
    var (token, depth) = (name + 1, 0)
    while token < tokens.count {
      let text = text(token)
      depth += text.utf8.count { $0 == UInt8(ascii: "<") } - text.utf8.count { $0 == UInt8(ascii: ">") }
      if text == "->" { depth += 1 }
      token += 1
      if depth <= 0 { break }
    }
    return token
  }

  /// The arguments between two parentheses.
  func arguments(in call: Int) -> [(label: String?, tokens: Range<Int>)] {
    guard let close = partner(of: call) else { return [] }
    var arguments: [(label: String?, tokens: Range<Int>)] = []
    var start = call + 1
    var token = start
    while token <= close {
      // A comma between generic arguments separates no arguments of the call. A comparison has spaces.
      if isWord(token), text(token + 1).hasPrefix("<"), tokens[token].end == tokens[token + 1].start {
        let end = afterGenericArguments(of: token)
        if end <= close {
          token = end
          continue
        }
      }
      if token == close || text(token) == "," && parent(of: token) == call {
        if start < token {
          let hasLabel = isWord(start) && text(start + 1) == ":"
          arguments.append((hasLabel ? text(start) : nil, start + (hasLabel ? 2 : 0)..<token))
        }
        start = token + 1
      }
      token += 1
    }
    return arguments
  }

  /// The meaning of a name in a body.
  enum Binding {
    /// A parameter of the builder or the function, or a name from outside the body.
    case outer
    /// A constant that only gives a new name to the word at a token.
    case alias(of: Int)
    /// A local constant or variable, or a parameter or capture of a closure within the body.
    case local
  }

  /// Returns the meaning of a word.
  ///
  /// - Parameters:
  ///   - word: The token of the word.
  ///   - body: The brace of the builder; if `nil`, the word is in a function or a getter.
  /// - Returns: `.outer` for a parameter of the builder or the function.
  func binding(of word: Int, in body: Int?) -> Binding {
    let name = text(word)
    var around: [Int?] = []
    var start = word
    while let bracket = parent(of: start) {
      start = bracket
      around.append(bracket)
      guard text(bracket) == "{" else { continue }
      if captures(ofClosure: bracket).contains(name) { return .local }
      if bracket == body || isDeclaration(bracket) { break }
      switch kind(ofBrace: bracket) {
      case .always, .branch: break
      case .calledClosure, .argument, .other:
        let names = parameters(ofClosure: bracket)
        if name.hasPrefix("$") ? names == nil : names?.contains(name) == true { return .local }
      }
    }
    let bindings = (start..<word).filter { text($0) == name && isBound($0) }
    guard let binding = bindings.first else { return .outer }
    let end = binding + 3
    let isAlias =
      bindings.count == 1 && around.contains(parent(of: binding)) && text(binding - 1) == "let"
      && text(binding + 1) == "=" && isWord(binding + 2) && ([";", "}"].contains(text(end)) || beginsStatement(end))
    return isAlias ? .alias(of: binding + 2) : .local
  }

  /// Whether a word is a new name after `let`, `var` or `for`, perhaps in a tuple or a pattern.
  private func isBound(_ word: Int) -> Bool {
    var token = word - 1
    while [".", "("].contains(text(token)) || parent(of: token).map({ text($0) == "(" }) == true && text(token) == ","
      || isWord(token) && [".", "(", ","].contains(text(token + 1)) && !["let", "var", "for"].contains(text(token))
    {
      token -= 1
    }
    return ["let", "var", "for"].contains(text(token))
  }

  /// The names to which the capture list of a closure gives new values.
  private func captures(ofClosure brace: Int) -> [String] {
    guard text(brace + 1) == "[", let close = partner(of: brace + 1) else { return [] }
    return (brace + 2..<close).filter { text($0 + 1) == "=" && parent(of: $0) == brace + 1 }.map { text($0) }
  }

  /// Whether a brace begins the body of a function, a getter or a type.
  private func isDeclaration(_ brace: Int) -> Bool {
    var token = brace - 1
    while token >= 0, !["{", "}", ";", "=", ",", "return"].contains(text(token)) {
      if [")", "]"].contains(text(token)), let open = partner(of: token) {
        token = open - 1
        continue
      }
      if Self.declarationKeywords.contains(text(token)) { return true }
      token -= 1
    }
    return false
  }

  private static let declarationKeywords: Set<String> = [
    "func", "init", "subscript", "var", "get", "struct", "class", "enum", "actor", "extension", "protocol",
  ]

  /// The names of the parameters before the `in` of a closure, or `nil` if the closure names none.
  private func parameters(ofClosure brace: Int) -> [String]? {
    var token = brace + 1
    while text(token) == "@" { token += 2 }
    if text(token) == "[", let close = partner(of: token) { token = close + 1 }
    if text(token) == "(", let close = partner(of: token), ["in", "->", "async", "throws"].contains(text(close + 1)) {
      return (token + 1..<close).filter { isWord($0) && ["(", ","].contains(text($0 - 1)) }.map { text($0) }
    }
    var names: [String] = []
    while isWord(token) {
      names.append(text(token))
      token += text(token + 1) == "," ? 2 : 1
      if text(token - 1) != "," { break }
    }
    return !names.isEmpty && text(token) == "in" ? names : nil
  }

  static func isStatementKeyword(_ word: String) -> Bool {
    ["return", "in", "try", "await", "case", "else", "let", "var", "if", "guard", "while", "switch"].contains(word)
  }
}
