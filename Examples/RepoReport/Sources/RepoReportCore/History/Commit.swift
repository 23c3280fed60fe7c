/// One commit of a history.
struct Commit: Hashable, Sendable {
  var author: Author
  var date: CommitDate
  /// Empty for a merge: what it brought in was counted where it was made.
  var changes: [FileChange] = []
}
