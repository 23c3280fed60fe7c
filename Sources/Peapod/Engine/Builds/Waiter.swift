import Synchronization

/// A caller that waits for a build: a blocked thread or a suspended task.
final class Waiter: @unchecked Sendable {
  // Safe: `outcome` and `continuation` are guarded by `lock`.

  /// How a wait ended.
  enum Outcome {
    /// The waiter owns the value.
    case value(StoredValue)
    case failure(any Error)
    /// The pod of the waiter does not accept the result: the waiter resolves again.
    case dismissed
    case canceled
  }

  let build: Build
  let view: PodState
  /// Whether no override that concerns the build changed between the beginnings of the build and of the wait.
  let isTimely: Bool
  /// The build whose builder waits.
  let waitingBuild: Build?
  /// The build that depends on the result.
  let recorder: Build?
  /// Numbers rise in the order in which waiters were made, just before their waits begin.
  let number = Waiter.count.wrappingAdd(1, ordering: .relaxed).newValue
  private static let count = Atomic<UInt>(0)
  /// The parker that blocks the thread; `nil` for a task.
  private let parker: Parker?
  private let lock = Lock()
  private var outcome: Outcome?
  private var continuation: UnsafeContinuation<Void, Never>?

  init(for build: Build, _ request: borrowing Request, blocksThread: Bool) {
    self.build = build
    view = request.view
    let revision = build.view.chainRevision
    isTimely = revision == build.revision && !revision.isChanging || build.isRightAndIdle
    waitingBuild = request.caller.build
    recorder = request.caller.recorder
    parker = blocksThread ? Parker() : nil
  }

  /// Whether a thread waits.
  var isThread: Bool { parker != nil }

  /// Ends the wait.
  ///
  /// Only the first call counts. The value of a later call is released.
  func end(_ outcome: Outcome) {
    let (isFirst, waking) = lock.withLock { () -> (Bool, UnsafeContinuation<Void, Never>?) in
      guard self.outcome == nil else { return (false, nil) }
      self.outcome = outcome
      defer { continuation = nil }
      return (true, continuation)
    }
    guard isFirst else {
      if case .value(let value) = outcome { build.declaration.release(value) }
      return
    }
    Delay.step()
    waking?.resume()
    parker?.open()
  }

  /// Blocks the thread until the wait ends.
  func block() -> Outcome {
    parker?.wait()
    return taken
  }

  /// Suspends the task until the wait ends.
  nonisolated(nonsending) func suspend() async -> Outcome {
    await withUnsafeContinuation { next in
      let isOver = lock.withLock {
        guard outcome == nil else { return true }
        continuation = next
        return false
      }
      if isOver { next.resume() }
    }
    return taken
  }

  private var taken: Outcome { lock.withLock { outcome }.unsafelyUnwrapped }
}
