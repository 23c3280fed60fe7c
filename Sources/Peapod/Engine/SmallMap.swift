/// A dictionary that is mostly small: up to some elements it looks at each, and neither hashes nor resizes.
struct SmallMap<Key: Hashable, Value> {
  private struct Element {
    let key: Key
    var value: Value
  }

  private var few: [Element] = []
  /// All elements, once there are many.
  private var many: [Key: Value] = [:]
  private static var limit: Int { 12 }
}

extension SmallMap {
  var isEmpty: Bool { few.isEmpty && many.isEmpty }

  var values: [Value] { many.isEmpty ? few.map(\.value) : Array(many.values) }

  subscript(key: Key) -> Value? {
    get {
      if !many.isEmpty { return many[key] }
      for element in few where element.key == key { return element.value }
      return nil
    }
    set {
      if let newValue { _ = updateValue(newValue, forKey: key) } else { _ = removeValue(forKey: key) }
    }
  }

  /// Sets a value; returns the one that it replaces.
  mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
    if !many.isEmpty { return many.updateValue(value, forKey: key) }
    if let position = few.firstIndex(where: { $0.key == key }) {
      defer { few[position].value = value }
      return few[position].value
    }
    if few.count < Self.limit {
      if few.isEmpty { few.reserveCapacity(4) }
      few.append(Element(key: key, value: value))
    } else {
      many = Dictionary(uniqueKeysWithValues: few.map { ($0.key, $0.value) })
      few = []
      many[key] = value
    }
    return nil
  }

  /// Takes a value out.
  mutating func removeValue(forKey key: Key) -> Value? {
    if !many.isEmpty { return many.removeValue(forKey: key) }
    guard let position = few.firstIndex(where: { $0.key == key }) else { return nil }
    few.swapAt(position, few.count - 1)
    return few.removeLast().value
  }

  /// Calls the body with each value.
  func forEachValue(_ body: (Value) -> Void) {
    guard many.isEmpty else { return many.values.forEach(body) }
    for element in few { body(element.value) }
  }
}
