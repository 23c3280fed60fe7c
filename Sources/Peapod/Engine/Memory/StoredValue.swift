/// A value without its type: a reference itself, or the address of a box that belongs to an instance or to a constant override.
///
/// The word is never zero, so that zero can stand for no value. Only the declaration that stored the value can read it.
struct StoredValue: @unchecked Sendable {
  // Safe: values that several threads may read are Sendable by the constraints of the providers. Values of main-actor providers are read
  // and released on the main actor alone.
  let word: UInt

  /// Copies the value out.
  ///
  /// Runs no user code, since a copy only retains.
  @inline(__always)
  func load<Value>(as type: Value.Type, isReference: Bool) -> Value {
    if isReference {
      // Safe: a reference was stored as its own bits.
      withUnsafePointer(to: word) { UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee }
    } else {
      // Safe: the word is the address of an initialized value of this type.
      UnsafeRawPointer(bitPattern: word).unsafelyUnwrapped.assumingMemoryBound(to: Value.self).pointee
    }
  }

  /// Stores a value, and takes ownership of the value.
  @inline(__always)
  static func storing<Value>(_ value: consuming Value, isReference: Bool) -> StoredValue {
    if isReference {
      // Safe: a strong reference is one word, and the word now owns the reference.
      var word: UInt = 0
      Memory.put(value, into: &word)
      return StoredValue(word: word)
    }
    // Freed by `destroyBox(as:)`.
    let memory = Memory.allocate(Value.self)
    memory.initialize(to: value)
    return StoredValue(word: UInt(bitPattern: memory))
  }

  /// Destroys a value that is no reference, and frees its box.
  func destroyBox<Value>(as type: Value.Type) {
    // Safe: the box was made for a value of this type, and the caller is its only owner.
    let memory = UnsafeMutableRawPointer(bitPattern: word).unsafelyUnwrapped.assumingMemoryBound(to: Value.self)
    memory.deinitialize(count: 1)
    Memory.free(memory)
  }
}

extension StoredValue {
  private var reference: Unmanaged<AnyObject> {
    // Safe: only called for values that are stored as their own bits.
    Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: word).unsafelyUnwrapped)
  }

  func retainReference() { _ = reference.retain() }

  func releaseReference() { reference.release() }

  /// Copies a reference, without its type.
  ///
  /// `memory`: the memory of one reference.
  func copyReference(to memory: UnsafeMutableRawPointer) {
    retainReference()
    memory.storeBytes(of: word, as: UInt.self)
  }

  /// Retains sixteen times.
  ///
  /// Written out, because the compiler then makes one call of all retains.
  func retainReference16() {
    let reference = reference
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
    _ = reference.retain()
  }
}
