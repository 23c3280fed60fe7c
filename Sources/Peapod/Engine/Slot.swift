import Synchronization

/// What threads may read while another replaces it: the kept value of one provider in one root pod.
///
/// A reference is given out from a stock: the slot retains the instance some times in advance, and each reader takes one
/// of these references and its address in a single step. Whoever takes the instance out of the slot takes the word in one
/// step too, and so knows how many references were given out; the rest is released. So nothing is released under a
/// reader, nobody waits, and a read costs what a retain costs.
///
/// Any other value is copied under a count of readers, which is in the same word: a reader is counted in only while the value
/// is there, in one step. Whoever takes the value out looks afterwards whether someone still reads it, and leaves it to the last
/// of these if so.
@frozen @usableFromInline
struct Slot: ~Copyable {
  /// What is kept: its address in the lower bits, `Slot.isTransient`, or zero for nothing.
  ///
  /// Above that, of a reference: how much of the stock was taken, with `Slot.exhausted` for all of it. Of any other value: the
  /// number of its readers, and `Slot.hasLeftovers`.
  @usableFromInline let word = Atomic<UInt64>(0)

  private static let addressBits: UInt64 = 48
  private static let addressMask: UInt64 = 1 << addressBits - 1
  @inlinable static var one: UInt64 { 1 << 48 }
  /// The stock is used up, or there are as many readers as can be counted.
  private static let exhausted: UInt64 = 1 << 14
  private static let hasLeftovers: UInt64 = 1 << 63
  /// Stands where a value would: the provider keeps nothing and is recorded already.
  ///
  /// No value has this address.
  static let isTransient: UInt64 = 1

  /// Whether an address leaves room for the count.
  static func holds(_ value: UInt) -> Bool { UInt64(value) & ~addressMask == 0 }

  /// The address of what is kept, for a look that does not use it.
  var peek: UInt64 {
    @inline(__always) get { word.load(ordering: .relaxed) & Slot.addressMask }
  }
}

// MARK: - Without a lock

extension Slot {
  /// Takes a reference from the stock, or counts a reader of any other value in; returns the word that this leaves, or zero where
  /// nothing is kept or the limit is reached.
  @inline(__always)
  func take() -> UInt64 {
    // Acquires what was released when the address was published, be it that others were counted since: theirs are parts of
    // the same sequence of changes. Nothing is read before that.
    var seen = word.load(ordering: .relaxed)
    while seen & Slot.addressMask > Slot.isTransient, seen >> Slot.addressBits < Slot.exhausted {
      Delay.step()
      let (isExchanged, now) = word.weakCompareExchange(
        expected: seen, desired: seen &+ Slot.one, successOrdering: .acquiring, failureOrdering: .relaxed)
      if isExchanged { return seen &+ Slot.one }
      seen = now
    }
    return 0
  }

  /// The address in a word that a reader left.
  @inline(__always)
  static func address(in left: UInt64) -> UInt { UInt(truncatingIfNeeded: left & addressMask) }

  /// Puts a reference back into the stock, if the word is what its reader left; returns whether it was.
  ///
  /// Where the same instance was taken out and shown again meanwhile, the reference belongs into its new stock just as well.
  @inlinable @inline(__always)
  func giveBack(_ left: UInt64) -> Bool {
    // Releases what the reader did with the instance, for whoever lets go the last reference to it.
    word.compareExchange(
      expected: left, desired: left &- Slot.one, successOrdering: .releasing, failureOrdering: .relaxed
    ).exchanged
  }
}

// MARK: - References, with the engine's lock held

extension Slot {
  /// Shows a reference to readers, with nothing in stock: the first reader asks for more.
  func publish(reference: UInt) {
    word.store(UInt64(reference) | Slot.exhausted << Slot.addressBits, ordering: .releasing)
  }

  /// Adds to the stock of what is shown.
  ///
  /// The caller has retained it so often.
  func restock(_ amount: UInt64) {
    word.wrappingSubtract(amount << Slot.addressBits, ordering: .releasing)
  }

  /// Whether readers have used up the stock.
  var isExhausted: Bool {
    peek > Slot.isTransient && word.load(ordering: .relaxed) >> Slot.addressBits >= Slot.exhausted
  }

  /// Takes the reference from readers; returns how many of the stock are left, which the caller releases.
  func takeStock() -> UInt64 {
    Slot.exhausted - word.exchange(0, ordering: .acquiringAndReleasing) >> Slot.addressBits
  }
}

// MARK: - Other values

extension Slot {
  /// Counts a reader out; returns whether it is the last one and values were left to it.
  @inline(__always)
  func unpin() -> Bool {
    word.wrappingSubtract(Slot.one, ordering: .acquiringAndReleasing).newValue & ~Slot.addressMask == Slot.hasLeftovers
  }

  /// Shows a value, or `Slot.isTransient`, to readers, where nothing else is shown; those of another one may be reading still.
  ///
  /// Called with the engine's lock held.
  func publish(_ value: UInt64) {
    assert(peek == 0 || peek == value)
    word.bitwiseOr(value, ordering: .releasing)
  }

  /// Takes the value from readers; returns whether nobody reads it any longer.
  ///
  /// If someone does, the last reader to leave will say so. Called with the engine's lock held.
  func clear() -> Bool {
    // In one step: readers that are counted in afterwards find nothing. What they wrote while they read comes before what is
    // done with the value now.
    word.bitwiseAnd(~Slot.addressMask, ordering: .acquiringAndReleasing)
    Delay.step()
    return isUnread()
  }

  /// Whether nobody reads; if someone does, the last reader to leave will say so.
  ///
  /// Called with the engine's lock held.
  func isUnread() -> Bool {
    // In one step: looks, and tells readers that they may leave something.
    let old = word.bitwiseOr(Slot.hasLeftovers, ordering: .acquiringAndReleasing).oldValue
    Delay.step()
    guard old & ~Slot.addressMask == 0 else { return false }
    word.bitwiseAnd(~Slot.hasLeftovers, ordering: .acquiringAndReleasing)
    return true
  }

  /// Whether nobody reads, so that what was left may be released.
  ///
  /// Called with the engine's lock held.
  func takeLeftovers() -> Bool {
    guard word.load(ordering: .acquiring) & ~Slot.addressMask == Slot.hasLeftovers else { return false }
    word.bitwiseAnd(~Slot.hasLeftovers, ordering: .acquiringAndReleasing)
    return true
  }
}
