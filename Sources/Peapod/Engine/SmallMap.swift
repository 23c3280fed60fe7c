/// A dictionary that is mostly small: the first elements need no memory of their own, and up to some it looks at each, and neither
/// hashes nor resizes.
///
/// Plain bits, so that to look at it counts no references. Not to be copied: two copies would share what is beyond the first
/// elements. So its functions are all mutating: they get its address. Whoever ends with it calls `removeAll()`.
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

  private typealias Places = (Element?, Element?, Element?, Element?)
  private static var placeCount: Int { 4 }

  private var places: Places
  // Safe: retained when it is made, and released by `removeAll()`.
  private var others: Unmanaged<Others>?
  private(set) var count = 0

  init() { places = (nil, nil, nil, nil) }
}

extension SmallMap {
  var isEmpty: Bool { count == 0 }

  var values: [Value] {
    mutating get {
      var values: [Value] = []
      forEachValue { values.append($0) }
      return values
    }
  }

  subscript(key: Key) -> Value? {
    mutating get {
      if let value = withPlaces({ places in Self.place(of: key, in: places).flatMap { places[$0]?.value } }) {
        return value
      }
      return others?._withUnsafeGuaranteedRef { $0.value(of: key) }
    }
    set {
      if let newValue { _ = updateValue(newValue, forKey: key) } else { _ = removeValue(forKey: key) }
    }
  }

  /// Sets a value; returns the one that it replaces.
  mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
    let element = Element(key: key, value: value)
    let replaced = withPlaces { places -> Value? in
      guard let place = Self.place(of: key, in: places) else { return nil }
      defer { places[place] = element }
      return places[place]?.value
    }
    if let replaced { return replaced }
    let old = others?._withUnsafeGuaranteedRef { $0.takeValue(of: key) }
    if old == nil { count += 1 }
    // Those that were taken out leave gaps.
    let hasGap = withPlaces { places in
      guard let gap = Self.firstPlace(in: places, where: { $0 == nil }) else { return false }
      places[gap] = element
      return true
    }
    if !hasGap { append(element) }
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
    let taken = withPlaces { places in Self.place(of: key, in: places).flatMap { places[$0].take()?.value } }
    if let taken { return taken }
    return others?._withUnsafeGuaranteedRef { $0.takeValue(of: key) }
  }

  @inline(__always)
  private static func place(of key: Key, in places: UnsafeMutablePointer<Element?>) -> Int? {
    firstPlace(in: places) { $0.map { $0.key == key } ?? false }
  }

  @inline(__always)
  private static func firstPlace(
    in places: UnsafeMutablePointer<Element?>, where isMeant: (Element?) -> Bool
  ) -> Int? {
    var place = 0
    while place < placeCount {
      if isMeant(places[place]) { return place }
      place += 1
    }
    return nil
  }

  /// Calls the body with the places as an array.
  @inline(__always)
  private mutating func withPlaces<Result>(_ body: (UnsafeMutablePointer<Element?>) -> Result) -> Result {
    withUnsafeMutablePointer(to: &places) {
      // Safe: the elements of a tuple of one type lie in memory one after the other; the body alone has their address.
      body(UnsafeMutableRawPointer($0).assumingMemoryBound(to: Element?.self))
    }
  }

  mutating func removeAll() {
    others?.release()
    self = SmallMap()
  }

  /// Calls the body with each value; the body leaves the map alone.
  mutating func forEachValue(_ body: (Value) -> Void) {
    withPlaces { places in
      var place = 0
      while place < Self.placeCount {
        if let element = places[place] { body(element.value) }
        place += 1
      }
    }
    others?._withUnsafeGuaranteedRef { others in
      for element in others.few { body(element.value) }
      others.many.values.forEach(body)
    }
  }
}
