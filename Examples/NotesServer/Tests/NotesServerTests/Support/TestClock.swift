import Foundation
import NotesService
import PeapodSystem
import Synchronization

/// A clock that stands still until a test moves it.
final class TestClock: Sendable {
  private let seconds = Mutex(1_800_000_000.0)

  /// The date of the clock, for the provider `.date`.
  var date: DateSource { DateSource { Date(timeIntervalSince1970: self.seconds.withLock { $0 }) } }

  /// The clock as the service knows it.
  var clock: WallClock {
    let date = date
    return WallClock { date.now }
  }

  func advance(bySeconds seconds: Double) {
    self.seconds.withLock { $0 += seconds }
  }
}
