import Synchronization

/// A door that tasks wait at until it is opened, by someone or by the arrival of the last that is expected.
final class Gate: Sendable {
  private struct State {
    var missing: Int?
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []

    mutating func open() -> [CheckedContinuation<Void, Never>] {
      isOpen = true
      defer { waiting = [] }
      return waiting
    }
  }

  private let state: Mutex<State>

  /// Creates a gate that opens when a number of tasks have arrived, or only by `open()`.
  init(expecting count: Int? = nil) {
    state = Mutex(State(missing: count))
  }

  func open() {
    for continuation in state.withLock({ $0.open() }) { continuation.resume() }
  }

  func pass() async {
    await withCheckedContinuation { continuation in
      let released = state.withLock { state in
        state.waiting.append(continuation)
        if let missing = state.missing { state.missing = missing - 1 }
        return state.isOpen || state.missing == 0 ? state.open() : []
      }
      for continuation in released { continuation.resume() }
    }
  }
}
