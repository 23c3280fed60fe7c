import Testing

// Swift 6.3 added warnings and the path of a source location to Swift Testing.

extension Issue {
  /// Records a warning; before Swift 6.3, an issue that fails the test.
  static func warn(_ text: String, at sourceLocation: SourceLocation) {
    #if compiler(>=6.3)
      record(Comment(rawValue: text), severity: .warning, sourceLocation: sourceLocation)
    #else
      record(Comment(rawValue: text), sourceLocation: sourceLocation)
    #endif
  }
}

extension SourceLocation {
  /// The path of the file.
  var path: String {
    #if compiler(>=6.3)
      filePath
    #else
      _filePath
    #endif
  }
}
