/// The source of scopes and of their children.
extension SourceFile {
  /// The source of some tokens, with one space after each comma and colon.
  func code(_ tokens: Range<Int>) -> String {
    tokens.map { token in
      let end = self.tokens[token].kind == .string ? self.tokens[token + 1].start : self.tokens[token].end
      let text = source(self.tokens[token].start..<end)
      return [",", ":"].contains(text) ? text + " " : text
    }.joined()
  }

  /// The arguments after a name, as source; empty if there are none.
  ///
  /// - Parameters:
  ///   - name: The name of a function or a type.
  ///   - isLiteral: Whether only literals are wanted.
  /// - Returns: `nil` if literals are wanted and an argument is another expression.
  func arguments(after name: Int, isLiteral: Bool) -> String? {
    let call = afterGenericArguments(of: name)
    guard text(call) == "(", let close = partner(of: call) else { return "" }
    guard !isLiteral || (call..<close).allSatisfy(isLiteralPart) else { return nil }
    return code(call..<close + 1)
  }

  private func isLiteralPart(_ token: Int) -> Bool {
    guard isWord(token) else { return true }
    return text(token + 1) == ":" || text(token - 1) == "." || text(token).first?.isNumber == true
      || ["true", "false", "nil"].contains(text(token))
  }

  // MARK: - Cases

  /// Whether a name is only compared with a value: after `==` or in a pattern.
  func isPattern(_ name: Int) -> Bool {
    if ["==", "!=", "case"].contains(text(expression(around: name).lowerBound - 1)) { return true }
    return clause(of: name).map { $0.labels.contains(name) } ?? false
  }

  /// Whether a token may run for a case, as far as a `switch` over `self` tells.
  func mayRun(_ token: Int, in enumCase: String) -> Bool {
    guard let (labels, brace) = clause(of: token), text(brace - 1) == "self", let close = partner(of: brace) else {
      return true
    }
    if labels.contains(where: { text($0) == "." }) { return labels.contains { text($0) == enumCase } }
    // `default`: the other cases.
    return !(brace..<close).contains { word in
      text(word) == enumCase && clause(of: word).map { $0.brace == brace && $0.labels.contains(word) } == true
    }
  }

  /// The clause of the innermost `switch` around a token: the tokens before its colon, and the brace of the `switch`.
  private func clause(of token: Int) -> (labels: Range<Int>, brace: Int)? {
    var place = token
    while let bracket = parent(of: place) {
      if text(bracket) == "{", keyword(before: bracket) == "switch" {
        let isKeyword = { self.parent(of: $0) == bracket && ["case", "default"].contains(self.text($0)) }
        guard let start = (bracket..<place + 1).last(where: isKeyword),
          let colon = (start..<tokens.count).first(where: { parent(of: $0) == bracket && text($0) == ":" })
        else { return nil }
        return (start..<colon, bracket)
      }
      place = bracket
    }
    return nil
  }
}
