/// A table of few elements, by the index of a declaration: an array that is searched, with a dictionary beside it once it is longer.
struct SmallTable<Element> {
  private var keys: [UInt32] = []
  private(set) var elements: [Element] = []
  private var positions: [UInt32: Int]?
  private static var searchedCount: Int { 8 }

  var isEmpty: Bool { keys.isEmpty }

  @inline(__always)
  private func position(of key: UInt32) -> Int? {
    if let positions { return positions[key] }
    return keys.firstIndex(of: key)
  }

  /// The element of a key; `nil` removes it.
  subscript(key: UInt32) -> Element? {
    get { position(of: key).map { elements[$0] } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let element?): elements[position] = element
      case (nil, let element?): append(element, key)
      case (let position?, nil): remove(at: position)
      case (nil, nil): break
      }
    }
  }

  private mutating func append(_ element: Element, _ key: UInt32) {
    keys.append(key)
    elements.append(element)
    if positions != nil {
      positions?[key] = keys.count - 1
    } else if keys.count > Self.searchedCount {
      positions = Dictionary(uniqueKeysWithValues: zip(keys, keys.indices))
    }
  }

  /// Puts the last element in the place of the removed one.
  private mutating func remove(at position: Int) {
    positions?[keys[position]] = nil
    let (key, element) = (keys.removeLast(), elements.removeLast())
    guard position < keys.count else { return }
    keys[position] = key
    elements[position] = element
    positions?[key] = position
  }

  /// Removes all elements and returns them.
  mutating func removeAll() -> [Element] {
    defer { self = SmallTable() }
    return elements
  }
}
