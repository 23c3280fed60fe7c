extension SourceFile {
  /// The kind of code that a brace opens.
  enum Brace {
    /// Code that runs whenever the code around it runs.
    case always
    /// Code of an `if`, a loop and the like, which may be skipped.
    case branch
    /// A closure that is called where it stands.
    case calledClosure
    /// An argument of the function with this name.
    case argument(callee: Int)
    /// A local function, a type, or a closure that is stored.
    case other
  }

  /// Returns the kind of code that a brace opens.
  func kind(ofBrace brace: Int) -> Brace {
    if let keyword = keyword(before: brace) {
      return ["do", "repeat", "defer", "get"].contains(keyword) ? .always : .branch
    }
    if let close = partner(of: brace), text(close + 1) == "(", !beginsLine(close + 1) { return .calledClosure }
    return callee(ofClosure: brace).map(Brace.argument) ?? .other
  }

  /// The keyword of the statement whose block a brace opens.
  private func keyword(before brace: Int) -> String? {
    var token = brace - 1
    while token >= 0 {
      let word = text(token)
      if [")", "]"].contains(word), let open = partner(of: token) {
        token = open - 1
        continue
      }
      if ["{", "}", "(", "[", ";"].contains(word) { return nil }
      let isName = [".", "#"].contains(text(token - 1)) || text(token + 1) == ":"
      if tokens[token].kind == .word, !isName {
        if Self.flowKeywords.contains(word) { return word }
        if ["func", "init", "class", "struct", "enum", "actor", "extension"].contains(word) { return nil }
      }
      token -= 1
    }
    return nil
  }

  private static let flowKeywords: Set<String> = [
    "if", "else", "for", "while", "guard", "switch", "do", "catch", "repeat", "defer", "get",
  ]

  /// The function that a closure is an argument of.
  private func callee(ofClosure brace: Int) -> Int? {
    let before = text(brace - 1)
    // The only or first trailing closure.
    if before == ")", let open = partner(of: brace - 1) { return callee(before: open) }
    if isWord(brace - 1), !Self.isStatementKeyword(before) { return brace - 1 }
    if before.hasSuffix(">") { return callee(before: brace) }
    // In parentheses, with or without a label.
    let start = before == ":" ? brace - 2 : brace
    if ["(", ","].contains(text(start - 1)), let call = parent(of: brace), text(call) == "(" {
      return callee(before: call)
    }
    // A further trailing closure.
    if before == ":", text(start - 1) == "}", let open = partner(of: start - 1) { return callee(ofClosure: open) }
    return nil
  }

  /// Whether code between two tokens of one body may leave the body, or an operator before the second token may skip
  /// that token.
  ///
  /// - Parameters:
  ///   - token: The token that may be skipped.
  ///   - start: The brace of the body, or the first token of an expression.
  /// - Returns: Whether the token runs in some calls of the body only.
  func maySkip(_ token: Int, since start: Int) -> Bool {
    var around: Set<Int> = []
    var bracket = parent(of: token)
    while let open = bracket, open >= start {
      around.insert(open)
      bracket = parent(of: open)
    }
    var isSameStatement = true
    var current = token - 1
    while current > start {
      let word = text(current)
      let isAround = around.contains(current) || parent(of: current).map { around.contains($0) } ?? true
      if isAround {
        // A question mark after a space belongs to a conditional expression.
        let isOperator =
          word == "?" ? tokens[current].start > tokens[current - 1].end : ["??", "&&", "||"].contains(word)
        if isSameStatement, isOperator { return true }
        if isSameStatement, beginsStatement(current) { isSameStatement = false }
      } else if ["return", "throw"].contains(word), tokens[current].kind == .word, leavesBody(current, around) {
        return true
      }
      if ["{", ";"].contains(word) { isSameStatement = false }
      current -= 1
    }
    return false
  }

  /// Whether a `return` or `throw` leaves the body with these brackets, and not only a closure inside the body.
  private func leavesBody(_ token: Int, _ around: Set<Int>) -> Bool {
    var bracket = parent(of: token)
    while let open = bracket, !around.contains(open) {
      if text(open) == "{" {
        switch kind(ofBrace: open) {
        case .always, .branch: break
        case .calledClosure, .argument, .other: return false
        }
      }
      bracket = parent(of: open)
    }
    return true
  }

  /// Whether a token begins a statement: it is the first of a line that does not continue the line before.
  private func beginsStatement(_ token: Int) -> Bool {
    guard beginsLine(token), token > 0 else { return token == 0 }
    let (word, before) = (text(token), text(token - 1))
    let continues = word == "." || [")", "]", "}"].contains(word) || Token.isOperator(word.utf8.first ?? 0)
    let isContinued =
      [",", "(", "[", ":", "."].contains(before) || Token.isOperator(before.utf8.last ?? 0)
      || ["return", "try", "await"].contains(before)
    return !continues && !isContinued
  }
}
