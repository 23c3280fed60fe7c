/// The observers of one pod, and the events that they have not received yet.
///
/// Events are queued in the order in which they happen, and delivered by one thread at a time without a lock. An observer that causes an
/// event receives the event after the observer returns.
final class EventQueue: @unchecked Sendable {
  /// An observer, and its observation if it was added later.
  typealias Entry = (observer: any PodObserver, observation: PodObservation?)

  // Safe: guarded by `lock`.
  private let lock = Lock()
  private var observers: [Entry]
  /// User code makes the texts in an event, so the events are made when they are delivered.
  private typealias Queued = (makeEvents: () -> [PodEvent], pod: Pod)
  /// The queued events: the next ones, in reverse order, and the later ones.
  ///
  /// Two stacks, so that to take some events of many takes amortized time in proportion to the taken (Hood and Melville, "Real-time queue
  /// operations in pure Lisp", 1981).
  private var (next, later): ([Queued], [Queued]) = ([], [])
  private var isDelivering = false
  /// Whether a task is going to deliver events.
  private var isTaskDue = false

  init(_ observers: [Entry]) { self.observers = observers }

  func add(_ entry: Entry) { lock.withLock { observers.append(entry) } }

  func remove(_ observation: PodObservation) {
    let removed = lock.withLock {
      observers.firstIndex { $0.observation === observation }.map { observers.remove(at: $0) }
    }
    withExtendedLifetime(removed) {}
  }

  /// The observers, for a pod that acts for the pod of this queue.
  var all: [Entry] { lock.withLock { observers } }

  fileprivate var isEmpty: Bool { lock.withLock { observers.isEmpty } }

  func append(_ makeEvents: @escaping () -> [PodEvent], of pod: Pod) {
    lock.withLock { later.append((makeEvents, pod)) }
  }

  /// How many events a caller delivers before it leaves the others to a task or to the next caller.
  private static let share = 100

  /// Delivers queued events, unless another thread or an outer call is delivering events.
  ///
  /// Called without locks. Other threads may queue events as fast as they are delivered. So a caller delivers a limited number, and a task
  /// or the next caller continues.
  func deliver() {
    var delivered = 0
    while let (batch, observers) = nextBatch(after: delivered) {
      Caller.withoutRecording {
        for (makeEvents, pod) in batch {
          for event in makeEvents() {
            for (observer, observation) in observers where observation?.isCanceled != true {
              observer.pod(pod, did: event)
            }
          }
        }
      }
      delivered += batch.count
    }
  }

  /// The next events of a caller; `nil` at the end of its share, if no event is queued, or if another call is delivering events.
  private func nextBatch(after delivered: Int) -> (batch: [Queued], observers: [Entry])? {
    var needsTask = false
    let found = lock.withLock { () -> (batch: [Queued], observers: [Entry])? in
      if delivered == 0, isDelivering { return nil }
      let batch = take(atMost: EventQueue.share - delivered)
      isDelivering = !batch.isEmpty
      if isDelivering { return (batch, observers) }
      needsTask = !(next.isEmpty && later.isEmpty || isTaskDue)
      isTaskDue = isTaskDue || needsTask
      return nil
    }
    if needsTask { Task.detached { self.deliverInTask() } }
    return found
  }

  private func take(atMost count: Int) -> [Queued] {
    // Fast path: mostly few events are queued.
    if next.isEmpty, later.count <= count {
      defer { later = [] }
      return later
    }
    if next.isEmpty { (next, later) = (later.reversed(), []) }
    let batch = Array(next.suffix(count).reversed())
    next.removeLast(batch.count)
    // The memory of many events is released.
    if next.isEmpty { next = [] }
    return batch
  }

  private func deliverInTask() {
    // Before the delivery, which ends with the next task if events are left.
    lock.withLock { isTaskDue = false }
    deliver()
  }
}

extension PodState {
  /// Whether this pod or an ancestor has an observer.
  @inline(__always)
  var isObserved: Bool { climb(isLocked: true) { $0.has(Condition.isObserved) } }

  var events: EventQueue? { withLock { held in knownRare(held)?.events } }

  /// Adds an observer.
  func add(_ observer: any PodObserver, for observation: PodObservation) {
    withLock { held in
      let queue = madeRare(held).events ?? EventQueue([])
      madeRare(held).events = queue
      queue.add((observer, observation))
      conditions.bitwiseOr(Condition.isObserved, ordering: .relaxed)
    }
  }

  func removeObserver(for observation: PodObservation) {
    guard let queue = events else { return }
    queue.remove(observation)
    withLock { _ in if queue.isEmpty { conditions.bitwiseAnd(~Condition.isObserved, ordering: .relaxed) } }
  }

  /// Notifies the observers of this pod and of its ancestors, until the pod ends.
  ///
  /// Called without locks.
  @inline(__always)
  func emit(_ makeEvents: @autoclosure () -> () -> [PodEvent]) {
    if isObserved { deliver(to: withLock { held in queue(makeEvents(), held) }) }
  }

  /// Queues events for the observers of this pod and of its ancestors, with the change itself.
  ///
  /// Returns the queues, which the caller delivers without locks.
  @inline(__always)
  func queue(_ makeEvents: @autoclosure () -> () -> [PodEvent], _ held: borrowing Held) -> [EventQueue] {
    isObserved && !isEnded ? queue(all: makeEvents(), held) : []
  }

  func deliver(to queues: [EventQueue]) { for queue in queues { queue.deliver() } }

  @inline(never)
  private func queue(all makeEvents: @escaping () -> [PodEvent], _ held: borrowing Held) -> [EventQueue] {
    let pod = builderPod(held) ?? Pod(handleOf: self)
    var queues = knownRare(held)?.events.map { [$0] } ?? []
    climb(isLocked: true) { state in
      if state !== self, let queue = state.events { queues.append(queue) }
      return false
    }
    for queue in queues { queue.append(makeEvents, of: pod) }
    return queues
  }
}

extension Build {
  /// Notifies observers of a build that has ended, and looks for captive dependencies.
  @inline(__always)
  func report(_ result: Result<StoredValue, any Error>, isCached: Bool) {
    for queue in queuesToDeliver { queue.deliver() }
    if case .failure = result { return }
    if isCached, CaptiveDependencies.mayExist(for: instance) { CaptiveDependencies.examine(instance) }
    #if DEBUG
      if !instance.isConstant, !instance.home.isCompact { RepeatedDeclarations.note(declaration) }
    #endif
  }

  /// Queues the event of a build that has ended, before another thread can clear the instance.
  @inline(__always)
  func queueEvent(_ result: Result<StoredValue, any Error>, _ held: borrowing PodState.Held) {
    if instance.home.isObserved { queuesToDeliver = queues(for: result, held) }
  }

  @inline(never)
  private func queues(for result: Result<StoredValue, any Error>, _ held: borrowing PodState.Held) -> [EventQueue] {
    let (home, named) = (instance.home, instance.named)
    if case .failure(let error) = result { return home.queue({ [.fail(named.info, error)] }, held) }
    let (duration, dependencies) = (instance.inclusiveDuration, instance.dependencies.map(\.named))
    return home.queue({ [.build(named.info, duration: duration, dependencies: dependencies.map(\.info))] }, held)
  }
}
