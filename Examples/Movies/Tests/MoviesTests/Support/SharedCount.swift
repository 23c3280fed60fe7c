import Synchronization

/// A count that an actor and its test share.
final class SharedCount: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }

  /// Returns the new count.
  func increment() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }
}
