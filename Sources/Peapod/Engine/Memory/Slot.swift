import Synchronization

/// The cached value of one provider in one root pod, which threads read while another thread may replace it.
///
/// The slot retains the object of the value a number of times in advance. These references are the stock. A reader takes one of these
/// references and the address in a single step. The thread that removes the value takes the word in one step too, so it knows how many
/// references were taken, and releases the rest. So no reader loses its object, no thread waits, and a read costs as much as a retain.
@frozen @usableFromInline
struct Slot: ~Copyable {
  /// The address of the object in the lower bits, `Slot.isTransient`, or zero for nothing.
  ///
  /// The upper bits hold `Slot.exhausted` minus the size of the stock.
  @usableFromInline let word = Atomic<UInt64>(0)

  private static let addressBits: UInt64 = 48
  private static let addressMask: UInt64 = 1 << addressBits - 1
  @inlinable static var one: UInt64 { 1 << 48 }
  /// The stock is used up.
  private static let exhausted: UInt64 = 1 << 14
  /// Stands in place of an address: the provider is transient, and the pod has recorded its dependencies.
  ///
  /// No object has this address.
  static let isTransient: UInt64 = 1

  /// Whether an address leaves room for the count.
  static func holds(_ value: UInt) -> Bool { UInt64(value) & ~addressMask == 0 }

  /// The address, for a comparison only.
  var peek: UInt64 {
    @inline(__always) get { word.load(ordering: .relaxed) & Slot.addressMask }
  }
}

// MARK: - Without a lock

extension Slot {
  /// Takes a reference; returns the new word, or zero if there is no value or the stock is used up.
  @inline(__always)
  func take() -> UInt64 {
    // Acquiring: sees all writes before the address was published. The steps of readers since then belong to the same release sequence.
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

  /// Puts a reference back into the stock; returns `false` if the slot no longer has the word that the reader left.
  ///
  /// If the same object was removed and published again meanwhile, the reference is valid in the new stock too.
  @inlinable @inline(__always)
  func giveBack(_ left: UInt64) -> Bool {
    // Releasing: the reader's accesses come before the last release of the object.
    word.compareExchange(
      expected: left, desired: left &- Slot.one, successOrdering: .releasing, failureOrdering: .relaxed
    ).exchanged
  }
}

// MARK: - With the pod's lock held

extension Slot {
  /// Publishes an address, or `Slot.isTransient`, with an empty stock; the first reader fills the stock under the lock.
  func publish(_ address: UInt) {
    word.store(UInt64(address) | Slot.exhausted << Slot.addressBits, ordering: .releasing)
  }

  /// Adds to the stock.
  ///
  /// The caller has retained the object `amount` times.
  func restock(_ amount: UInt64) {
    word.wrappingSubtract(amount << Slot.addressBits, ordering: .releasing)
  }

  /// Whether readers have used up the stock.
  var isExhausted: Bool {
    peek > Slot.isTransient && word.load(ordering: .relaxed) >> Slot.addressBits >= Slot.exhausted
  }

  /// Removes the address; returns the size of the stock, which the caller releases.
  func takeStock() -> UInt64 {
    Slot.exhausted - word.exchange(0, ordering: .acquiringAndReleasing) >> Slot.addressBits
  }
}
