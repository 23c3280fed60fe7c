/// The instances of one pod by provider.
///
/// Used with the pod's lock held.
///
/// A provider may have several: one for each definition, and hidden ones.
struct InstanceTable {
  /// Of a root pod: slots, in which readers find instances without a lock.
  private(set) var slots: SlotTable?
  private var few = SmallTable<Instance>()
  private var count = 0

  init(hasSlots: Bool) { slots = hasSlots ? SlotTable() : nil }

  /// The first instance of a provider; others follow by `next`.
  @inline(__always)
  func first(_ declaration: Declaration) -> Instance? {
    if let slots { return slots.instance(declaration.index) }
    return few[declaration.index]
  }

  /// Whether an instance is the only one of its provider.
  func isOnly(_ instance: Instance) -> Bool { instance.next == nil && first(instance.declaration) === instance }

  private mutating func setFirst(_ instance: Instance?, _ index: UInt32) {
    if let slots { slots.setInstance(instance, index) } else { few[index] = instance }
  }

  mutating func insert(_ instance: Instance) {
    let index = instance.declaration.index
    instance.next = slots.map { $0.instance(index) } ?? few[index]
    setFirst(instance, index)
    count += 1
  }

  /// Removes an instance, if it is here.
  ///
  /// The caller retains the instance.
  mutating func remove(_ instance: Instance) {
    var current = first(instance.declaration)
    if current === instance {
      setFirst(instance.next, instance.index)
    } else {
      while let before = current, before.next !== instance { current = before.next }
      guard let current else { return }
      current.next = instance.next
    }
    instance.next = nil
    count -= 1
  }

  /// All instances, for a look at them without the lock.
  var all: [Instance] {
    var found: [Instance] = []
    forEach { found.append($0) }
    return found
  }

  /// Notes that an instance of this table is finished.
  func noteFinished(_ instance: Instance) {
    if !instance.traits.isDisjoint(with: [.isOverridden, .isDeferred]) { slots?.noteChangeable(instance) }
  }

  /// Calls a body with each instance.
  ///
  /// `serial`: the smallest serial that counts; the table may skip older instances, and those that depend on no override.
  func forEach(overriddenSince serial: UInt64 = 0, _ body: (Instance) -> Void) {
    if let slots { return slots.forEach(notedSince: serial, body) }
    for first in few.elements {
      var instance: Instance? = first
      while let current = instance {
        instance = current.next
        body(current)
      }
    }
  }

  var isEmpty: Bool { count == 0 }
}
