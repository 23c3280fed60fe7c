#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Memory that is freed by hand, for what is plain or taken care of by its owner.
///
/// Not `allocate(capacity:)` on Linux: that asks the C library for an alignment that each of its blocks has anyway, which takes
/// more than twice as many instructions.
enum Memory {
  static func allocate<Value>(_ type: Value.Type) -> UnsafeMutablePointer<Value> {
    // Safe: it is new, of the size and the alignment of the type, and used for nothing else.
    allocate(bytes: MemoryLayout<Value>.size, for: type).assumingMemoryBound(to: Value.self)
  }

  /// Some bytes that begin with a value of a type.
  static func allocate<Value>(bytes: Int, for type: Value.Type) -> UnsafeMutableRawPointer {
    // The C library aligns for two words.
    assert(MemoryLayout<Value>.alignment <= 2 * MemoryLayout<Int>.size)
    #if canImport(Glibc) || canImport(Musl)
      guard let memory = malloc(bytes) else { fatalError(Failure.outOfMemory()) }
      return memory
    #else
      return .allocate(byteCount: bytes, alignment: MemoryLayout<Value>.alignment)
    #endif
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
