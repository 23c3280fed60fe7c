import Synchronization

/// The bits that show in one step that a child pod changes nothing on which a cached instance depends.
///
/// A provider, a family or a scope gets a bit when a child pod first overrides or owns it. A pod's *changes* are the bits of all that it
/// overrides or owns. An instance's *mask* has the bits of all providers, families and scopes that it depends on, directly or not. If the
/// changes and the mask have no bit in common, the pod shares the instance.
///
/// A provider or a family gets a bit too when a child pod has an instance of its own to which deferred dependencies may lead. The bit is then
/// among the changes of the child.
///
/// Child pods change few providers and scopes, so few programs use up the bits. In such a program, two providers or scopes share a bit, and
/// a pod checks some instances without need.
enum ChangeBits {
  /// The bit in the mask of each instance with a deferred dependency, direct or not.
  ///
  /// The answers to deferred dependencies change, so such a mask counts for a time.
  static let deferred: UInt64 = 1 << 63

  /// Increases with each new bit.
  ///
  /// Masks of an earlier epoch lack the new bit.
  static let epoch = Atomic<UInt>(1)
  /// Increases when a deferred dependency leads to a provider or a family for the first time.
  static let deferrals = Atomic<UInt>(1)
  fileprivate static let used = Atomic<UInt8>(0)
  fileprivate static let count: UInt8 = 63
}

/// The bit of a provider, a family or a scope.
struct ChangeNumber: ~Copyable {
  /// The number of the bit, plus one, and two flags; the number is zero while no child pod changes the provider or owns the scope.
  private let word = Atomic<UInt8>(0)
  private static let number: UInt8 = 63
  /// Beside a number: the epoch may not have increased yet.
  private static let isNew: UInt8 = 1 << 7
  private static let isDeferred: UInt8 = 1 << 6

  /// The bit; none for zero.
  @inline(__always)
  var bit: UInt64 { ChangeNumber.bit(word.load(ordering: .relaxed)) }

  private static func bit(_ word: UInt8) -> UInt64 {
    word & number == 0 ? 0 : 1 << UInt64(word & number - 1)
  }

  /// Whether a deferred dependency of any pod ever led to the provider, or to the family.
  var isDeferred: Bool { word.load(ordering: .relaxed) & ChangeNumber.isDeferred != 0 }

  func noteDeferred() {
    // Every request may read the word, so it is written once. Relaxed: the lock of the pod orders the flag before the masks of the first
    // holder, as "Locking" explains.
    guard !isDeferred else { return }
    word.bitwiseOr(ChangeNumber.isDeferred, ordering: .relaxed)
    // Releasing: a child that sees the number notes its instances of the provider.
    ChangeBits.deferrals.wrappingAdd(1, ordering: .releasing)
  }

  /// Returns the bit, and assigns one if there is none.
  func assign() -> UInt64 {
    var known = word.load(ordering: .acquiring)
    if known & ChangeNumber.number == 0 {
      let new = ChangeBits.used.wrappingAdd(1, ordering: .relaxed).oldValue % ChangeBits.count + 1 | ChangeNumber.isNew
      while known & ChangeNumber.number == 0 {
        let (isFirst, other) = word.compareExchange(
          expected: known, desired: known | new, ordering: .acquiringAndReleasing)
        known = isFirst ? known | new : other
      }
    }
    Delay.step()
    if known & ChangeNumber.isNew != 0 {
      // No caller uses the bit before the epoch has increased. Releasing: a reader that sees the epoch sees the bit.
      ChangeBits.epoch.wrappingAdd(1, ordering: .releasing)
      word.bitwiseAnd(~ChangeNumber.isNew, ordering: .releasing)
    }
    return ChangeNumber.bit(known)
  }
}
