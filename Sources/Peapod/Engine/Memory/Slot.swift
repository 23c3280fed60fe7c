import Synchronization

/// The cached value of one provider in one root pod, which threads read while another thread may replace it.
///
/// *References.* The slot retains the instance a number of times in advance. These references are the stock. A reader takes one of these
/// references and the address in a single step. The thread that removes the instance takes the word in one step too, so it knows how many
/// references were taken, and releases the rest. So no reader loses its instance, no thread waits, and a read costs as much as a retain.
///
/// *Other values* are copied while a count of readers, in the same word, is above zero. In one step, a reader finds the value and is
/// counted. The thread that removes the value leaves its release to the last reader if there are readers.
@frozen @usableFromInline
struct Slot: ~Copyable {
  /// The address of the value in the lower bits, `Slot.isTransient`, or zero for nothing.
  ///
  /// For a reference, the upper bits hold `Slot.exhausted` minus the size of the stock. For any other value, they hold the number of
  /// readers, and `Slot.hasLeftovers`.
  @usableFromInline let word = Atomic<UInt64>(0)

  private static let addressBits: UInt64 = 48
  private static let addressMask: UInt64 = 1 << addressBits - 1
  @inlinable static var one: UInt64 { 1 << 48 }
  /// The stock is used up, or there are as many readers as can be counted.
  private static let exhausted: UInt64 = 1 << 14
  private static let hasLeftovers: UInt64 = 1 << 63
  /// Stands in place of an address: the provider is transient, and the pod has recorded its dependencies.
  ///
  /// No value has this address.
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
  /// Takes a reference or counts a reader; returns the new word, or zero if there is no value or the limit is reached.
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
  /// If the same instance was removed and published again meanwhile, the reference is valid in the new stock too.
  @inlinable @inline(__always)
  func giveBack(_ left: UInt64) -> Bool {
    // Releasing: the reader's accesses come before the last release of the instance.
    word.compareExchange(
      expected: left, desired: left &- Slot.one, successOrdering: .releasing, failureOrdering: .relaxed
    ).exchanged
  }
}

// MARK: - References, with the pod's lock held

extension Slot {
  /// Publishes a reference with an empty stock; the first reader fills the stock under the lock.
  func publish(reference: UInt) {
    word.store(UInt64(reference) | Slot.exhausted << Slot.addressBits, ordering: .releasing)
  }

  /// Adds to the stock.
  ///
  /// The caller has retained the instance `amount` times.
  func restock(_ amount: UInt64) {
    word.wrappingSubtract(amount << Slot.addressBits, ordering: .releasing)
  }

  /// Whether readers have used up the stock.
  var isExhausted: Bool {
    peek > Slot.isTransient && word.load(ordering: .relaxed) >> Slot.addressBits >= Slot.exhausted
  }

  /// Removes the reference; returns the size of the stock, which the caller releases.
  func takeStock() -> UInt64 {
    Slot.exhausted - word.exchange(0, ordering: .acquiringAndReleasing) >> Slot.addressBits
  }
}

// MARK: - Other values

extension Slot {
  /// Ends one read; returns whether the read was the last one and removed values are left to the reader.
  @inline(__always)
  func unpin() -> Bool {
    word.wrappingSubtract(Slot.one, ordering: .acquiringAndReleasing).newValue & ~Slot.addressMask == Slot.hasLeftovers
  }

  /// Publishes a value or `Slot.isTransient`.
  ///
  /// The slot is empty, though an earlier value may still have readers. Called with the pod's lock held.
  func publish(_ value: UInt64) {
    assert(peek == 0 || peek == value)
    word.bitwiseOr(value, ordering: .releasing)
  }

  /// Removes the value; returns whether no thread reads it.
  ///
  /// Otherwise `unpin` of the last reader returns `true`. Called with the pod's lock held.
  func clear() -> Bool {
    // In one step: later readers find nothing, and the accesses of earlier readers come before the release of the value.
    word.bitwiseAnd(~Slot.addressMask, ordering: .acquiringAndReleasing)
    Delay.step()
    return isUnread()
  }

  /// Whether no thread reads; otherwise `unpin` of the last reader returns `true`.
  ///
  /// Called with the pod's lock held.
  func isUnread() -> Bool {
    // In one step: reads the count, and marks that a value may be left to the last reader.
    let old = word.bitwiseOr(Slot.hasLeftovers, ordering: .acquiringAndReleasing).oldValue
    Delay.step()
    guard old & ~Slot.addressMask == 0 else { return false }
    word.bitwiseAnd(~Slot.hasLeftovers, ordering: .acquiringAndReleasing)
    return true
  }

  /// Returns whether no thread reads any longer, so that the removed values may be released.
  ///
  /// Called with the pod's lock held.
  func takeLeftovers() -> Bool {
    guard word.load(ordering: .acquiring) & ~Slot.addressMask == Slot.hasLeftovers else { return false }
    word.bitwiseAnd(~Slot.hasLeftovers, ordering: .acquiringAndReleasing)
    return true
  }
}
