/// Serials of instances, of which those that have gone are forgotten from time to time.
///
/// A layer may see new instances without end, while there are only so many at a time.
struct SerialSet {
  private var serials: Set<UInt64> = []
  /// How many there may be before it is worth to look which are left.
  private var limit = least

  private static let least = 16_384

  var isEmpty: Bool { serials.isEmpty }
  var isFull: Bool { serials.count >= limit }

  func contains(_ serial: UInt64) -> Bool { serials.contains(serial) }

  /// Returns `false` if it was there already.
  mutating func insert(_ serial: UInt64) -> Bool { serials.insert(serial).inserted }

  mutating func removeAll() {
    guard !serials.isEmpty else { return }
    self = SerialSet()
  }

  /// Forgets all but those among some serials.
  ///
  /// Called when it is full, which it then is not: half of what is seen until the next time is new.
  mutating func keep(_ left: [UInt64]) {
    serials.formIntersection(left)
    limit = max(SerialSet.least, 2 * serials.count)
  }
}
