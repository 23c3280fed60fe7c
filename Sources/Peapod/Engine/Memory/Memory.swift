#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Manually freed memory, for plain bytes, or for values that their owner deinitializes.
///
/// On Linux, `allocate(capacity:)` requests an alignment that each block of the C library has anyway. The request takes more than twice as
/// many instructions.
@usableFromInline
enum Memory {
  /// Moves a value out of the memory of one or more words, which is a variable of another type.
  @inlinable @inline(__always)
  static func take<Value>(_ words: UnsafeMutableRawPointer) -> Value {
    // Safe: the variable is large and aligned enough, and holds the bits of a value of this type. The binding keeps the optimizer, after
    // inlining, from treating the variable and the value as different memory.
    words.bindMemory(to: Value.self, capacity: 1).move()
  }

  /// Puts a value into the memory of one or more words, which is large and aligned enough.
  @inlinable @inline(__always)
  static func put<Value>(_ value: consuming Value, into words: UnsafeMutableRawPointer) {
    words.initializeMemory(as: Value.self, to: value)
  }

  @inline(__always)
  static func allocate<Value>(_ type: Value.Type) -> UnsafeMutablePointer<Value> {
    // Safe: the memory is new, of the size and the alignment of the type, and used for nothing else.
    allocate(bytes: MemoryLayout<Value>.size, for: type).assumingMemoryBound(to: Value.self)
  }

  /// Allocates bytes that begin with a value of a type.
  @inline(__always)
  static func allocate<Value>(bytes: Int, for type: Value.Type) -> UnsafeMutableRawPointer {
    #if canImport(Glibc) || canImport(Musl)
      // The C library aligns each block for two words, and frees blocks of any alignment in the same way. With words of 8 bytes, two words
      // are 16 bytes, the largest alignment in Swift.
      if MemoryLayout<Value>.alignment <= 2 * MemoryLayout<Int>.size {
        guard let memory = malloc(bytes) else { fatalError(Failure.outOfMemory()) }
        return memory
      }
    #endif
    return .allocate(byteCount: bytes, alignment: MemoryLayout<Value>.alignment)
  }

  /// The number of bytes that a processor reserves for its writes, often two cache lines of 64 bytes.
  static let lineBytes = 128

  /// Allocates memory that shares no cache line with other memory.
  ///
  /// For data that many threads read: its neighbor in memory may be an object whose reference count another thread often changes.
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
