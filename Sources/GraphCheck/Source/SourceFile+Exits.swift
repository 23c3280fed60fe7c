/// The question whether a token is reached whenever its body runs.
extension SourceFile {
  /// An expression after `try`.
  struct Tried {
    let tokens: Range<Int>
    /// The tokens of the names of functions whose arguments contain the token that may be skipped.
    let pending: Set<Int>
  }

  /// Whether code between two tokens of one body may leave the body, or an operator before the second token may skip
  /// that token.
  ///
  /// - Parameters:
  ///   - token: The token that may be skipped.
  ///   - start: The brace of the body, or the first token of an expression.
  /// - Returns: Whether the token runs in some calls of the body only.
  func maySkip(_ token: Int, since start: Int) -> Bool {
    let around = brackets(around: token, since: start)
    var isSameStatement = true
    var isFurtherCondition = false
    var current = token - 1
    while current > start {
      let word = text(current)
      if !isDirectly(current, in: around) {
        if mayLeave(current, around) { return true }
      } else if isSameStatement {
        if word == ",", let open = parent(of: current), text(open) != "{" {
          // The arguments before do not decide whether this argument is evaluated.
          current = open - 1
          continue
        }
        isFurtherCondition = isFurtherCondition || word == ","
        if isFurtherCondition, ["if", "guard", "while"].contains(word) { return true }
        if isDecisive(current) { return true }
        if beginsStatement(current) { isSameStatement = false }
      }
      if ["{", ";"].contains(word) { isSameStatement = false }
      current -= 1
    }
    return false
  }

  /// The expressions after `try` before a token whose errors leave the body or skip the token.
  func tried(before token: Int, since start: Int) -> [Tried] {
    let around = brackets(around: token, since: start)
    let pending = Set(around.compactMap { text($0) == "(" ? callee(before: $0) : callee(ofClosure: $0) })
    return (start + 1..<max(token, start + 1)).filter { text($0) == "try" && text($0 + 1) != "!" }.compactMap { place in
      let tokens = place + 1..<endOfExpression(after: place)
      let maySkip =
        text(place + 1) == "?" ? tokens.contains(token) : isDirectly(place, in: around) || leavesBody(place, around)
      return maySkip ? Tried(tokens: tokens, pending: pending) : nil
    }
  }

  /// Whether a token belongs to the initial value of a local `lazy` variable.
  func isInLazyVariable(_ token: Int) -> Bool { text(statementStart(of: token)) == "lazy" }

  // MARK: - Brackets and statements

  private func brackets(around token: Int, since start: Int) -> Set<Int> {
    var around: Set<Int> = []
    var bracket = parent(of: token)
    while let open = bracket, open >= start {
      around.insert(open)
      bracket = parent(of: open)
    }
    return around
  }

  private func isDirectly(_ token: Int, in around: Set<Int>) -> Bool {
    parent(of: token).map { around.contains($0) } ?? true
  }

  /// The first token of the statement that contains a token.
  private func statementStart(of token: Int) -> Int {
    var start = token
    while start > 0, !beginsStatement(start), !["{", ";", "in"].contains(text(start - 1)) {
      start -= 1
      if [")", "]", "}"].contains(text(start)), let open = partner(of: start) { start = open }
    }
    return start
  }

  /// The token after the expression that follows a token.
  private func endOfExpression(after token: Int) -> Int {
    var end = token + 1
    while end < tokens.count, ![",", ";", ")", "]", "}"].contains(text(end)), end == token + 1 || !beginsStatement(end)
    {
      if ["(", "[", "{"].contains(text(end)), let close = partner(of: end) { end = close }
      end += 1
    }
    return end
  }

  /// Whether a token begins a statement: it is the first of a line that does not continue the line before.
  func beginsStatement(_ token: Int) -> Bool {
    guard beginsLine(token), token > 0 else { return token == 0 }
    let (word, before) = (text(token), text(token - 1))
    let continues = word == "." || [")", "]", "}"].contains(word) || Token.isOperator(word.utf8.first ?? 0)
    let isContinued =
      [",", "(", "[", ":", "."].contains(before) || Token.isOperator(before.utf8.last ?? 0)
      || ["return", "try", "await"].contains(before)
    return !continues && !isContinued
  }

  // MARK: - Exits

  /// Whether a token decides whether the rest of its statement is evaluated.
  private func isDecisive(_ token: Int) -> Bool {
    switch text(token) {
    case "??", "&&", "||", "where": return true
    // The condition of `repeat`, whose body may have left the loop.
    case "while": return text(token - 1) == "}" && !beginsLine(token)
    case "?":
      // After a space, it belongs to a conditional expression.
      guard tokens[token].start == tokens[token - 1].end else { return true }
      if ["try", "as", "init"].contains(text(token - 1)) { return false }
      // An optional chain or an assignment to one, but not the type of a variable.
      if [".", "(", "["].contains(text(token + 1)) { return true }
      return text(token + 1).hasSuffix("=")
        && !(statementStart(of: token)..<token).contains { ["let", "var"].contains(text($0)) }
    default: return false
    }
  }

  /// Whether a statement before a token leaves the code with these brackets around the token.
  private func mayLeave(_ token: Int, _ around: Set<Int>) -> Bool {
    guard tokens[token].kind == .word else { return false }
    switch text(token) {
    case "return", "throw": return leavesBody(token, around)
    case "break", "continue": return leavesLoop(token, around)
    default: return false
    }
  }

  /// Whether a `return`, `throw` or `try` leaves the body with these brackets, and not only a closure or a `do` inside the
  /// body.
  private func leavesBody(_ token: Int, _ around: Set<Int>) -> Bool {
    var bracket = parent(of: token)
    while let open = bracket, !around.contains(open) {
      if text(open) == "{" {
        switch kind(ofBrace: open) {
        case .always where text(token) != "return" && catchesAll(open): return false
        case .always, .branch: break
        case .calledClosure, .argument, .other: return false
        }
      }
      bracket = parent(of: open)
    }
    return true
  }

  /// Whether the clauses after a `do` catch every error.
  private func catchesAll(_ brace: Int) -> Bool {
    var close = partner(of: brace)
    while let end = close, text(end + 1) == "catch" {
      if text(end + 2) == "{" { return true }
      var next = end + 2
      while next < tokens.count, text(next) != "{" { next += 1 }
      close = partner(of: next)
    }
    return false
  }

  /// Whether a `break` or `continue` leaves a statement with one of these brackets, and not only a statement before.
  private func leavesLoop(_ token: Int, _ around: Set<Int>) -> Bool {
    let hasLabel = isWord(token + 1) && !beginsLine(token + 1)
    var bracket = parent(of: token)
    while let open = bracket, !around.contains(open) {
      if text(open) == "{" {
        switch kind(ofBrace: open) {
        case .calledClosure, .argument, .other: return false
        case .always, .branch:
          let absorbing = text(token) == "break" ? ["for", "while", "repeat", "switch"] : ["for", "while", "repeat"]
          if !hasLabel, let keyword = keyword(before: open), absorbing.contains(keyword) { return false }
        }
      }
      bracket = parent(of: open)
    }
    return true
  }
}
