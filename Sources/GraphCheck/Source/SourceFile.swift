import IndexStore

/// The tokens of a file, and the brackets around each.
final class SourceFile {
  private let bytes: [UInt8]
  /// The offset of the first byte of each line.
  private let lines: [Int]
  let tokens: [Token]
  /// The place of a string, comment or regular expression in which the file ends.
  private(set) var unterminated: Position?
  /// The innermost bracket that is open at each token.
  ///
  /// A bracket is not inside itself.
  private let parents: [Int?]
  /// The other end of each bracket.
  private let partners: [Int: Int]

  init(bytes: [UInt8]) {
    self.bytes = bytes
    var lines = [0]
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { lines.append(index + 1) }
    self.lines = lines
    let lexer = Lexer(bytes)
    tokens = lexer.tokens
    var (parents, partners, open): ([Int?], [Int: Int], [Int]) = ([], [:], [])
    for (index, token) in tokens.enumerated() {
      let byte = token.kind == .symbol ? bytes[token.start] : 0
      if ")]}".utf8.contains(byte), let start = open.popLast() {
        partners[start] = index
        partners[index] = start
      }
      parents.append(open.last)
      if "([{".utf8.contains(byte) { open.append(index) }
    }
    self.parents = parents
    self.partners = partners
    unterminated = lexer.unterminated.map(position(ofByte:))
  }

  func text(_ token: Int) -> String {
    guard tokens.indices.contains(token) else { return "" }
    return String(decoding: bytes[tokens[token].start..<tokens[token].end], as: UTF8.self)
  }

  /// The source between two offsets, without the space around it.
  func source(_ range: Range<Int>) -> String {
    let isSpace: (UInt8) -> Bool = { $0 <= 32 }
    let text = bytes[range].drop(while: isSpace)
    return String(decoding: text[..<(text.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? text.startIndex)], as: UTF8.self)
  }

  func isWord(_ token: Int) -> Bool { tokens.indices.contains(token) && tokens[token].kind == .word }

  /// The innermost open bracket around a token.
  func parent(of token: Int) -> Int? { tokens.indices.contains(token) ? parents[token] : nil }

  /// The bracket that closes or opens a bracket.
  func partner(of bracket: Int) -> Int? { partners[bracket] }

  /// The token at a place, or `nil` if the file is not the one that the compiler saw.
  func token(at position: Position) -> Int? {
    guard lines.indices.contains(position.line - 1) else { return nil }
    let offset = lines[position.line - 1] + position.column - 1
    var (low, high) = (0, tokens.count)
    while low < high {
      let middle = (low + high) / 2
      if tokens[middle].end <= offset { low = middle + 1 } else { high = middle }
    }
    // An attribute's sign is part of its word.
    return low < tokens.count && tokens[low].start <= offset ? low : nil
  }

  func position(of token: Int) -> Position {
    position(ofByte: tokens[token].start + (text(token).hasPrefix("@") ? 1 : 0))
  }

  private func position(ofByte offset: Int) -> Position {
    var (low, high) = (0, lines.count)
    while low < high {
      let middle = (low + high) / 2
      if lines[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return Position(line: low, column: offset - lines[low - 1] + 1)
  }

  /// Whether a token is the first of its line.
  func beginsLine(_ token: Int) -> Bool {
    token == 0 || bytes[tokens[token - 1].end..<tokens[token].start].contains(UInt8(ascii: "\n"))
  }
}
