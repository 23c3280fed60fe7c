import CoreMetrics
import Synchronization

/// How often something was told, and the sum of it.
final class Total: Sendable {
  private struct State {
    var isTimed = false
    var count: Int64 = 0
    var sum = 0.0
  }

  private let state = Mutex(State())

  func lines(named name: String) -> [String] {
    let state = state.withLock { $0 }
    return state.isTimed ? ["\(name)_count \(state.count)", "\(name)_seconds \(state.sum)"] : ["\(name) \(state.sum)"]
  }
}

extension Total: CounterHandler {
  func increment(by amount: Int64) {
    state.withLock { $0.sum += Double(amount) }
  }

  func reset() {
    state.withLock { $0 = State() }
  }
}

extension Total: RecorderHandler {
  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) {
    state.withLock {
      $0.count += 1
      $0.sum += value
    }
  }
}

extension Total: TimerHandler {
  func recordNanoseconds(_ duration: Int64) {
    state.withLock {
      $0.isTimed = true
      $0.count += 1
      $0.sum += Double(duration) / 1e9
    }
  }
}
