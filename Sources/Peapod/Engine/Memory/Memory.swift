#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Memory that is freed by hand, for what is plain or taken care of by its owner.
///
/// Not `allocate(capacity:)` on Linux: that asks the C library for an alignment that each of its blocks has anyway, which takes
/// more than twice as many instructions.
@usableFromInline
enum Memory {
  /// Takes a value out of the memory of one or more words, which is a variable of another type.
  @inlinable @inline(__always)
  static func take<Value>(_ words: UnsafeMutableRawPointer) -> Value {
    // Safe: called with the one variable, large and aligned enough, that holds the bits of a value of this type. It is bound to that
    // type, so that an optimised program, where this becomes part of its caller, does not take the two for different memory.
    words.bindMemory(to: Value.self, capacity: 1).move()
  }

  /// Puts a value into the memory of one or more words, which is large and aligned enough.
  @inlinable @inline(__always)
  static func put<Value>(_ value: consuming Value, into words: UnsafeMutableRawPointer) {
    words.initializeMemory(as: Value.self, to: value)
  }

  @inline(__always)
  static func allocate<Value>(_ type: Value.Type) -> UnsafeMutablePointer<Value> {
    // Safe: it is new, of the size and the alignment of the type, and used for nothing else.
    allocate(bytes: MemoryLayout<Value>.size, for: type).assumingMemoryBound(to: Value.self)
  }

  /// Some bytes that begin with a value of a type.
  @inline(__always)
  static func allocate<Value>(bytes: Int, for type: Value.Type) -> UnsafeMutableRawPointer {
    #if canImport(Glibc) || canImport(Musl)
      // The C library aligns for two words, and frees in the same way whatever it aligned for. Swift aligns nothing for more than
      // 16 bytes, so that this is always so where words have 8.
      if MemoryLayout<Value>.alignment <= 2 * MemoryLayout<Int>.size {
        guard let memory = malloc(bytes) else { fatalError(Failure.outOfMemory()) }
        return memory
      }
    #endif
    return .allocate(byteCount: bytes, alignment: MemoryLayout<Value>.alignment)
  }

  /// How much memory a processor takes for itself to write to: often two lines of 64 bytes.
  static let lineBytes = 128

  /// Memory that shares no cache line with any other.
  ///
  /// For what many threads read: whatever is allocated next to it may be an object whose count of references another thread
  /// changes all the time.
  static func allocateLines(bytes: Int) -> UnsafeMutableRawPointer {
    .allocate(byteCount: (bytes + lineBytes - 1) / lineBytes * lineBytes, alignment: lineBytes)
  }

  static func free(_ memory: UnsafeMutableRawPointer) {
    #if canImport(Glibc)
      Glibc.free(memory)
    #elseif canImport(Musl)
      Musl.free(memory)
    #else
      memory.deallocate()
    #endif
  }
}
