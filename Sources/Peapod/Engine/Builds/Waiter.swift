/// A caller that waits for a build: a blocked thread or a suspended task.
final class Waiter: @unchecked Sendable {
  // Safe: constants. The address of a frame in `request` is used only by the thread that made the request.

  enum Outcome: Sendable {
    /// The waiter owns the value.
    case value(StoredValue)
    case failure(any Error)
    /// The pod of the waiter does not accept the result: the waiter resolves again.
    case dismissed
    case canceled
  }

  let build: Build
  let request: Request.Context
  /// Whether this caller began the build, and so accepts the result in any case.
  let isFirst: Bool
  /// Whether no override changed between the beginnings of the build and of the wait.
  let isTimely: Bool
  let isThread: Bool
  /// The priority of the waiting task, which a build that starts later gets.
  let priority = Task.currentPriority
  let start = MonotonicClock.now
  private let signal = Signal<Outcome>()

  init(for build: Build, _ request: borrowing Request, blocksThread: Bool, isFirst: Bool = false) {
    self.build = build
    self.isFirst = isFirst
    self.request = request.context
    isTimely = build.request.isUnchanged
    isThread = blocksThread
  }

  var view: PodState { request.view }

  /// Ends the wait.
  ///
  /// Only the first call counts. The value of a later call is released.
  func end(_ outcome: Outcome) {
    if !signal.give(outcome, toThread: isThread), case .value(let value) = outcome { build.declaration.release(value) }
  }

  func block() -> Outcome { signal.block() }

  nonisolated(nonsending) func suspend() async -> Outcome { await signal.suspend() }
}
