/// The objects that a loop made last.
struct Recent<Object: AnyObject> {
  private var objects = [Object?](repeating: nil, count: 8)
  private var next = 0

  /// Keeps an object and lets the oldest one go.
  mutating func keep(_ object: consuming Object) {
    objects[next & 7] = object
    next &+= 1
  }
}
