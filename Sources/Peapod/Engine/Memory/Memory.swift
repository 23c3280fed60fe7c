/// Raw memory: values in variables of another type, and cache lines.
@usableFromInline
enum Memory {
  /// Moves a value out of the memory of one word, which is a variable of another type.
  @inlinable @inline(__always)
  static func take<Value>(_ word: UnsafeMutableRawPointer) -> Value {
    // Safe: the variable is large and aligned enough, and holds the bits of a value of this type. The binding keeps the optimizer, after
    // inlining, from treating the variable and the value as different memory.
    word.bindMemory(to: Value.self, capacity: 1).move()
  }

  /// Puts a value into the memory of one word, which is large and aligned enough.
  @inlinable @inline(__always)
  static func put<Value>(_ value: consuming Value, into word: UnsafeMutableRawPointer) {
    word.initializeMemory(as: Value.self, to: value)
  }

  /// The number of bytes that a processor reserves for its writes, often two cache lines of 64 bytes.
  static let lineBytes = 128

  /// Allocates memory that shares no cache line with other memory.
  ///
  /// For data that many threads read: its neighbor in memory may be an object whose reference count another thread often changes.
  static func allocateLines(bytes: Int) -> UnsafeMutableRawPointer {
    .allocate(byteCount: (bytes + lineBytes - 1) / lineBytes * lineBytes, alignment: lineBytes)
  }
}
