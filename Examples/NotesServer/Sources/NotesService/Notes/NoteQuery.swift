/// Which notes to list: those that contain all the words, the newest first, a page at a time.
struct NoteQuery: Sendable {
  static let pageSizes = 1...100
  static let usualPageSize = 20
  static let longestSearch = 200

  /// Words that the notes must contain, or their beginnings; `nil` for all notes.
  var search: String?
  /// How many at most.
  var pageSize = usualPageSize
  /// Where the page before ended, if there was one.
  var after: NoteCursor?
}
