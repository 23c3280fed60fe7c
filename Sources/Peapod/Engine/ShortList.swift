/// A list of plain values that mostly has no more than one element, and needs no memory of its own for that.
///
/// Whoever ends with it calls `free()`.
struct ShortList<Element: BitwiseCopyable> {
  /// What lies before the elements after the first.
  private struct Header {
    var count: Int
    var capacity: Int
  }

  private var head: Element?
  private var tail: UnsafeMutableRawPointer?
}

extension ShortList: RandomAccessCollection, MutableCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { count }
  var count: Int { head == nil ? 0 : 1 + tailCount }
  var isEmpty: Bool { head == nil }

  subscript(position: Int) -> Element {
    get { position == 0 ? head.unsafelyUnwrapped : elements[position - 1] }
    set { if position == 0 { head = newValue } else { elements[position - 1] = newValue } }
  }
}

extension ShortList {
  @inline(__always)
  mutating func append(_ element: Element) {
    if head == nil { head = element } else { appendFurther(element) }
  }

  @inline(never)
  private mutating func appendFurther(_ element: Element) {
    let count = tailCount
    if count == capacity { grow(to: Swift.max(4, count * 2)) }
    (elements + count).initialize(to: element)
    header.pointee.count = count + 1
  }

  mutating func removeLast() -> Element {
    let count = tailCount
    guard count > 0 else {
      defer { head = nil }
      return head.unsafelyUnwrapped
    }
    header.pointee.count = count - 1
    return elements[count - 1]
  }

  /// Takes an element out, and puts the last one in its place.
  mutating func swapOut(at position: Int) {
    let last = removeLast()
    if position < count { self[position] = last }
  }

  /// Empties the list and frees its memory.
  mutating func free() {
    if let tail { Memory.free(tail) }
    tail = nil
    head = nil
  }
}

// MARK: - Memory

extension ShortList {
  // Safe: `tail` is memory of this list alone, made by `grow`: a header, and room for `capacity` elements behind it, of
  // which `count` are initialised. Elements are plain bits, so nothing has to be deinitialised.

  private var header: UnsafeMutablePointer<Header> { tail.unsafelyUnwrapped.assumingMemoryBound(to: Header.self) }

  private var elements: UnsafeMutablePointer<Element> {
    (tail.unsafelyUnwrapped + MemoryLayout<Header>.stride).assumingMemoryBound(to: Element.self)
  }

  private var tailCount: Int { tail == nil ? 0 : header.pointee.count }
  private var capacity: Int { tail == nil ? 0 : header.pointee.capacity }

  private mutating func grow(to capacity: Int) {
    let new = Memory.allocate(
      bytes: MemoryLayout<Header>.stride + capacity * MemoryLayout<Element>.stride, for: Header.self)
    let count = tailCount
    if let tail {
      new.copyMemory(
        from: tail, byteCount: MemoryLayout<Header>.stride + count * MemoryLayout<Element>.stride)
      Memory.free(tail)
    }
    new.initializeMemory(as: Header.self, to: Header(count: count, capacity: capacity))
    tail = new
  }
}
