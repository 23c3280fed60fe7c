/// A value that the engine keeps without knowing its type: the reference itself, or the address of memory of its own or, of
/// a given value, of the override that lends it.
///
/// The word is never zero, so that zero can mean that nothing is kept. Only the declaration that made it can read it.
struct StoredValue: @unchecked Sendable {
  // Safe: values that several threads may read are Sendable by the constraints of the providers; values of main-actor
  // providers are read and released by main-actor code alone.
  let word: UInt

  /// Copies the value out.
  ///
  /// Runs no code of the user's: copying retains.
  @inline(__always)
  func load<Value>(as type: Value.Type, isReference: Bool) -> Value {
    if isReference {
      // Safe: a reference was stored as its own bits.
      withUnsafePointer(to: word) { UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee }
    } else {
      // Safe: the word is the address of an initialised value of this type.
      UnsafeRawPointer(bitPattern: word).unsafelyUnwrapped.assumingMemoryBound(to: Value.self).pointee
    }
  }

  /// Takes over a value.
  @inline(__always)
  static func storing<Value>(_ value: consuming Value, isReference: Bool) -> StoredValue {
    if isReference {
      // Safe: a strong reference is one word, and this takes over its count.
      var word: UInt = 0
      Memory.put(value, into: &word)
      return StoredValue(word: word)
    }
    // Freed by `destroyBox(as:)`.
    let memory = Memory.allocate(Value.self)
    memory.initialize(to: value)
    return StoredValue(word: UInt(bitPattern: memory))
  }

  /// Ends the life of a value that is no reference.
  func destroyBox<Value>(as type: Value.Type) {
    // Safe: `storing(_:isReference:)` made it of a value of this type, and whoever ends it is its only owner.
    let memory = UnsafeMutableRawPointer(bitPattern: word).unsafelyUnwrapped.assumingMemoryBound(to: Value.self)
    memory.deinitialize(count: 1)
    Memory.free(memory)
  }
}
