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
  func keyword(before brace: Int) -> String? {
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
  func callee(ofClosure brace: Int) -> Int? {
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
}
