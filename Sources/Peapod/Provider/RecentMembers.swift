/// The bits of arguments, such as integers and strings, that are equal if their bits are equal.
@frozen @usableFromInline
struct RawArguments: Equatable {
  @usableFromInline var words: (UInt, UInt, UInt, UInt) = (0, 0, 0, 0)
  @usableFromInline var count = 0

  @inlinable @inline(__always)
  init() {}

  @usableFromInline @inline(__always)
  static func == (one: RawArguments, other: RawArguments) -> Bool { one.words == other.words }

  /// Whether arguments of these types are equal if their bits are equal, and whether the bits fit into `words`.
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
      // Safe: `hold` made sure that the bytes of all values fit; they are compared, and never used as values again.
      withUnsafePointer(to: value) {
        (words.baseAddress.unsafelyUnwrapped + offset).copyMemory(from: $0, byteCount: MemoryLayout<Value>.size)
      }
    }
  }

  /// A well-distributed number below `limit`, which is a power of two.
  @inline(__always)
  func place(below limit: UInt64) -> Int {
    // The upper half of a product depends on all bits of its factors. The constants are odd, without a pattern. Words may have 32 bits.
    let first = UInt64(words.0) ^ UInt64(words.1) &* 0x9E37_79B9_7F4A_7C15
    let second = UInt64(words.2) ^ UInt64(words.3) &* 0xD6E8_FEB8_6659_FD93
    let product = (first ^ second &* 0x94D0_49BB_1331_11EB).multipliedFullWidth(by: 0xBF58_476D_1CE4_E5B9)
    return Int(truncatingIfNeeded: (product.high ^ product.low) & (limit - 1))
  }
}

/// A type without padding whose values are equal if their bits are equal.
///
/// Equal values may have different bits, for example strings.
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

/// The members of a family that were requested last, by the bits of their own arguments.
///
/// A longer string is an address and a count. A live member retains the memory at the address, so equal bits mean equal strings.
@usableFromInline
final class RecentMembers: @unchecked Sendable {
  private struct Place {
    var arguments = RawArguments()
    /// Whether no member was stored here, or the stored member is known to be deallocated.
    var isFree = true
    weak var member: Declaration?
  }

  // Safe: read and written under `lock` alone. The last release of a member must not happen under the lock. So only the requested member is
  // read, and returned retained.
  @exclusivity(unchecked) private var places: UnsafeMutablePointer<Place>?
  @exclusivity(unchecked) private var misses = 0
  private static let count = 64
  /// The number of misses until one member takes the place of another.
  private static let patience = 16
  private let lock = Lock()

  init() {}

  deinit {
    places?.deinitialize(count: RecentMembers.count)
    places?.deallocate()
  }

  /// Returns the address of the member whose arguments have these bits, retained, or zero.
  ///
  /// Allocates nothing.
  ///
  /// `isToBeNoted`: set if the caller, after another search, shall call `note` with the member. If more members are in use than there are
  /// places, most members are not noted, since they would only replace each other.
  @usableFromInline @inline(never)
  func member(_ arguments: RawArguments, _ isToBeNoted: inout Bool) -> UInt {
    lock.withLock {
      if let place = places?.advanced(by: arguments.place(below: UInt64(RecentMembers.count))) {
        if place.pointee.arguments == arguments {
          if let member = place.pointee.member { return UInt(bitPattern: Unmanaged.passRetained(member).toOpaque()) }
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

  /// Stores a member under the bits of its own arguments.
  ///
  /// A caller's equal arguments do not suffice, since the member retains only the memory of its own arguments.
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
