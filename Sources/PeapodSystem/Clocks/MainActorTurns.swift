import Synchronization

/// A job of the main actor, which runs after all jobs that the main actor has at that moment.
final class MainActorTurn: Sendable {
  private let hasRun = Atomic<Bool>(false)

  init() {
    Task { @MainActor in hasRun.store(true, ordering: .releasing) }
  }

  var isWaiting: Bool { !hasRun.load(ordering: .acquiring) }
}

/// The turns of the main actor for which one clock waits.
struct MainActorTurns {
  private var last: MainActorTurn?

  /// Begins a turn, or returns `nil` if an earlier turn still waits: the main thread is blocked, perhaps by the caller.
  mutating func nextTurn() -> MainActorTurn? {
    if last?.isWaiting == true { return nil }
    last = MainActorTurn()
    return last
  }
}
