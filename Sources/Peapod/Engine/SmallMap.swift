/// A dictionary that is mostly small: the first elements need no memory of their own, and up to some it looks at each, and neither
/// hashes nor resizes.
///
/// Not to be copied: two copies would share what is beyond the first elements. That lies apart so that a look counts no references.
struct SmallMap<Key: Hashable & BitwiseCopyable, Value: BitwiseCopyable> {
  private struct Element: BitwiseCopyable {
    let key: Key
    var value: Value
  }

  /// All that are not among the first three.
  private final class Others {
    // Not checked for exclusive access, which takes longer than to find an element: each access is a call of the map, whose own
    // accesses are checked.

    /// Some.
    @exclusivity(unchecked) var few: [Element] = []
    /// All, once there are many.
    @exclusivity(unchecked) var many: [Key: Value] = [:]
  }

  private var first: Element?
  private var second: Element?
  private var third: Element?
  private var others: Others?
  private(set) var count = 0
  private static var limit: Int { 12 }
}

extension SmallMap {
  var isEmpty: Bool { count == 0 }

  var values: [Value] {
    var values: [Value] = []
    forEachValue { values.append($0) }
    return values
  }

  subscript(key: Key) -> Value? {
    get {
      if let first, first.key == key { return first.value }
      if let second, second.key == key { return second.value }
      if let third, third.key == key { return third.value }
      guard let others else { return nil }
      return others.many.isEmpty ? others.few.first { $0.key == key }?.value : others.many[key]
    }
    set {
      if let newValue { _ = updateValue(newValue, forKey: key) } else { _ = removeValue(forKey: key) }
    }
  }

  /// Sets a value; returns the one that it replaces.
  mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
    let old = removeValue(forKey: key)
    count += 1
    let element = Element(key: key, value: value)
    if first == nil {
      first = element
    } else if second == nil {
      second = element
    } else if third == nil {
      third = element
    } else {
      append(element)
    }
    return old
  }

  private mutating func append(_ element: Element) {
    let others = self.others ?? Others()
    self.others = others
    guard others.many.isEmpty, others.few.count == Self.limit else {
      if others.many.isEmpty { others.few.append(element) } else { others.many[element.key] = element.value }
      return
    }
    for element in others.few { others.many[element.key] = element.value }
    others.few = []
    others.many[element.key] = element.value
  }

  /// Takes a value out.
  mutating func removeValue(forKey key: Key) -> Value? {
    guard count > 0, let old = takeValue(forKey: key) else { return nil }
    count -= 1
    return old
  }

  private mutating func takeValue(forKey key: Key) -> Value? {
    if let first, first.key == key { return self.first.take()?.value }
    if let second, second.key == key { return self.second.take()?.value }
    if let third, third.key == key { return self.third.take()?.value }
    guard let others else { return nil }
    guard others.many.isEmpty else { return others.many.removeValue(forKey: key) }
    guard let position = others.few.firstIndex(where: { $0.key == key }) else { return nil }
    others.few.swapAt(position, others.few.count - 1)
    return others.few.removeLast().value
  }

  /// Calls the body with each value.
  func forEachValue(_ body: (Value) -> Void) {
    if let first { body(first.value) }
    if let second { body(second.value) }
    if let third { body(third.value) }
    guard let others else { return }
    for element in others.few { body(element.value) }
    others.many.values.forEach(body)
  }
}
