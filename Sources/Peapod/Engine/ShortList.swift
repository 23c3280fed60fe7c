/// A list of plain values that mostly has no more than one element, and needs no memory of its own for that.
///
/// Whoever ends with it calls `free()`.
struct ShortList<Element: BitwiseCopyable> {
  private enum Content {
    case none
    case one(Element)
    /// A header, and behind it the elements.
    case many(UnsafeMutableRawPointer)
  }

  /// What lies before the elements.
  private struct Header {
    var count: Int
    var capacity: Int
  }

  private var content = Content.none

  init() {}
}

extension ShortList: RandomAccessCollection, MutableCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { count }

  var count: Int {
    switch content {
    case .none: 0
    case .one: 1
    case .many(let memory): ShortList.header(memory).pointee.count
    }
  }

  var isEmpty: Bool {
    if case .none = content { true } else { count == 0 }
  }

  subscript(position: Int) -> Element {
    get {
      switch content {
      case .none: preconditionFailure("an empty list has no elements")
      case .one(let element): element
      case .many(let memory): ShortList.elements(memory)[position]
      }
    }
    set {
      if case .many(let memory) = content {
        ShortList.elements(memory)[position] = newValue
      } else {
        content = .one(newValue)
      }
    }
  }
}

extension ShortList {
  @inline(__always)
  mutating func append(_ element: Element) {
    if case .none = content { content = .one(element) } else { appendFurther(element) }
  }

  @inline(never)
  private mutating func appendFurther(_ element: Element) {
    let memory: UnsafeMutableRawPointer
    switch content {
    case .none: memory = ShortList.allocate(4)
    case .one(let first):
      memory = ShortList.allocate(4)
      ShortList.elements(memory).initialize(to: first)
      ShortList.header(memory).pointee.count = 1
    case .many(let known):
      let header = ShortList.header(known).pointee
      if header.count < header.capacity {
        memory = known
      } else {
        memory = ShortList.allocate(header.capacity * 2)
        ShortList.elements(memory).initialize(from: ShortList.elements(known), count: header.count)
        ShortList.header(memory).pointee.count = header.count
        Memory.free(known)
      }
    }
    let count = ShortList.header(memory).pointee.count
    (ShortList.elements(memory) + count).initialize(to: element)
    ShortList.header(memory).pointee.count = count + 1
    content = .many(memory)
  }

  mutating func removeLast() -> Element {
    switch content {
    case .none: preconditionFailure("an empty list has no elements")
    case .one(let element):
      content = .none
      return element
    case .many(let memory):
      ShortList.header(memory).pointee.count -= 1
      return ShortList.elements(memory)[ShortList.header(memory).pointee.count]
    }
  }

  /// Takes an element out, and puts the last one in its place.
  mutating func swapOut(at position: Int) {
    let last = removeLast()
    if position < count { self[position] = last }
  }

  /// Empties the list and frees its memory.
  mutating func free() {
    if case .many(let memory) = content { Memory.free(memory) }
    content = .none
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
