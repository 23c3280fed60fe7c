import Synchronization

/// The build that a task is part of, as the task itself sees it.
final class RunningBuild: Sendable {
  let build: Build
  /// Keeps the build; it keeps this until it ends.
  // Safe: a constant that is kept and let go, and never read.
  nonisolated(unsafe) private let object: Build.Object
  private let ended = Atomic<Bool>(false)

  init(_ build: Build) {
    self.build = build
    object = build.object
  }

  /// Whether the build is over.
  ///
  /// Read without the lock by tasks that the builder left behind.
  var hasEnded: Bool { ended.load(ordering: .acquiring) }
  func end() { ended.store(true, ordering: .releasing) }
}
