import Synchronization

/// The asynchronous hook that a task is part of, as the task itself sees it.
final class RunningHook: Sendable {
  private let ended = Atomic<Bool>(false)

  /// Whether the hook is over.
  ///
  /// Read without the lock by tasks that the hook left behind.
  var hasEnded: Bool { ended.load(ordering: .acquiring) }
  func end() { ended.store(true, ordering: .releasing) }
}
