import Synchronization

/// The bits that show in one step that a child pod changes nothing on which a cached instance depends.
///
/// A provider, a family or a scope gets a bit when a child pod first overrides or owns it. A pod's *changes* are the bits of all that it
/// overrides or owns. An instance's *mask* has the bits of all providers, families and scopes that it depends on, directly or not. If the
/// changes and the mask have no bit in common, the pod shares the instance.
///
/// Child pods change few providers and scopes, so few programs use up the bits. In such a program, two providers or scopes share a bit, and
/// a pod checks some instances without need.
enum ChangeBits {
  /// The bit in the mask of each instance with a deferred dependency, direct or not, and in the changes of each pod that has changes.
  ///
  /// The answers to deferred dependencies change, so such a pod checks the instance.
  static let deferred: UInt64 = 1 << 63

  /// Increases with each new bit.
  ///
  /// Masks of an earlier epoch lack the new bit.
  static let epoch = Atomic<UInt>(1)
  fileprivate static let used = Atomic<UInt8>(0)
  fileprivate static let count: UInt8 = 63
}

/// The number of a bit in masks, plus one; zero while no child pod changes the provider or owns the scope.
struct ChangeNumber: ~Copyable {
  private let number = Atomic<UInt8>(0)
  /// Beside a number: the epoch may not have increased yet.
  private static let isNew: UInt8 = 1 << 7

  /// The bit; none for zero.
  @inline(__always)
  var bit: UInt64 { ChangeNumber.bit(number.load(ordering: .relaxed)) }

  private static func bit(_ number: UInt8) -> UInt64 {
    number == 0 ? 0 : 1 << UInt64((number & ~isNew) - 1)
  }

  /// Returns the bit, and assigns one if there is none.
  func assign() -> UInt64 {
    var known = number.load(ordering: .acquiring)
    if known == 0 {
      let new = ChangeBits.used.wrappingAdd(1, ordering: .relaxed).oldValue % ChangeBits.count + 1 | ChangeNumber.isNew
      let (isFirst, other) = number.compareExchange(expected: 0, desired: new, ordering: .acquiringAndReleasing)
      known = isFirst ? new : other
    }
    Delay.step()
    if known & ChangeNumber.isNew != 0 {
      // No caller uses the bit before the epoch has increased. Releasing: a reader that sees the epoch sees the bit.
      ChangeBits.epoch.wrappingAdd(1, ordering: .releasing)
      number.store(known & ~ChangeNumber.isNew, ordering: .releasing)
    }
    return ChangeNumber.bit(known)
  }
}
