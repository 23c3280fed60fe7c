import NotesService
import Synchronization

/// Bytes that are different each time, and known.
final class CountingRandom: Sendable {
  private let count = Mutex(UInt64(0))

  var source: RandomSource {
    RandomSource { length in
      let number = self.count.withLock { count in
        count += 1
        return count
      }
      return (0..<length).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * ($0 % 8))) }
    }
  }
}
