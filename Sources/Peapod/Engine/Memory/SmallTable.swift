/// An element of a table, with its key: the index of a declaration.
protocol Indexed {
  var index: UInt32 { get }
}

/// A table of few elements: a searched array, and for more than eight elements also a dictionary.
struct SmallTable<Element: Indexed> {
  private(set) var elements: [Element] = []
  private var positions: [UInt32: Int]?
  private static var searchedCount: Int { 8 }

  var isEmpty: Bool { elements.isEmpty }

  @inline(__always)
  private func position(of key: UInt32) -> Int? {
    if let positions { return positions[key] }
    return elements.firstIndex { $0.index == key }
  }

  /// The element of a key; `nil` removes the element.
  subscript(key: UInt32) -> Element? {
    get { position(of: key).map { elements[$0] } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let element?): elements[position] = element
      case (nil, let element?): append(element)
      case (let position?, nil): remove(at: position)
      case (nil, nil): break
      }
    }
  }

  private mutating func append(_ element: Element) {
    if elements.isEmpty { elements.reserveCapacity(4) }
    elements.append(element)
    if positions != nil {
      positions?[element.index] = elements.count - 1
    } else if elements.count > Self.searchedCount {
      positions = Dictionary(uniqueKeysWithValues: zip(elements.map(\.index), elements.indices))
    }
  }

  /// Puts the last element in the place of the removed one.
  private mutating func remove(at position: Int) {
    positions?[elements[position].index] = nil
    let last = elements.removeLast()
    guard position < elements.count else { return }
    elements[position] = last
    positions?[last.index] = position
  }
}
