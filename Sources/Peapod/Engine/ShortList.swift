/// What a short list can have as elements: an address, which is even and not zero, and a number beside it.
protocol ShortListElement: BitwiseCopyable {
  var word: UInt { get }
  var number: UInt32 { get }
  init(word: UInt, number: UInt32)
}

/// A list of plain values that mostly has no more than one element, and needs no memory of its own for that.
///
/// It takes twelve bytes, so that four more fit beside it. Whoever ends with it calls `free()`.
struct ShortList<Element: ShortListElement> {
  /// What lies before the elements.
  private struct Header {
    var count: Int
    var capacity: Int
  }

  /// Zero for no elements; the only element's word; or, made odd, the address of a header and of the elements behind it.
  private var word: UInt = 0
  private var number: UInt32 = 0

  init() {}

  /// The header and the elements, where there may be many.
  @inline(__always)
  private var memory: UnsafeMutableRawPointer? {
    // Safe: only the address of what `allocate` made is kept as an odd word.
    word & 1 == 0 ? nil : UnsafeMutableRawPointer(bitPattern: word & ~1)
  }

  @inline(__always)
  private mutating func set(_ element: Element) {
    assert(element.word != 0 && element.word & 1 == 0)
    (word, number) = (element.word, element.number)
  }

  @inline(__always)
  private var only: Element { Element(word: word, number: number) }
}

extension ShortList: RandomAccessCollection, MutableCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { count }

  var count: Int {
    if let memory { return ShortList.header(memory).pointee.count }
    return word == 0 ? 0 : 1
  }

  var isEmpty: Bool { word == 0 || count == 0 }

  subscript(position: Int) -> Element {
    @inline(__always) get {
      if let memory { return ShortList.elements(memory)[position] }
      precondition(word != 0, "an empty list has no elements")
      return only
    }
    set {
      if let memory { ShortList.elements(memory)[position] = newValue } else { set(newValue) }
    }
  }
}

extension ShortList {
  // With this it is sorted where it lies.
  mutating func withContiguousMutableStorageIfAvailable<Result>(
    _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> Result
  ) rethrows -> Result? {
    guard let memory else { return nil }
    var elements = UnsafeMutableBufferPointer(
      start: ShortList.elements(memory), count: ShortList.header(memory).pointee.count)
    return try body(&elements)
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if word == 0 { set(element) } else { appendFurther(element) }
  }

  /// Appends to what is not, or was not always, empty.
  @inline(never)
  private mutating func appendFurther(_ element: Element) {
    var memory: UnsafeMutableRawPointer
    if let known = self.memory {
      let header = ShortList.header(known).pointee
      memory = known
      if header.count == header.capacity {
        memory = ShortList.allocate(header.capacity * 2)
        ShortList.elements(memory).initialize(from: ShortList.elements(known), count: header.count)
        ShortList.header(memory).pointee.count = header.count
        Memory.free(known)
      }
    } else {
      memory = ShortList.allocate(4)
      ShortList.elements(memory).initialize(to: only)
      ShortList.header(memory).pointee.count = 1
    }
    let count = ShortList.header(memory).pointee.count
    (ShortList.elements(memory) + count).initialize(to: element)
    ShortList.header(memory).pointee.count = count + 1
    word = UInt(bitPattern: memory) | 1
  }

  mutating func removeLast() -> Element {
    precondition(!isEmpty, "an empty list has no elements")
    guard let memory else {
      defer { word = 0 }
      return only
    }
    ShortList.header(memory).pointee.count -= 1
    return ShortList.elements(memory)[ShortList.header(memory).pointee.count]
  }

  /// Takes an element out, and puts the last one in its place.
  mutating func swapOut(at position: Int) {
    let last = removeLast()
    if position < count { self[position] = last }
  }

  /// Empties the list and frees its memory.
  mutating func free() {
    if let memory { Memory.free(memory) }
    word = 0
  }
}

// MARK: - Memory

extension ShortList {
  // Safe: the memory is of this list alone, made by `allocate`: a header, and room for `capacity` elements behind it, of which
  // `count` are initialised. Elements are plain bits, so nothing has to be deinitialised.

  private static func header(_ memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Header> {
    memory.assumingMemoryBound(to: Header.self)
  }

  private static func elements(_ memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Element> {
    (memory + MemoryLayout<Header>.stride).assumingMemoryBound(to: Element.self)
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutableRawPointer {
    let memory = Memory.allocate(
      bytes: MemoryLayout<Header>.stride + capacity * MemoryLayout<Element>.stride, for: Header.self)
    memory.initializeMemory(as: Header.self, to: Header(count: 0, capacity: capacity))
    return memory
  }
}
