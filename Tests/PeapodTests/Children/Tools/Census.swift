/// Counts the instances of `Part` that were made in it, and those that are alive.
final class Census: Sendable {
  private let counts = Locked((born: 0, alive: 0))

  var born: Int { counts.withLock { $0.born } }
  var alive: Int { counts.withLock { $0.alive } }

  func enter() {
    counts.withLock {
      $0.born += 1
      $0.alive += 1
    }
  }

  func leave() {
    counts.withLock { $0.alive -= 1 }
  }
}
