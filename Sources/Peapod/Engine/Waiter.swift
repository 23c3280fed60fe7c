/// Someone who waits for a build: a blocked thread or a suspended task.
final class Waiter: @unchecked Sendable {
  // Safe: mutable state is read and written under the engine's lock alone.

  enum Wake {
    case thread(Parker)
    /// Set once the task has suspended.
    case task(UnsafeContinuation<Void, Never>?)
  }

  enum State {
    /// Next: any other.
    case waiting
    /// The build is done; what it gave belongs to this waiter.
    case done(Result<StoredValue, any Error>)
    /// What the build became is not what this waiter would get: it asks again.
    case turnedAway
    case cancelled
  }

  let build: Build
  let view: Layer
  private let asking: Build?
  private let recording: Build?
  /// Whether another pod than the recorder's own was asked.
  let isForeign: Bool
  /// Keeps all of them.
  private let keepsakes: (Build.Object, Layer.Object, Build.Object?)
  /// On what a thread waits; `nil` for a task.
  let parker: Parker?
  var wake: Wake
  var state = State.waiting

  init(_ build: Build, asker: Asker, view: Layer, parker: Parker?) {
    self.build = build
    asking = asker.build
    recording = asker.recorder
    isForeign = asker.recorder?.isForeign(view) ?? false
    self.view = view
    keepsakes = (build.object, view.object, asker.recorder?.object)
    self.parker = parker
    wake = parker.map { .thread($0) } ?? .task(nil)
  }

  /// The build that waits, as long as it is under way.
  var asker: Build? {
    guard let asking, !asking.hasEnded else { return nil }
    return asking
  }

  /// The build that is recorded to be built from what this gets, as long as it is under way.
  var recorder: Build? {
    guard let recording, !recording.hasEnded else { return nil }
    return recording
  }
}
