/// The changes of one file, under all the names that it had.
struct FileSummary: Codable, Equatable, Sendable {
  var path: String
  var changes = 0
  var added = 0
  var deleted = 0
}
