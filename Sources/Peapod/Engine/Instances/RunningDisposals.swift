import Synchronization

/// The disposal closures in progress for which teardowns or shutdowns may have to wait.
///
/// Few closures are in the list: closures that run in a task, and closures of instances whose dependencies have closures too. So the
/// process has one list with one lock, and a count tells that the list is empty.
enum RunningDisposals {
  private static let count = Atomic<Int>(0)
  private static let lock = Lock()
  // Guarded by `lock`.
  @exclusivity(unchecked) nonisolated(unsafe) private static var running: [ObjectIdentifier: Entry] = [:]

  static var exist: Bool { count.load(ordering: .relaxed) != 0 }

  /// A closure that is not done.
  final class Entry: @unchecked Sendable {
    // Safe: guarded by the lock of the list.
    let instance: Instance
    @exclusivity(unchecked) fileprivate var followUps: [() -> Void] = []

    fileprivate init(_ instance: Instance) { self.instance = instance }

    /// Removes a closure that is done, and continues the disposals that waited for it.
    func finish() {
      let followUps = RunningDisposals.lock.withLock {
        RunningDisposals.running[ObjectIdentifier(self)] = nil
        RunningDisposals.count.wrappingSubtract(1, ordering: .relaxed)
        defer { self.followUps = [] }
        return self.followUps
      }
      for followUp in followUps { followUp() }
    }
  }

  /// How many waits there are for the closure of a provider's instance; for tests.
  static func waiterCount(for declaration: Declaration) -> Int {
    lock.withLock { running.values.first { $0.instance.declaration === declaration }?.followUps.count ?? 0 }
  }

  static func begin(_ instance: Instance) -> Entry {
    let entry = Entry(instance)
    lock.withLock {
      running[ObjectIdentifier(entry)] = entry
      count.wrappingAdd(1, ordering: .relaxed)
    }
    return entry
  }

  /// Lets a teardown wait for closures whose instances depend on its instances; returns the waiting positions, once for each closure.
  ///
  /// `block`: called with some of these positions before their closure can end, with the lock of the list held.
  static func add(
    followersIn order: TeardownOrder, _ retained: RetainedObjects?, block: ([Int]) -> Void,
    then followUp: @escaping @Sendable (Int) -> Void
  ) -> [Int] {
    var blocked: [Int] = []
    let entries = lock.withLock { Array(running.values) }
    var answers = DeferredAnswers(order.instances, retained)
    for entry in retained?.add(entries) ?? entries {
      let (direct, deferred) = order.reached(from: entry.instance, &answers)
      guard !direct.isEmpty || !deferred.isEmpty else { continue }
      let isRunning = lock.withLock {
        guard running[ObjectIdentifier(entry)] != nil else { return false }
        block(direct + deferred)
        for position in direct + deferred { entry.followUps.append { followUp(position) } }
        return true
      }
      if isRunning { blocked += direct + deferred }
    }
    return blocked
  }

  /// Calls a body at the end of each closure that runs for an instance of a pod or a descendant; returns their number.
  static func notify(
    in home: PodState, where matches: (Instance) -> Bool, _ retained: RetainedObjects,
    then followUp: @escaping @Sendable () -> Void
  ) -> Int {
    // Without the lock, since `isBelow` may take the locks of pods.
    let meant = retained.add(lock.withLock { Array(running.values) }).filter {
      matches($0.instance) && $0.instance.home.isBelow(orSame: home)
    }
    return lock.withLock {
      let present = meant.filter { running[ObjectIdentifier($0)] != nil }
      for entry in present { entry.followUps.append(followUp) }
      return present.count
    }
  }
}

/// A caller that waits for disposals: `shutdown()`.
final class DisposalGroup: Sendable {
  /// The number of disposals that are not done, and the share of `wait` until its call.
  ///
  /// A closure that ended early may leave before it is added, so the share is larger than any number of disposals.
  private let remaining = Atomic<Int>(shareOfWait)
  private static let shareOfWait = Int.max / 2
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
    leave(DisposalGroup.shareOfWait)
    await end.suspend()
  }
}
