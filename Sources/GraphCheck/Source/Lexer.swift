/// Splits Swift source into tokens.
///
/// The index has no argument labels, closures or branches, so the checker looks for them in the source. Comments and the text
/// of strings are skipped. The code of an interpolation becomes tokens like any other code.
struct Lexer {
  private let bytes: [UInt8]
  private var index = 0
  private(set) var tokens: [Token] = []
  /// The offset of a string, comment or regular expression in which the file ends.
  private(set) var unterminated: Int?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    readCode(isInterpolation: false)
  }

  private func byte(_ offset: Int = 0) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }

  private func has(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    return index + count <= bytes.count
      && bytes[index..<index + count].elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: count))
  }

  private mutating func append(_ kind: Token.Kind, from start: Int) {
    tokens.append(Token(kind: kind, start: start, end: index))
  }

  /// Reads up to the end of the file, or up to the parenthesis that ends an interpolation.
  private mutating func readCode(isInterpolation: Bool) {
    var depth = 0
    while index < bytes.count {
      let start = index
      switch byte() {
      case 0...32: index += 1
      case UInt8(ascii: "/") where has("//"):
        while index < bytes.count, byte() != UInt8(ascii: "\n") { index += 1 }
      case UInt8(ascii: "/") where has("/*"): skipComment()
      case UInt8(ascii: "/") where isRegexStart: skipRegex(pounds: 0)
      case UInt8(ascii: "#"): readPound()
      case UInt8(ascii: "\""): readString(pounds: 0)
      case UInt8(ascii: "`"):
        index += 1
        while index < bytes.count, byte() != UInt8(ascii: "`") { index += 1 }
        index += 1
        append(.word, from: start)
      case let first where Token.isWord(first):
        while index < bytes.count, Token.isWord(byte()) { index += 1 }
        append(.word, from: start)
      case let first where Token.isOperator(first):
        while index < bytes.count, Token.isOperator(byte()), !has("//"), !has("/*") { index += 1 }
        if index == start { index += 1 }
        append(.symbol, from: start)
      case let first:
        index += 1
        if first == UInt8(ascii: "(") { depth += 1 }
        if first == UInt8(ascii: ")") {
          depth -= 1
          append(.symbol, from: start)
          if isInterpolation, depth == 0 { return }
          continue
        }
        append(.symbol, from: start)
      }
    }
  }

  private mutating func skipComment() {
    let start = index
    var depth = 0
    while index < bytes.count {
      if has("/*") {
        depth += 1
        index += 2
      } else if has("*/") {
        depth -= 1
        index += 2
        if depth == 0 { return }
      } else {
        index += 1
      }
    }
    unterminated = start
  }

  /// Reads a raw string, an extended regular expression, or the mark before a directive or a macro.
  private mutating func readPound() {
    let start = index
    var pounds = 0
    while byte(pounds) == UInt8(ascii: "#") { pounds += 1 }
    switch byte(pounds) {
    case UInt8(ascii: "\""): readString(pounds: pounds)
    case UInt8(ascii: "/"): skipRegex(pounds: pounds)
    default:
      index += pounds
      append(.symbol, from: start)
    }
  }

  private mutating func readString(pounds: Int) {
    let start = index
    index += pounds
    // A line break follows the quotes of a multi-line string. `#"""#` is a string of one quote.
    let quotes = has("\"\"\"\n") || has("\"\"\"\r") ? 3 : 1
    index += quotes
    append(.string, from: start)
    func isFollowed(_ count: Int, at offset: Int) -> Bool {
      (0..<pounds).allSatisfy { byte(offset + count + $0) == UInt8(ascii: "#") }
    }
    while index < bytes.count {
      if byte() == UInt8(ascii: "\\"), isFollowed(1, at: 0) {
        index += 1 + pounds
        if byte() == UInt8(ascii: "(") { readCode(isInterpolation: true) } else { index += 1 }
      } else if (0..<quotes).allSatisfy({ byte($0) == UInt8(ascii: "\"") }), isFollowed(quotes, at: 0) {
        index += quotes + pounds
        return
      } else if quotes == 1, byte() == UInt8(ascii: "\n") {
        return
      } else {
        index += 1
      }
    }
    unterminated = start
  }

  /// Whether a slash begins a regular expression.
  ///
  /// It does where an expression may begin and another slash follows on the line.
  private var isRegexStart: Bool {
    let next = byte(1)
    guard next > 32, next != UInt8(ascii: "="), next != UInt8(ascii: ")") else { return false }
    if let last = tokens.last {
      let text = String(decoding: bytes[last.start..<last.end], as: UTF8.self)
      guard ["(", ",", "=", ":", "[", "return", "{", "in"].contains(text) else { return false }
    }
    return bytes[(index + 1)...].prefix { $0 != UInt8(ascii: "\n") }.contains(UInt8(ascii: "/"))
  }

  private mutating func skipRegex(pounds: Int) {
    let start = index
    index += pounds + 1
    while index < bytes.count, pounds > 0 || byte() != UInt8(ascii: "\n") {
      if byte() == UInt8(ascii: "\\") {
        index += 2
      } else if byte() == UInt8(ascii: "/"), (0..<pounds).allSatisfy({ byte(1 + $0) == UInt8(ascii: "#") }) {
        index += 1 + pounds
        return
      } else {
        index += 1
      }
    }
    if index >= bytes.count { unterminated = start }
  }
}
