import Synchronization

/// What threads may read while another replaces it: the kept value of one provider in one root pod.
///
/// A reference is given out from a stock: the slot retains the instance some times in advance, and each reader takes one
/// of these references and its address in a single step. Whoever takes the instance out of the slot takes the word in one
/// step too, and so knows how many references were given out; the rest is released. So nothing is released under a
/// reader, nobody waits, and a read costs what a retain costs.
///
/// Any other value is copied under a count of readers. Whoever takes the value out clears `word` first and looks at the
/// count then. Both change the count by read-modify-write operations, which have one order: either the reader sees that
/// the word is gone, or the other sees the reader and leaves the value to it.
struct Slot: ~Copyable {
  /// What is kept.
  ///
  /// Of a reference: the address in the lower bits, and above them how much of the stock was taken, with
  /// `Slot.exhausted` for all of it. Of any other value: its address. `Slot.isTransient`, or zero for nothing.
  private let word = Atomic<UInt64>(0)
  /// The number of readers of a value that is no reference, and `Slot.hasLeftovers`.
  private let count = Atomic<UInt64>(0)

  private static let addressBits: UInt64 = 48
  private static let addressMask: UInt64 = 1 << addressBits - 1
  private static let one: UInt64 = 1 << addressBits
  /// The stock is used up.
  private static let exhausted: UInt64 = 1 << 14
  private static let hasLeftovers: UInt64 = 1 << 62
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

// MARK: - References, without a lock

extension Slot {
  /// Takes a reference from the stock; `nil` where there is none left or nothing is kept.
  @inline(__always)
  func takeReference() -> UInt? {
    var seen = word.load(ordering: .relaxed)
    while seen & Slot.addressMask > Slot.isTransient, seen >> Slot.addressBits < Slot.exhausted {
      Delay.step()
      let (isExchanged, now) = word.weakCompareExchange(
        expected: seen, desired: seen &+ Slot.one, successOrdering: .acquiring, failureOrdering: .relaxed)
      if isExchanged { return UInt(truncatingIfNeeded: seen & Slot.addressMask) }
      seen = now
    }
    return nil
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
  /// Counts a reader in, and returns what it may read until it is counted out.
  @inline(__always)
  func pin() -> UInt64 {
    count.wrappingAdd(1, ordering: .acquiring)
    Delay.step()
    return word.load(ordering: .acquiring)
  }

  /// Counts a reader out; returns whether it is the last one and values were left to it.
  @inline(__always)
  func unpin() -> Bool {
    count.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == Slot.hasLeftovers
  }

  /// Shows a value, or `Slot.isTransient`, to readers.
  ///
  /// Called with the engine's lock held.
  func publish(_ value: UInt64) {
    word.store(value, ordering: .releasing)
  }

  /// Takes the value from readers; returns whether nobody reads it any longer.
  ///
  /// Called with the engine's lock held.
  func clear() -> Bool {
    word.store(0, ordering: .relaxed)
    Delay.step()
    return isUnread()
  }

  /// Whether nobody reads; if someone does, the last reader to leave will say so.
  ///
  /// Called with the engine's lock held.
  func isUnread() -> Bool {
    // In one step: orders what came before, the clearing above all, before the look, looks, and tells readers that they
    // may leave something.
    let old = count.bitwiseOr(Slot.hasLeftovers, ordering: .acquiringAndReleasing).oldValue
    Delay.step()
    guard old == 0 else { return false }
    count.bitwiseAnd(~Slot.hasLeftovers, ordering: .acquiringAndReleasing)
    return true
  }

  /// Whether nobody reads, so that what was left may be released.
  ///
  /// Called with the engine's lock held.
  func takeLeftovers() -> Bool {
    guard count.load(ordering: .acquiring) == Slot.hasLeftovers else { return false }
    count.bitwiseAnd(~Slot.hasLeftovers, ordering: .acquiringAndReleasing)
    return true
  }
}
