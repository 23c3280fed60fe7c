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
  private static let count: UInt8 = 63

  /// Increases with each new bit.
  ///
  /// Masks of an earlier epoch lack the new bit.
  static let epoch = Atomic<UInt>(1)
  private static let used = Atomic<UInt8>(0)

  /// The bit that a number stands for; none for zero.
  @inline(__always)
  static func bit(_ number: UInt8) -> UInt64 { number == 0 ? 0 : 1 << UInt64(number - 1) }

  /// Returns the bit of a provider or a scope that a child pod changes, and assigns a bit if there is none.
  static func assign(_ number: borrowing Atomic<UInt8>) -> UInt64 {
    let known = number.load(ordering: .relaxed)
    if known != 0 { return bit(known) }
    let new = used.wrappingAdd(1, ordering: .relaxed).oldValue % count + 1
    let (isFirst, other) = number.compareExchange(expected: 0, desired: new, ordering: .relaxed)
    // Releasing: a reader that sees the epoch sees the bit.
    if isFirst { epoch.wrappingAdd(1, ordering: .releasing) }
    return bit(isFirst ? new : other)
  }
}

extension Declaration {
  /// The bit of a provider, or of the family of a member; none if no child pod has changed it.
  var changeBit: UInt64 { ChangeBits.bit((family ?? self).changeNumber.load(ordering: .relaxed)) }

  /// Returns `changeBit`, and assigns a bit if there is none.
  func assignChangeBit() -> UInt64 { ChangeBits.assign((family ?? self).changeNumber) }
}

extension ScopeIdentity {
  /// The bit of a scope; none if no child pod owns the scope.
  var changeBit: UInt64 { ChangeBits.bit(changeNumber.load(ordering: .relaxed)) }

  /// Returns `changeBit`, and assigns a bit if there is none.
  func assignChangeBit() -> UInt64 { ChangeBits.assign(changeNumber) }
}
