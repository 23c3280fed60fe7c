/// An element of a table, with its key.
protocol Keyed {
  associatedtype Key: Hashable
  var key: Key { get }
}

/// A table of few elements: a searched array, and for more than eight elements also a dictionary.
struct SmallTable<Element: Keyed> {
  private(set) var elements: [Element] = []
  private var positions: [Element.Key: Int]?
  private static var searchedCount: Int { 8 }

  var isEmpty: Bool { elements.isEmpty }

  @inline(__always)
  private func position(of key: Element.Key) -> Int? {
    if let positions { return positions[key] }
    return elements.firstIndex { $0.key == key }
  }

  @inline(__always)
  func contains(_ key: Element.Key) -> Bool { position(of: key) != nil }

  @inline(__always)
  func contains(_ element: Element) -> Bool { contains(element.key) }

  subscript(key: Element.Key) -> Element? { position(of: key).map { elements[$0] } }

  /// Adds an element in the place of the element with the same key, which it returns.
  @discardableResult
  mutating func replace(with element: Element) -> Element? {
    guard let position = position(of: element.key) else {
      append(element)
      return nil
    }
    defer { elements[position] = element }
    return elements[position]
  }

  mutating func remove(_ key: Element.Key) {
    if let position = position(of: key) { remove(at: position) }
  }

  /// Adds an element, unless there is one with the same key; returns whether the element is new.
  mutating func insert(_ element: Element) -> Bool {
    guard !contains(element) else { return false }
    append(element)
    return true
  }

  private mutating func append(_ element: Element) {
    if elements.isEmpty { elements.reserveCapacity(4) }
    elements.append(element)
    if positions != nil {
      positions?[element.key] = elements.count - 1
    } else if elements.count > Self.searchedCount {
      positions = Dictionary(uniqueKeysWithValues: zip(elements.map(\.key), elements.indices))
    }
  }

  /// Puts the last element in the place of the removed one.
  private mutating func remove(at position: Int) {
    positions?[elements[position].key] = nil
    let last = elements.removeLast()
    guard position < elements.count else { return }
    elements[position] = last
    positions?[last.key] = position
  }
}

extension SmallTable: Sendable where Element: Sendable, Element.Key: Sendable {}
