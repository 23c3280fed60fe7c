/// The changes of one author.
struct AuthorSummary: Codable, Equatable, Sendable {
  var author: Author
  var commits = 0
  var added = 0
  var deleted = 0
}
