import Foundation

/// The report on one repository.
struct Report: Codable, Sendable {
  var path: String
  var generated: Date
  /// Older commits are left out, because the reader asked for that.
  var since: Date?
  /// Older commits are left out, because they were never cloned.
  var isShallow = false

  var totals = Totals()
  var authors = Ranking<AuthorSummary>()
  var activity = Activity()
  var files = Ranking<FileSummary>()
  var pairs = Ranking<FilePair>()
  var folders = Ranking<FolderKnowledge>()
}
