import Synchronization

/// The bits that show in one step that a child pod changes nothing on which a cached instance depends.
///
/// A provider, a family or a scope gets a bit when a child pod first overrides or owns it, or has its own instance to which a deferred
/// dependency may lead. A pod's *changes* are the bits of all these. An instance's *mask* has the bits of all providers, families and scopes
/// that it depends on, directly or not. If the changes and the mask have no bit in common, the pod shares the instance.
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

  /// Whether the providers of further answers share bits that are known without a new epoch, so that half of the bits are left for overrides
  /// and scopes.
  ///
  /// This changes with the epoch, so the masks of the present epoch have these bits.
  fileprivate static var areUsedUpByAnswers: Bool { epoch.load(ordering: .acquiring) > UInt(count / 2) }
}

/// The bit of a provider, a family or a scope.
struct ChangeNumber: ~Copyable {
  /// The number of the bit, plus one, and a flag; the number is zero while there is no bit.
  private let word = Atomic<UInt8>(0)
  private static let number: UInt8 = 63
  /// Beside a number: the epoch may not have increased yet.
  private static let isNew: UInt8 = 1 << 7
  private let deferral = Atomic<UInt8>(0)
  private static let isMarked: UInt8 = 1
  /// `ChangeBits.deferrals` has increased too.
  private static let isCounted: UInt8 = 2

  /// The bit; none for zero.
  @inline(__always)
  var bit: UInt64 { ChangeNumber.bit(word.load(ordering: .relaxed)) }

  private static func bit(_ word: UInt8) -> UInt64 {
    word & number == 0 ? 0 : 1 << UInt64(word & number - 1)
  }

  /// Whether a deferred dependency of any pod ever led to the provider, or to the family.
  var isDeferred: Bool { deferral.load(ordering: .relaxed) != 0 }

  func noteDeferred() {
    // Every request may read this, so it is written once. Relaxed: the lock of the pod orders the mark before the masks of the first
    // holder, as "Locking" explains. Acquiring: no caller finishes a holder before the number has increased.
    guard deferral.load(ordering: .acquiring) & ChangeNumber.isCounted == 0 else { return }
    deferral.bitwiseOr(ChangeNumber.isMarked, ordering: .relaxed)
    Delay.step()
    // Releasing: a child that sees the number notes its instances of the provider.
    ChangeBits.deferrals.wrappingAdd(1, ordering: .releasing)
    deferral.bitwiseOr(ChangeNumber.isCounted, ordering: .releasing)
  }

  /// The bit by which a child notes its own instance of a provider with an index.
  func answerBit(_ index: UInt32) -> UInt64 {
    bit == 0 && ChangeBits.areUsedUpByAnswers ? ChangeNumber.sharedBit(index) : assign()
  }

  /// The bits of the provider in the mask of a holder that defers it.
  func questionBits(_ index: UInt32) -> UInt64 {
    ChangeBits.areUsedUpByAnswers ? bit | ChangeNumber.sharedBit(index) : bit
  }

  private static func sharedBit(_ index: UInt32) -> UInt64 { 1 << UInt64(index % UInt32(ChangeBits.count)) }

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
