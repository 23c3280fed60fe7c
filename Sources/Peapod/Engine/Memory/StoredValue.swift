/// A value without its type, as an object: the class instance that the value is, or else a `ValueBox`.
///
/// A function that returns a stored value also returns one reference to the object, except where it says otherwise. Only the declaration
/// that stored the value knows the type.
@frozen @usableFromInline
struct StoredValue: @unchecked Sendable {
  // Safe: values that several threads may read are Sendable by the constraints of the providers. Values of main-actor providers are read
  // and released on the main actor alone.

  /// The address of the object, which is never zero, so that zero can stand for no value.
  @usableFromInline let word: UInt

  @inlinable
  init(word: UInt) { self.word = word }

  /// Stores a value.
  ///
  /// `isReference`: whether the type of the value is a class.
  @inlinable @inline(__always)
  static func storing<Value>(_ value: consuming Value, isReference: Bool) -> StoredValue {
    guard isReference else { return StoredValue(word: ValueBox.make(value)) }
    // Safe: a strong reference is one word, which owns the reference from now on.
    var word: UInt = 0
    Memory.put(value, into: &word)
    return StoredValue(word: word)
  }

  /// Copies the value.
  ///
  /// Runs no user code, since a copy only retains.
  @inlinable @inline(__always)
  func load<Value>(as type: Value.Type, isReference: Bool) -> Value {
    guard isReference else { return ValueBox<Value>.withContents(at: word) { $0.copy() } }
    // Safe: a reference was stored as its own bits.
    return withUnsafePointer(to: word) { UnsafeRawPointer($0).bindMemory(to: Value.self, capacity: 1).pointee }
  }

  /// Copies the value and releases the object, in one step for a class instance.
  @inlinable @inline(__always)
  consuming func take<Value>(as type: Value.Type = Value.self, isReference: Bool) -> Value {
    var word = word
    if isReference { return Memory.take(&word) }
    defer { release() }
    return load(as: type, isReference: false)
  }

  init(retaining object: AnyObject) { word = UInt(bitPattern: Unmanaged.passRetained(object).toOpaque()) }

  var object: Unmanaged<AnyObject> {
    // Safe: the word is the address of an object.
    Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: word).unsafelyUnwrapped)
  }

  /// Returns this value with one more reference.
  @inline(__always)
  func retained() -> StoredValue {
    _ = object.retain()
    return self
  }

  @usableFromInline
  func release() { object.release() }

  /// Retains many times; returns how often.
  ///
  /// A refill writes to memory that all readers of the pod share. With so many references, refills are rare.
  func retainMany() -> UInt64 {
    let steps: UInt64 = 32
    for _ in 0..<steps { object.retain64() }
    return 64 * steps
  }

  func release(_ count: UInt64) {
    for _ in 0..<count / 64 { object.release64() }
    for _ in 0..<count % 64 / 8 { object.release8() }
    for _ in 0..<count % 8 { release() }
  }
}

/// Many retains or releases in one step: the compiler makes one call of those that are written out.
extension Unmanaged {
  @inline(__always)
  fileprivate func retain8() -> Self { retain().retain().retain().retain().retain().retain().retain().retain() }

  @inline(__always)
  fileprivate func retain64() {
    _ = retain8().retain8().retain8().retain8().retain8().retain8().retain8().retain8()
  }

  @inline(__always)
  fileprivate func release8() {
    _ = (release(), release(), release(), release(), release(), release(), release(), release())
  }

  @inline(__always)
  fileprivate func release64() {
    _ = (release8(), release8(), release8(), release8(), release8(), release8(), release8(), release8())
  }
}

/// An object that contains a value which is no class instance.
@_fixed_layout @usableFromInline
final class ValueBox<Value> {
  // With a fixed layout, callers make boxes of a type that they know, in builds with library evolution too.
  @usableFromInline let contents: Contents

  /// A value that can be borrowed: an ordinary property would be copied.
  @frozen @usableFromInline
  struct Contents: ~Copyable {
    @usableFromInline let value: Value

    @inlinable
    init(_ value: consuming Value) { self.value = value }

    @inlinable @inline(__always)
    borrowing func copy() -> Value { value }

    @inlinable @inline(__always)
    borrowing func look<Result, Failure: Error>(
      _ body: (borrowing Value) throws(Failure) -> Result
    ) throws(Failure) -> Result { try body(value) }
  }

  @inlinable
  init(_ value: consuming Value) { contents = Contents(value) }

  /// Returns the address of a new box, which the caller owns.
  @inlinable
  static func make(_ value: consuming Value) -> UInt {
    UInt(bitPattern: Unmanaged.passRetained(ValueBox(value)).toOpaque())
  }

  /// Calls a body with the contents of a box.
  @inlinable @inline(__always)
  static func withContents<Result>(at word: UInt, _ body: (borrowing Contents) -> Result) -> Result {
    // Safe: the word is the address of a box of this type, which the caller retains.
    Unmanaged<ValueBox>.fromOpaque(UnsafeRawPointer(bitPattern: word).unsafelyUnwrapped)
      ._withUnsafeGuaranteedRef { body($0.contents) }
  }
}
