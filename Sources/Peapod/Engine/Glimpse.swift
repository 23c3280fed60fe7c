/// What a reader finds: a reference, which is the reader's own from then on, or any other value, which stays until
/// the reader says that it is done.
@frozen @usableFromInline
struct Glimpse {
  /// The reference's own bits, or where the value is; zero for nothing.
  @usableFromInline let address: UInt
  /// How the slot of a reference was left, or one if it is from none; zero for any other value.
  @usableFromInline let left: UInt64
  @usableFromInline let slot: UnsafeRawPointer?

  @inline(__always)
  init(address: UInt, left: UInt64, slot: UnsafePointer<Slot>?) {
    (self.address, self.left, self.slot) = (address, left, UnsafeRawPointer(slot))
  }

  static var nothing: Glimpse { Glimpse(address: 0, left: 0, slot: nil) }

  @inlinable var isNothing: Bool { address == 0 }
  @inlinable var isReference: Bool { left != 0 }

  /// Takes the reference, which is to be done once, and instead of the end of the look.
  @inlinable @inline(__always)
  func reference<Value>() -> Value {
    // A provider of this type keeps strong references, which are one word, and this one was counted by its slot or retained.
    var word = address
    return Memory.take(&word)
  }

  /// Puts a reference back where it is from, if there still is its place; returns whether there was.
  ///
  /// A part of the caller: the call would take 1 ns of 11 (Zen 5). The caller keeps the pod, and with it the slot.
  @inlinable @inline(__always)
  func giveBack() -> Bool {
    guard let slot, isReference else { return false }
    // Safe: `look(at:)` gave the slot, which stays as long as the root layer, and that as long as the pod.
    return slot.assumingMemoryBound(to: Slot.self).pointee.giveBack(left)
  }

  /// Where a value is that is no reference.
  @inlinable @inline(__always)
  func value<Value>(as type: Value.Type) -> UnsafePointer<KeptValue<Value>> {
    // Safe: the address of a value of this type, and one with nothing around it is laid out as itself.
    UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped.assumingMemoryBound(to: KeptValue<Value>.self)
  }

  /// Calls the body with what was found, without a copy.
  @inlinable @inline(__always)
  func look<Value, Result, Failure: Error>(
    _ body: (borrowing Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard isReference else { return try value(as: Value.self).pointee.look(body) }
    return try withUnsafePointer(to: address) { (word) throws(Failure) in
      // Safe: as in `reference()`; it is only looked at.
      try UnsafeRawPointer(word).bindMemory(to: KeptValue<Value>.self, capacity: 1).pointee.look(body)
    }
  }
}

/// A value that is not copied where it is only looked at: what is behind a pointer would be.
@frozen @usableFromInline
struct KeptValue<Value>: ~Copyable {
  @usableFromInline let value: Value

  @inlinable @inline(__always)
  borrowing func copy() -> Value { value }

  @inlinable @inline(__always)
  borrowing func look<Result, Failure: Error>(
    _ body: (borrowing Value) throws(Failure) -> Result
  ) throws(Failure) -> Result { try body(value) }
}
