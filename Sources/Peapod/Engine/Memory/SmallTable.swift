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
  func contains(_ element: Element) -> Bool { position(of: element.key) != nil }

  subscript(key: Element.Key) -> Element? { position(of: key).map { elements[$0] } }

  /// Adds an element in the place of the element with the same key, which it returns.
  @discardableResult
  mutating func update(with element: Element) -> Element? {
    if let position = position(of: element.key) {
      defer { elements[position] = element }
      return elements[position]
    }
    if elements.isEmpty { elements.reserveCapacity(4) }
    elements.append(element)
    if positions != nil {
      positions?[element.key] = elements.count - 1
    } else if elements.count > Self.searchedCount {
      positions = Dictionary(uniqueKeysWithValues: zip(elements.map(\.key), elements.indices))
    }
    return nil
  }

  /// Removes an element, and puts the last element in its place.
  mutating func remove(_ key: Element.Key) {
    guard let position = position(of: key) else { return }
    positions?[key] = nil
    let last = elements.removeLast()
    guard position < elements.count else { return }
    elements[position] = last
    positions?[last.key] = position
  }
}

extension SmallTable: Sendable where Element: Sendable, Element.Key: Sendable {}
