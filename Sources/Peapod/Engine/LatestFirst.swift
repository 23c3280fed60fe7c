/// Instances that wait for their turn, the one that was built last first: a binary heap.
struct LatestFirst {
  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }
  var first: Entry? { entries.first }

  /// Adds an instance.
  ///
  /// - Complexity: O(log n), as for taking one out.
  mutating func insert(_ entry: Entry) {
    var place = entries.count
    entries.append(entry)
    while place > 0, entries[(place - 1) / 2].serial < entry.serial {
      entries[place] = entries[(place - 1) / 2]
      place = (place - 1) / 2
    }
    entries[place] = entry
  }

  mutating func removeFirst() -> Entry? {
    guard let first = entries.first, let last = entries.popLast() else { return nil }
    guard !entries.isEmpty else { return first }
    var place = 0
    while true {
      var below = 2 * place + 1
      guard below < entries.count else { break }
      if below + 1 < entries.count, entries[below].serial < entries[below + 1].serial { below += 1 }
      guard last.serial < entries[below].serial else { break }
      entries[place] = entries[below]
      place = below
    }
    entries[place] = last
    return first
  }
}
