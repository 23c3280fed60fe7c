extension String {
  /// This text with exactly one line break at its end, unless it has more.
  var endingInNewline: String { hasSuffix("\n") ? self : self + "\n" }
}
