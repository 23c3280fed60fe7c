extension String {
  /// This text in one line that cannot steer a terminal: names and paths in a repository are not ours.
  var printable: String {
    map { $0.unicodeScalars.contains(where: \.isControl) ? "\u{FFFD}" : String($0) }.joined()
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Characters that turn the direction of a line, but not the joiners that some scripts need.
    case .format: properties.isBidiControl
    default: false
    }
  }
}
