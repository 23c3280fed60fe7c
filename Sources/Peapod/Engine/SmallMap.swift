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

  /// The first elements, one after the other.
  private var places: Places
  // Safe: retained when it is made, and released by `removeAll()`.
  private var others: Unmanaged<Others>?
  private(set) var count = 0
  /// How many are in places of their own.
  private var placed = 0

  init() { places = (nil, nil, nil, nil) }
}

extension SmallMap {
  @inline(__always)
  var isEmpty: Bool { count == 0 }

  var values: [Value] {
    mutating get {
      var values: [Value] = []
      forEachValue { values.append($0) }
      return values
    }
  }

  subscript(key: Key) -> Value? {
    @inline(__always) mutating get {
      let placed = placed
      let value = withPlaces { places in Self.place(of: key, in: places, placed).flatMap { places[$0]?.value } }
      if let value { return value }
      return others?._withUnsafeGuaranteedRef { $0.value(of: key) }
    }
    set {
      if let newValue { _ = updateValue(newValue, forKey: key) } else { _ = removeValue(forKey: key) }
    }
  }

  /// Sets a value; returns the one that it replaces.
  mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
    let element = Element(key: key, value: value)
    let placed = placed
    let replaced = withPlaces { places -> Value? in
      guard let place = Self.place(of: key, in: places, placed) else { return nil }
      defer { places[place] = element }
      return places[place]?.value
    }
    if let replaced { return replaced }
    let old = others?._withUnsafeGuaranteedRef { $0.takeValue(of: key) }
    if old == nil { count += 1 }
    if placed < SmallMap.placeCount {
      withPlaces { $0[placed] = element }
      self.placed = placed + 1
    } else {
      append(element)
    }
    return old
  }

  /// How many more keys have a place, without memory of their own.
  @inline(__always)
  var freePlaces: Int { SmallMap.placeCount - placed }

  /// Adds a value for a key that has none, if there is a place left; returns whether there was.
  @inline(__always)
  mutating func add(_ value: Value, forNew key: Key) -> Bool {
    let placed = placed
    guard freePlaces > 0 else { return false }
    withPlaces { $0[placed] = Element(key: key, value: value) }
    self.placed = placed + 1
    count += 1
    return true
  }

  /// How many elements there are, if all have places of their own.
  @inline(__always)
  var placedCount: Int? { others == nil ? placed : nil }

  /// The value in a place.
  @inline(__always)
  mutating func value(at place: Int) -> Value { withPlaces { $0[place].unsafelyUnwrapped.value } }

  /// Whether a key has a value.
  @inline(__always)
  mutating func contains(_ key: Key) -> Bool { count > 0 && self[key] != nil }

  @inline(never)
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
    let placed = placed
    let taken = withPlaces { places -> Value? in
      guard let place = Self.place(of: key, in: places, placed) else { return nil }
      defer {
        // The last one takes its place.
        places[place] = places[placed - 1]
        places[placed - 1] = nil
      }
      return places[place]?.value
    }
    guard taken == nil else {
      self.placed = placed - 1
      return taken
    }
    return others?._withUnsafeGuaranteedRef { $0.takeValue(of: key) }
  }

  @inline(__always)
  private static func place(of key: Key, in places: UnsafeMutablePointer<Element?>, _ placed: Int) -> Int? {
    var place = 0
    while place < placed {
      if places[place].unsafelyUnwrapped.key == key { return place }
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
    let placed = placed
    withPlaces { places in
      var place = 0
      while place < placed {
        body(places[place].unsafelyUnwrapped.value)
        place += 1
      }
    }
    others?._withUnsafeGuaranteedRef { others in
      for element in others.few { body(element.value) }
      others.many.values.forEach(body)
    }
  }
}
