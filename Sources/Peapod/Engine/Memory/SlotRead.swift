/// The result of reading a slot: a reference that the reader owns, or the address of another value that stays until the read ends.
@frozen @usableFromInline
struct SlotRead {
  /// The reference's own bits, or the address of the value; zero for nothing.
  @usableFromInline let address: UInt
  /// The word that the reader of a reference left in the slot, or another number than zero if there is no slot; zero for any other value.
  @usableFromInline let left: UInt64
  /// `nil` for a reference that a child itself caches.
  @usableFromInline let slot: UnsafeRawPointer?

  @inline(__always)
  init(address: UInt, left: UInt64, slot: UnsafePointer<Slot>?) {
    (self.address, self.left, self.slot) = (address, left, UnsafeRawPointer(slot))
  }

  static var nothing: SlotRead { SlotRead(address: 0, left: 0, slot: nil) }

  @inlinable var isNothing: Bool { address == 0 }
  @inlinable var isReference: Bool { left != 0 }

  /// Takes the reference, at most once and instead of ending the read.
  @inlinable @inline(__always)
  func reference<Value>() -> Value {
    // Safe: the value is a strong reference, which is one word, and the slot had retained this reference.
    var word = address
    return Memory.take(&word)
  }

  /// Puts a reference back into the stock of its slot, if the slot has not changed; otherwise returns `false`.
  ///
  /// Inlined: a call would take 1 ns of 11 (Zen 5). The caller retains the pod, and so the slot.
  @inlinable @inline(__always)
  func giveBack() -> Bool {
    guard let slot, isReference else { return false }
    // Safe: the slot stays as long as the root pod's state, which the pod retains.
    return slot.assumingMemoryBound(to: Slot.self).pointee.giveBack(left)
  }

  /// The address of a value that is no reference.
  @inlinable @inline(__always)
  func value<Value>(as type: Value.Type) -> UnsafePointer<CachedValue<Value>> {
    // Safe: the address is that of a value of this type, and `CachedValue` has the layout of its value.
    UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped.assumingMemoryBound(to: CachedValue<Value>.self)
  }

  /// Calls the body with the value, without a copy.
  @inlinable @inline(__always)
  func look<Value, Result, Failure: Error>(
    _ body: (borrowing Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard isReference else { return try value(as: Value.self).pointee.look(body) }
    return try withUnsafePointer(to: address) { (word) throws(Failure) in
      // Safe: as in `reference()`; the reference is only borrowed.
      try UnsafeRawPointer(word).bindMemory(to: CachedValue<Value>.self, capacity: 1).pointee.look(body)
    }
  }
}

/// A value behind a pointer that can be borrowed: an ordinary pointee would be copied.
@frozen @usableFromInline
struct CachedValue<Value>: ~Copyable {
  @usableFromInline let value: Value

  @inlinable @inline(__always)
  borrowing func copy() -> Value { value }

  @inlinable @inline(__always)
  borrowing func look<Result, Failure: Error>(
    _ body: (borrowing Value) throws(Failure) -> Result
  ) throws(Failure) -> Result { try body(value) }
}
