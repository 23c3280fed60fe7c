/// Knows the names that files have today, when a history is read from the newest commit to the oldest.
struct RenameTracker {
  private var currentPaths: [String: String] = [:]

  /// Returns a change under the name that its file has today.
  mutating func follow(_ change: FileChange) -> FileChange {
    var change = change
    change.path = currentPaths[change.path] ?? change.path
    if let oldPath = change.oldPath { currentPaths[oldPath] = change.path }
    return change
  }
}
