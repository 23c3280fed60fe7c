/// The order of the tasks that advance one clock at the same time.
struct TurnQueue {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Takes the turn if it is free.
  ///
  /// Otherwise the continuation waits for the turn.
  ///
  /// - Returns: Whether the turn was free.
  mutating func take(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
    if isTaken { waiting.append(continuation) }
    defer { isTaken = true }
    return !isTaken
  }

  /// Ends a turn.
  ///
  /// - Returns: The continuation whose turn comes next.
  mutating func end() -> CheckedContinuation<Void, Never>? {
    isTaken = !waiting.isEmpty
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }
}
