import Foundation
import Testing

/// Holds threads until a fixed number of them have arrived, round after round.
final class Barrier: @unchecked Sendable {
  // Safe: both are read and written while `condition` is locked.
  private var waiting = 0
  private var round = 0
  private let size: Int
  private let condition = NSCondition()

  init(_ size: Int) {
    self.size = size
  }

  /// Blocks until as many threads as the barrier is for are here.
  func arrive(sourceLocation: SourceLocation = #_sourceLocation) {
    let end = Date(timeIntervalSinceNow: TimeInterval(patience.components.seconds))
    condition.lock()
    defer { condition.unlock() }
    waiting += 1
    if waiting == size {
      waiting = 0
      round += 1
      condition.broadcast()
      return
    }
    let mine = round
    while round == mine {
      guard condition.wait(until: end) else {
        Issue.record("some threads never came to the barrier", sourceLocation: sourceLocation)
        return
      }
    }
  }
}
