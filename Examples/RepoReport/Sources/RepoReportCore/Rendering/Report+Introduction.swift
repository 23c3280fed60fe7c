import Foundation

extension Report {
  /// The subject of the report, in a few sentences.
  func introduction(in timeZone: TimeZone) -> String {
    var sentences = ["Written \(timeZone.text(generated))."]
    if let since { sentences.append("What is older than \(timeZone.text(since)) is left out.") }
    if isShallow { sentences.append("This is a shallow clone: the report covers a part of the history.") }
    sentences.append(summary)
    return sentences.joined(separator: " ")
  }

  private var summary: String {
    guard let first = totals.firstDay, let last = totals.lastDay else { return "There are no commits." }
    let commits = count(totals.commits, "commit")
    let people = count(authors.total, "author")
    let lines = "\(count(totals.added, "line")) added, \(totals.deleted) deleted"
    return "\(commits) by \(people) from \(first) to \(last): \(lines)."
  }

  private func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }
}
