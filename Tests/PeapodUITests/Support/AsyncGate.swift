/// A gate for tasks on the main actor: closed until it is opened, then open for good.
@MainActor
final class AsyncGate {
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var arrivals: [CheckedContinuation<Void, Never>] = []
  private var isOpen = false
  private var hasVisitor = false

  nonisolated init() {}

  func open() {
    isOpen = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  /// Waits until the gate is open.
  func pass() async {
    hasVisitor = true
    for arrival in arrivals { arrival.resume() }
    arrivals = []
    if !isOpen { await withCheckedContinuation { waiters.append($0) } }
  }

  /// Waits until someone has come to the gate.
  func visitor() async {
    if !hasVisitor { await withCheckedContinuation { arrivals.append($0) } }
  }
}
