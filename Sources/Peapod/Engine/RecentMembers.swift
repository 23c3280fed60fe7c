/// The bits of arguments that are equal wherever their bits are: whole numbers and text.
@frozen @usableFromInline
struct RawArguments: Equatable {
  @usableFromInline var words: (UInt, UInt, UInt, UInt) = (0, 0, 0, 0)
  @usableFromInline var count = 0

  @inlinable @inline(__always)
  init() {}

  @usableFromInline @inline(__always)
  static func == (one: RawArguments, other: RawArguments) -> Bool { one.words == other.words }

  /// Whether the bits of such arguments say all of them, and find room here.
  static func hold<each Argument>(_ types: repeat (each Argument).Type) -> Bool {
    var size = 0
    for type in repeat each types {
      guard type is any BitwiseEquatable.Type else { return false }
      size += RawArguments.words(of: type)
    }
    return size > 0 && size <= 4
  }

  @inlinable @inline(__always)
  static func words<Value>(of type: Value.Type) -> Int {
    (MemoryLayout<Value>.size + MemoryLayout<UInt>.size - 1) / MemoryLayout<UInt>.size
  }

  @inlinable @inline(__always)
  mutating func append<Value>(_ value: Value) {
    let offset = count * MemoryLayout<UInt>.size
    count += RawArguments.words(of: Value.self)
    withUnsafeMutableBytes(of: &words) { words in
      // Safe: `hold` made sure that the bytes of all values find room; they are looked at, and never taken for values again.
      withUnsafePointer(to: value) {
        (words.baseAddress.unsafelyUnwrapped + offset).copyMemory(from: $0, byteCount: MemoryLayout<Value>.size)
      }
    }
  }

  /// A number below a power of two that differs for most.
  @inline(__always)
  func place(below limit: UInt64) -> Int {
    // The upper half of a product depends on all bits of its factors; the numbers are odd and have no pattern. Words may have 32
    // bits.
    let first = UInt64(words.0) ^ UInt64(words.1) &* 0x9E37_79B9_7F4A_7C15
    let second = UInt64(words.2) ^ UInt64(words.3) &* 0xD6E8_FEB8_6659_FD93
    let product = (first ^ second &* 0x94D0_49BB_1331_11EB).multipliedFullWidth(by: 0xBF58_476D_1CE4_E5B9)
    return Int(truncatingIfNeeded: (product.high ^ product.low) & (limit - 1))
  }
}

/// A type whose values are equal where their bits are, and which have no other bits than those.
///
/// That two values are equal although their bits differ, as texts may be, is no matter.
private protocol BitwiseEquatable {}

extension Bool: BitwiseEquatable {}
extension Int: BitwiseEquatable {}
extension Int8: BitwiseEquatable {}
extension Int16: BitwiseEquatable {}
extension Int32: BitwiseEquatable {}
extension Int64: BitwiseEquatable {}
extension UInt: BitwiseEquatable {}
extension UInt8: BitwiseEquatable {}
extension UInt16: BitwiseEquatable {}
extension UInt32: BitwiseEquatable {}
extension UInt64: BitwiseEquatable {}
extension Character: BitwiseEquatable {}
extension String: BitwiseEquatable {}

/// The members of a family that were named last, by the bits of their own arguments.
///
/// A text of some length is an address and a count. A member that lives keeps what is at the address, so that the same bits are
/// the same text.
@usableFromInline
final class RecentMembers: @unchecked Sendable {
  private struct Place {
    var arguments = RawArguments()
    /// Whether no member was noted, or the one that was has gone, as far as is known.
    var isFree = true
    weak var member: Declaration?
  }

  // Safe: read and written under `lock` alone. A member taken under it is released outside: the release may be the last one, and so
  // none is taken to see whether it lives, but the one that is asked for.
  @exclusivity(unchecked) private var places: UnsafeMutablePointer<Place>?
  @exclusivity(unchecked) private var misses = 0
  private static let count = 64
  /// How many are looked for in vain until one takes the place of another.
  private static let patience = 16
  private let lock = EngineLock()

  init() {}

  deinit {
    places?.deinitialize(count: RecentMembers.count)
    places?.deallocate()
  }

  /// The member with these very bits for its arguments, retained, or zero where none lives that was named lately.
  ///
  /// Allocates nothing.
  ///
  /// `isToBeNoted`: whether it is to be noted once it is found otherwise. Where more members are in use than there are places,
  /// most are not: they would only take each other's.
  @usableFromInline @inline(never)
  func member(_ arguments: RawArguments, _ isToBeNoted: inout Bool) -> UInt {
    lock.withLock {
      if let place = places?.advanced(by: arguments.place(below: UInt64(RecentMembers.count))) {
        if place.pointee.arguments == arguments {
          if let member = place.pointee.member { return UInt(bitPattern: Unmanaged.passRetained(member).toOpaque()) }
          // That one has gone.
          place.pointee.isFree = true
        }
        misses &+= 1
        isToBeNoted = place.pointee.isFree || misses % RecentMembers.patience == 0
      } else {
        isToBeNoted = true
      }
      return 0
    }
  }

  /// Lets a member be found by its arguments.
  ///
  /// They must be the member's own and not others that are equal: nobody else keeps what they lead to.
  func note(_ member: Declaration, _ arguments: RawArguments) {
    lock.withLock {
      if places == nil {
        let made = UnsafeMutablePointer<Place>.allocate(capacity: RecentMembers.count)
        for place in 0..<RecentMembers.count { (made + place).initialize(to: Place()) }
        places = made
      }
      let place = places.unsafelyUnwrapped + arguments.place(below: UInt64(RecentMembers.count))
      place.pointee.member = member
      place.pointee.arguments = arguments
      place.pointee.isFree = false
    }
  }
}
