import Synchronization

/// The disposal closures in progress for which teardowns or shutdowns may have to wait.
///
/// Few closures are in the list: closures that run in a task, and closures of instances whose dependencies have closures too. So the
/// process has one list with one lock, and a count tells that the list is empty.
enum RunningDisposals {
  private static let count = Atomic<Int>(0)
  private static let lock = Lock()
  /// The instance of a closure that is not done, the keys in `places`, and what continues afterwards.
  private struct Entry {
    let instance: Instance
    let places: [ObjectIdentifier?]
    /// The call of `begin` that listed the instance.
    ///
    /// A listed teardown waits only for smaller numbers, so no two teardowns wait for each other.
    let step: Int
    var followUps: [() -> Void] = []
  }
  // Guarded by `lock`.
  @exclusivity(unchecked) nonisolated(unsafe) private static var running: [ObjectIdentifier: Entry] = [:]
  @exclusivity(unchecked) nonisolated(unsafe) private static var stepCount = 0
  /// The same instances by the lineages of their home and its ancestors, where their dependencies live; `nil` for dependencies in any pod.
  ///
  /// So a request that ends does not look at the closures of other requests.
  @exclusivity(unchecked) nonisolated(unsafe) private static var places: [ObjectIdentifier?: Set<ObjectIdentifier>] =
    [:]

  static var exist: Bool { count.load(ordering: .relaxed) != 0 }

  /// How many waits there are for the closure of a provider's instance; for tests.
  static func waiterCount(for declaration: Declaration) -> Int {
    lock.withLock { running.values.first { $0.instance.declaration === declaration }?.followUps.count ?? 0 }
  }

  /// Adds, in one step, the instances that may block others or have a closure, and are not in the list.
  static func begin(_ instances: [Instance]) {
    let listed = instances.filter { $0.mayBlock || $0.hasDisposal }.map { ($0, places(of: $0)) }
    if listed.isEmpty { return }
    lock.withLock {
      stepCount += 1
      for (instance, places) in listed where running[ObjectIdentifier(instance)] == nil {
        running[ObjectIdentifier(instance)] = Entry(instance: instance, places: places, step: stepCount)
        for place in places { self.places[place, default: []].insert(ObjectIdentifier(instance)) }
        count.wrappingAdd(1, ordering: .relaxed)
      }
    }
  }

  private static func places(of instance: Instance) -> [ObjectIdentifier?] {
    var places: [ObjectIdentifier?] = instance.traits.isDisjoint(with: .reachesOtherPods) ? [] : [nil]
    // A pod that acts for an ended parent has the place of that parent.
    instance.home.climb(isLocked: true) { state in
      places.append(state.place)
      return false
    }
    return places
  }

  /// The instances whose dependencies may live in some pods.
  private static func instances(thatMayNeed homes: Set<ObjectIdentifier?>) -> [Instance] {
    lock.withLock {
      Set(homes.flatMap { places[$0] ?? [] }).compactMap { running[$0]?.instance }
    }
  }

  /// Removes an instance whose disposal is done, and continues the disposals that waited for it.
  static func finish(_ instance: Instance) {
    // No other instance is in the list.
    guard exist, instance.hasDisposal || instance.declaration.isMainActor else { return }
    let entry = lock.withLock { () -> Entry? in
      guard let entry = running.removeValue(forKey: ObjectIdentifier(instance)) else { return nil }
      for place in entry.places {
        places[place]?.remove(ObjectIdentifier(instance))
        if places[place]?.isEmpty ?? false { places[place] = nil }
      }
      count.wrappingSubtract(1, ordering: .relaxed)
      return entry
    }
    for followUp in entry?.followUps ?? [] { followUp() }
  }

  /// Lets a teardown wait for closures whose instances depend on its instances; returns the waiting positions, once for each closure.
  ///
  /// A teardown whose instances are listed does not wait for those that were listed later, since these may wait for it.
  ///
  /// `block`: called with some of these positions before their closure can end, with the lock of the list held.
  static func add(
    followersIn search: inout FollowerSearch, _ retained: RetainedObjects?, block: ([Int]) -> Void,
    then followUp: @escaping @Sendable (Int) -> Void
  ) -> [Int] {
    var blocked: [Int] = []
    let instances = instances(thatMayNeed: Set(search.instances.map(\.home.place) + [nil]))
    let own = lock.withLock { search.instances.compactMap { running[ObjectIdentifier($0)]?.step }.min() } ?? .max
    for instance in retained?.add(instances) ?? instances where !search.contains(instance) {
      let positions = search.endedFollowers(of: instance)
      guard !positions.isEmpty else { continue }
      let isRunning = lock.withLock {
        guard let entry = running[ObjectIdentifier(instance)], entry.step < own else { return false }
        block(positions)
        for position in positions {
          running[ObjectIdentifier(instance)]?.followUps.append { followUp(position) }
        }
        return true
      }
      if isRunning { blocked += positions }
    }
    return blocked
  }

  /// Makes a group wait for the closures that run for instances of a pod and its descendants.
  static func join(
    _ group: DisposalGroup, in home: PodState, _ retained: RetainedObjects, where matches: (Instance) -> Bool
  ) {
    guard !group.isNested, exist else { return }
    // Without the lock, since `isBelow` may take the locks of pods.
    let meant = retained.add(instances(thatMayNeed: [home.place])).filter {
      matches($0) && $0.home.isBelow(orSame: home)
    }
    lock.withLock {
      for instance in meant where running[ObjectIdentifier(instance)] != nil {
        group.add(1)
        running[ObjectIdentifier(instance)]?.followUps.append { group.leave(1) }
      }
    }
  }
}

extension PodState {
  /// Identifies this pod, and the pods that act for it after its end, where the order of a teardown is decided.
  var place: ObjectIdentifier? { lineage.map { ObjectIdentifier($0) } }
}

/// A caller that waits for disposals: `shutdown()`.
final class DisposalGroup: Sendable {
  /// The number of disposals that are not done, and one for `wait` until its call.
  private let remaining = Atomic<Int>(1)
  private let end = Signal<Void>()
  /// Whether a builder or a disposal closure waits, which must not wait for disposals that may wait for it.
  let isNested: Bool

  init() { isNested = Caller.currentBuild != nil || TaskContext.isInDisposal }

  func add(_ count: Int) { remaining.wrappingAdd(count, ordering: .relaxed) }

  func leave(_ count: Int) {
    if remaining.wrappingSubtract(count, ordering: .acquiringAndReleasing).newValue == 0 { _ = end.give(()) }
  }

  /// Waits until all disposals that were added are done.
  nonisolated(nonsending) func wait() async {
    leave(1)
    await end.suspend()
  }
}
