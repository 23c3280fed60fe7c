/// A gate for tasks: closed until it is opened, then open for good.
///
/// Waiting suspends and does not end by cancellation, so that a test decides alone when its builder goes on.
final class AsyncGate: Sendable {
  private enum State {
    /// Closed, with those who wait. Next: open.
    case closed([CheckedContinuation<Void, Never>])
    /// Open. Nothing follows.
    case open
  }

  private let state = Locked(State.closed([]))
  private let arrivals = Counter()

  /// How many have come to the gate so far.
  var arrived: Int { arrivals.value }

  var isOpen: Bool {
    state.withLock {
      guard case .open = $0 else { return false }
      return true
    }
  }

  func open() {
    let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard case .closed(let waiters) = state else { return [] }
      state = .open
      return waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func wait(isolation: isolated (any Actor)? = #isolation) async {
    arrivals.increment()
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        guard case .closed(let waiters) = state else { return true }
        state = .closed(waiters + [continuation])
        return false
      }
      if isOpen { continuation.resume() }
    }
  }
}
