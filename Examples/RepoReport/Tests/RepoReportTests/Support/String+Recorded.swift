extension String {
  /// The bytes that this text stands for: `␀` is NUL, `⇥` a tab, `⏎` a line break, and line breaks are only for reading.
  var recorded: [UInt8] {
    compactMap { character -> Character? in
      switch character {
      case "␀": "\0"
      case "⇥": "\t"
      case "⏎": "\n"
      case "\n": nil
      default: character
      }
    }.flatMap { Array($0.utf8) }
  }
}
