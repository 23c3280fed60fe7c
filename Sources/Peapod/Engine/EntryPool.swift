import Synchronization

/// Memory of records that are gone, which new ones use again instead of asking the C library for more.
///
/// With the build flag `PEAPOD_UNPOOLED` each is freed at once, so that AddressSanitizer sees who still looks at it.
enum EntryPool {
  /// The first of the records that were given back, each of which names the next; zero for none.
  private static let returned = Atomic<UInt>(0)
  /// About how many there are.
  private static let returnedCount = Atomic<Int>(0)
  #if PEAPOD_UNPOOLED
    static let limit = 0
  #else
    static let limit = 4096
  #endif

  /// Those from which is taken.
  // Safe: read and written under the engine's lock alone.
  @exclusivity(unchecked) nonisolated(unsafe) private static var spare: Entry?

  /// Memory for a record.
  ///
  /// Called with the engine's lock held.
  static func take() -> UnsafeMutablePointer<Entry.Storage> {
    if spare == nil, returnedCount.load(ordering: .relaxed) > 0 {
      spare = Entry(address: returned.exchange(0, ordering: .acquiring))
      returnedCount.store(0, ordering: .relaxed)
    }
    guard let entry = spare else { return Memory.allocate(Entry.Storage.self) }
    spare = entry.next
    return entry.storage
  }

  /// Takes over a list of records that are gone.
  ///
  /// Called without the lock.
  @inline(__always)
  static func giveBack(ended first: Entry) {
    var rest: Entry? = first
    var (last, count) = (first, 0)
    while let entry = rest {
      rest = entry.next
      entry.letGoAll()
      last = entry
      count += 1
    }
    giveBack(first, to: last, count: count)
  }

  /// Takes over a list of records that keep nothing and that nobody leads to.
  ///
  /// Called without the lock.
  static func giveBack(_ first: Entry, to last: Entry, count: Int) {
    guard returnedCount.load(ordering: .relaxed) + count <= limit else {
      var rest: Entry? = first
      while let entry = rest {
        rest = entry == last ? nil : entry.next
        Memory.free(entry.storage)
      }
      return
    }
    returnedCount.wrappingAdd(count, ordering: .relaxed)
    var known = returned.load(ordering: .relaxed)
    while true {
      last.next = Entry(address: known)
      // Whoever takes them takes all at once, so that none of them can have come back meanwhile.
      let (isDone, current) = returned.compareExchange(
        expected: known, desired: UInt(bitPattern: first.storage), ordering: .releasing)
      if isDone { return }
      known = current
    }
  }
}

extension Entry {
  fileprivate init?(address: UInt) {
    guard let pointer = UnsafeMutableRawPointer(bitPattern: address) else { return nil }
    // Safe: only addresses of records are kept as such, by the pool.
    storage = pointer.assumingMemoryBound(to: Storage.self)
  }
}
