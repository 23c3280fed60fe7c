/// A dictionary that is mostly small: the first elements need no memory of their own, and up to some it looks at each, and neither
/// hashes nor resizes.
struct SmallMap<Key: Hashable, Value> {
  private struct Element {
    let key: Key
    var value: Value
  }

  private var first: Element?
  private var second: Element?
  private var third: Element?
  /// Some more.
  private var few: [Element] = []
  /// All that are not among the first three, once there are many.
  private var many: [Key: Value] = [:]
  private var count = 0
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
      return few.isEmpty ? many.isEmpty ? nil : many[key] : few.first { $0.key == key }?.value
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
    } else if many.isEmpty, few.count < Self.limit {
      few.append(element)
    } else {
      for element in few { many[element.key] = element.value }
      few = []
      many[key] = value
    }
    return old
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
    guard many.isEmpty else { return many.removeValue(forKey: key) }
    guard let position = few.firstIndex(where: { $0.key == key }) else { return nil }
    few.swapAt(position, few.count - 1)
    return few.removeLast().value
  }

  /// Calls the body with each value.
  func forEachValue(_ body: (Value) -> Void) {
    if let first { body(first.value) }
    if let second { body(second.value) }
    if let third { body(third.value) }
    for element in few { body(element.value) }
    many.values.forEach(body)
  }
}
