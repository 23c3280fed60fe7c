/// Serials of instances, of which those that have gone are forgotten from time to time.
///
/// A layer may see new instances without end, while there are only so many at a time. It is asked at each cached resolve
/// through a pod that changes something, so it does without `Set`, whose hash takes longer than all the rest of that.
struct SerialSet {
  /// Serials where their hash says or in the places that follow; zero, which is no serial, for none.
  ///
  /// A power of two of places, of which at most half are used.
  private var places: [UInt64] = []
  private var count = 0
  /// How many there may be before it is worth to look which are left.
  private var limit = least

  private static let least = 256

  var isEmpty: Bool { count == 0 }
  var isFull: Bool { count >= limit }

  /// `serial`: zero, for what has none yet, is never in.
  func contains(_ serial: UInt64) -> Bool { count != 0 && serial != 0 && places[place(of: serial)] == serial }

  /// Where a serial is, or would be.
  private func place(of serial: UInt64) -> Int {
    // Serials follow each other, so that a product with the golden ratio spreads them evenly (Knuth, volume 3, 6.4).
    let last = places.count &- 1
    var place = Int(truncatingIfNeeded: (serial &* 0x9E37_79B9_7F4A_7C15) >> 32) & last
    while places[place] != serial, places[place] != 0 { place = (place &+ 1) & last }
    return place
  }

  /// Returns `false` if it was there already.
  mutating func insert(_ serial: UInt64) -> Bool {
    if 2 * (count + 1) > places.count { grow() }
    let place = place(of: serial)
    guard places[place] == 0 else { return false }
    places[place] = serial
    count += 1
    return true
  }

  private mutating func grow() {
    let old = places
    places = Array(repeating: 0, count: max(8, 2 * old.count))
    count = 0
    for serial in old where serial != 0 { _ = insert(serial) }
  }

  mutating func removeAll() {
    guard !isEmpty else { return }
    self = SerialSet()
  }

  /// Forgets all but those among some serials.
  ///
  /// Called when it is full. It is full again when it has seen at least as many new ones as there were left.
  mutating func keep(_ left: [UInt64]) {
    let old = self
    self = SerialSet()
    for serial in left where old.contains(serial) { _ = insert(serial) }
    limit = max(SerialSet.least, 2 * left.count)
  }
}
