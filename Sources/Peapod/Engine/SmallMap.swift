/// A dictionary that is mostly small: the first elements need no memory of their own, and up to some it looks at each, and neither
/// hashes nor resizes.
///
/// Plain bits, so that to look at it counts no references. Not to be copied: two copies would share what is beyond the first
/// elements. Whoever ends with it calls `removeAll()`.
struct SmallMap<Key: Hashable & BitwiseCopyable, Value: BitwiseCopyable> {
  private struct Element: BitwiseCopyable {
    let key: Key
    var value: Value
  }

  /// All that are not among the first ones.
  private final class Others {
    // Not checked for exclusive access, which takes longer than to find an element: each access is a call of the map, whose own
    // accesses are checked.

    /// Some.
    @exclusivity(unchecked) var few: [Element] = []
    /// All, once there are many.
    @exclusivity(unchecked) var many: [Key: Value] = [:]
    private static var limit: Int { 12 }

    func value(of key: Key) -> Value? { many.isEmpty ? few.first { $0.key == key }?.value : many[key] }

    func append(_ element: Element) {
      guard many.isEmpty, few.count == Self.limit else {
        if many.isEmpty { few.append(element) } else { many[element.key] = element.value }
        return
      }
      for element in few { many[element.key] = element.value }
      few = []
      many[element.key] = element.value
    }

    func takeValue(of key: Key) -> Value? {
      guard many.isEmpty else { return many.removeValue(forKey: key) }
      guard let position = few.firstIndex(where: { $0.key == key }) else { return nil }
      few.swapAt(position, few.count - 1)
      return few.removeLast().value
    }
  }

  private var first: Element?
  private var second: Element?
  private var third: Element?
  private var fourth: Element?
  // Safe: retained when it is made, and released by `removeAll()`.
  private var others: Unmanaged<Others>?
  private(set) var count = 0
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
      if let fourth, fourth.key == key { return fourth.value }
      return others?._withUnsafeGuaranteedRef { $0.value(of: key) }
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
    } else if fourth == nil {
      fourth = element
    } else {
      append(element)
    }
    return old
  }

  private mutating func append(_ element: Element) {
    let others = self.others ?? .passRetained(Others())
    self.others = others
    others._withUnsafeGuaranteedRef { $0.append(element) }
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
    if let fourth, fourth.key == key { return self.fourth.take()?.value }
    return others?._withUnsafeGuaranteedRef { $0.takeValue(of: key) }
  }

  mutating func removeAll() {
    others?.release()
    (first, second, third, fourth, others, count) = (nil, nil, nil, nil, nil, 0)
  }

  /// Calls the body with each value.
  func forEachValue(_ body: (Value) -> Void) {
    if let first { body(first.value) }
    if let second { body(second.value) }
    if let third { body(third.value) }
    if let fourth { body(fourth.value) }
    others?._withUnsafeGuaranteedRef { others in
      for element in others.few { body(element.value) }
      others.many.values.forEach(body)
    }
  }
}
