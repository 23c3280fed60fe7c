/// The totals of a whole history.
struct Totals: Codable, Equatable, Sendable {
  var commits = 0
  var added = 0
  var deleted = 0
  /// The day of the earliest commit, as in `2026-11-21`.
  var firstDay: String?
  /// The day of the latest commit.
  var lastDay: String?
}
