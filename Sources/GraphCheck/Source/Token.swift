/// A word, a string or a symbol of a source file.
struct Token {
  enum Kind {
    case word, symbol
    /// The beginning of a string.
    ///
    /// The tokens of its interpolations follow.
    case string
  }

  let kind: Kind
  /// The bytes of the token in its file.
  let start, end: Int

  /// Whether a byte is part of a name, a keyword or a number.
  static func isWord(_ byte: UInt8) -> Bool {
    byte > 127 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte == UInt8(ascii: "@")
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 32)
  }

  /// Whether a byte is part of an operator other than the dot.
  static func isOperator(_ byte: UInt8) -> Bool {
    "/=-+!*%<>&|^~?".utf8.contains(byte)
  }
}
