/// Records: instances that no pod caches, and the data that the diagram shows of cleared instances.
extension PodState {
  /// Gives a finished instance its serial: larger than the serials of its dependencies and of this pod's earlier instances.
  ///
  /// The serial is at least the time. So serials tell which of two instances was built later, without a counter that pods share (Kulkarni
  /// et al., "Logical Physical Clocks", 2014).
  func number(_ instance: Instance, at end: Int64, _ held: borrowing Held) {
    held.check(lockOf: self)
    clock = max(clock + 1, instance.serial + 1, UInt64(bitPattern: end))
    instance.serial = clock
  }

  /// Stores the data that the diagram shows of a cleared instance, if the program may still name the provider.
  func noteCleared(_ instance: Instance, _ held: borrowing Held) {
    guard !instance.isOnlyHolder else { return }
    let rare = madeRare(held)
    rare.cleared[instance.declaration.index] = ClearedRecord(instance)
  }

  /// How often a provider was built with a definition before the instance was cleared.
  func takeBuildCount(of declaration: Declaration, _ definition: Override?, _ held: borrowing Held) -> UInt16 {
    guard let rare = knownRare(held), let record = rare.cleared[declaration.index],
      record.generation == declaration.generation, record.isOf(definition)
    else { return 0 }
    rare.cleared[declaration.index] = nil
    return record.buildCount
  }

  /// Stores an instance that no pod caches as the latest record of its provider, or returns an earlier record with the same dependencies.
  ///
  /// Returns `nil` if a condition does not hold, which is evaluated with the lock held. `end`: when the builder returned; `nil` for an instance
  /// that has a serial.
  func storeRecord(of instance: Instance, at end: Int64?, if isRight: () -> Bool) -> Instance? {
    var replaced: Instance?
    defer { withExtendedLifetime(replaced) {} }
    let record = withLock { held -> Instance? in
      guard isRight() else { return nil }
      if let end { number(instance, at: end, held) }
      if let known = visibleRecord(like: instance, held) {
        if instance.word == 0, known.hasSameDependencies(as: instance) {
          publishTransient(known, held)
          return known
        }
        unpublish(known, held)
        remove(known, held)
        instance.buildCount = max(instance.buildCount, known.buildCount)
        replaced = known
      } else {
        recordCount += 1
      }
      if instance.word == 0 { instance.countBuild() }
      guard !isEnded else { return instance }
      insert(instance, held)
      noteFinished(instance, held)
      publishTransient(instance, held)
      return instance
    }
    sweep()
    return record
  }

  /// The record of the same provider and definition, if no override hides it.
  ///
  /// A hidden record leads to former answers, and a later build follows the present ones.
  private func visibleRecord(like instance: Instance, _ held: borrowing Held) -> Instance? {
    instances(of: instance.declaration, held).first {
      $0 !== instance && $0.state == .record && $0.hiddenCount == 0 && $0.definition === instance.definition
        && $0.traits.contains(.isOverridden) == instance.traits.contains(.isOverridden)
    }
  }

  /// Removes a record that no override hides any longer, if there is another one.
  func removeRepeated(_ record: Instance, _ held: borrowing Held) {
    guard record.state == .record, let other = visibleRecord(like: record, held) else { return }
    other.buildCount = max(other.buildCount, record.buildCount)
    unpublish(record, held)
    remove(record, held)
  }

  /// Removes the records, and the weak instances without an object, of providers that the program cannot name any longer.
  ///
  /// Does so once the number of records has doubled since the last sweep, and so takes O(1) amortized. Called without the lock, since the
  /// last reference to a declaration may be released.
  func sweep() {
    guard withLock({ _ in recordCount >= sweepCount }) else { return }
    let retained = RetainedObjects()
    let forgotten = withLock { held -> [Instance] in
      let all = instances(held) { $0.state == .record || $0.flags.contains(.isWeak) }
      let forgotten = all.filter { instance in
        if instance.state == .cached, instance.isAlive(retained, held) { return false }
        // Only the record retains such a declaration.
        return instance.isOnlyHolder
      }
      for record in forgotten {
        unpublish(record, held)
        remove(record, held)
        record.state = .record
      }
      recordCount = all.count - forgotten.count
      sweepCount = max(64, 2 * recordCount)
      return forgotten
    }
    withExtendedLifetime(retained) {}
    for instance in forgotten where instance.flags.contains(.isWeak) { instance.releaseValue() }
  }
}

/// The data that the diagram shows of a cleared instance.
///
/// The record retains neither the provider nor the dependencies. A pod has at most one such record for each index of a provider, and indices
/// are used again.
struct ClearedRecord {
  private let weakDeclaration: WeakReference
  private let dependencies: [(declaration: WeakReference, isDeferred: Bool)]
  let generation: UInt32
  private let definition: (id: ObjectIdentifier, object: WeakReference)?
  let buildCount: UInt16
  let inclusive: Float
  let exclusive: Float
  let flags: Instance.Flags

  init(_ instance: Instance) {
    weakDeclaration = WeakReference(instance.declaration)
    let shown = instance.dependencies.withOriginals(of: instance.declaration)
    dependencies = shown.map { (WeakReference($0.declaration), $0.isDeferred) }
    generation = instance.declaration.generation
    definition = instance.definition.map { (ObjectIdentifier($0), WeakReference($0)) }
    buildCount = instance.buildCount
    inclusive = instance.inclusive
    exclusive = instance.exclusive
    flags = instance.flags.all
  }

  /// Whether the instance had a definition, which the caller retains.
  func isOf(_ definition: Override?) -> Bool {
    // Another override, whose last reference may just be released, is not touched, since a lock may be held.
    guard self.definition?.id == definition.map({ ObjectIdentifier($0) }) else { return false }
    return definition == nil || self.definition?.object.object != nil
  }

  var declaration: Declaration? { weakDeclaration.object as? Declaration }

  var knownDependencies: [(declaration: Declaration, isDeferred: Bool)] {
    dependencies.compactMap { dependency in
      (dependency.declaration.object as? Declaration).map { ($0, dependency.isDeferred) }
    }
  }
}

extension Instance {
  /// Whether another record of the same provider has the same dependencies.
  fileprivate func hasSameDependencies(as other: Instance) -> Bool {
    dependencies.count == other.dependencies.count
      && zip(dependencies, other.dependencies).allSatisfy { $0.isSame(as: $1) }
  }
}
