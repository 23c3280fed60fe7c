import Foundation
import Testing

/// A gate for threads: closed until it is opened, then open for good.
///
/// Waiting blocks the thread, so it belongs on a `Worker`, not on a thread of the concurrency pool.
final class Gate: @unchecked Sendable {
  // Safe: `isOpened` is read and written while `condition` is locked.
  private var isOpened = false
  private let condition = NSCondition()

  var isOpen: Bool {
    condition.lock()
    defer { condition.unlock() }
    return isOpened
  }

  func open() {
    condition.lock()
    isOpened = true
    condition.broadcast()
    condition.unlock()
  }

  /// Blocks until the gate is open; reports an issue if that never happens.
  func wait(sourceLocation: SourceLocation = #_sourceLocation) {
    let end = Date(timeIntervalSinceNow: TimeInterval(patience.components.seconds))
    condition.lock()
    defer { condition.unlock() }
    while !isOpened {
      guard condition.wait(until: end) else {
        Issue.record("the gate was never opened", sourceLocation: sourceLocation)
        return
      }
    }
  }

  /// Waits for the gate without blocking a thread.
  func pass(sourceLocation: SourceLocation = #_sourceLocation) async {
    await eventually("a gate opens", sourceLocation: sourceLocation) { isOpen }
  }
}
