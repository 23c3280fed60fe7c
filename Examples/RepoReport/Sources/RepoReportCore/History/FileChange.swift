/// The change that a commit made to one file.
struct FileChange: Hashable, Sendable {
  var path: String
  /// The name that the file had before, if this commit renamed it.
  var oldPath: String?
  /// Lines added; 0 for a binary file.
  var added: Int
  /// Lines deleted; 0 for a binary file.
  var deleted: Int
}
