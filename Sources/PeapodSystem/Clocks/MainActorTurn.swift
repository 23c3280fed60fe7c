import Synchronization

/// A job of the main actor, which runs after all jobs that the main actor has at that moment.
final class MainActorTurn: Sendable {
  private let hasRun = Atomic<Bool>(false)
  /// A turn for which a clock waited in vain: the main thread is blocked, perhaps by the caller.
  private static let abandoned = Mutex<MainActorTurn?>(nil)

  private init() {
    // Detached, so that the job retains no task-local value.
    Task.detached { @MainActor in self.hasRun.store(true, ordering: .releasing) }
  }

  /// Begins a turn; returns `nil` while the main thread is blocked.
  static func next() -> MainActorTurn? {
    abandoned.withLock { $0?.isWaiting ?? false } ? nil : MainActorTurn()
  }

  var isWaiting: Bool { !hasRun.load(ordering: .acquiring) }

  func giveUp() { MainActorTurn.abandoned.withLock { $0 = self } }
}
