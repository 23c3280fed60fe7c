import Foundation
import NotesService
import Synchronization

/// A clock that stands still until a test moves it.
final class TestClock: Sendable {
  private let seconds = Mutex(1_800_000_000.0)

  var clock: WallClock { WallClock { Date(timeIntervalSince1970: self.seconds.withLock { $0 }) } }

  func advance(bySeconds seconds: Double) {
    self.seconds.withLock { $0 += seconds }
  }
}
