/// A gate for tasks that counts who came, and that a cancelled task leaves at once.
final class Turnstile: Sendable {
  private struct State {
    var isOpen = false
    var arrived = 0
    var sleepers: [Int: CheckedContinuation<Bool, Never>] = [:]
    var cancelled: Set<Int> = []
  }

  private let state = Locked(State())

  /// How many have come so far, those that went through included.
  var arrived: Int { state.withLock { $0.arrived } }

  func open() {
    let woken = state.withLock { state in
      state.isOpen = true
      defer { state.sleepers = [:] }
      return Array(state.sleepers.values)
    }
    for sleeper in woken { sleeper.resume(returning: true) }
  }

  /// Suspends until the gate is open.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  nonisolated(nonsending) func pass() async throws {
    let ticket = state.withLock { state in
      state.arrived += 1
      return state.arrived
    }
    let mayPass = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if state.cancelled.contains(ticket) { return false }
          if state.isOpen { return true }
          state.sleepers[ticket] = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.cancelled.insert(ticket)
        return state.sleepers.removeValue(forKey: ticket)
      }
      sleeper?.resume(returning: false)
    }
    if !mayPass { throw CancellationError() }
  }
}
