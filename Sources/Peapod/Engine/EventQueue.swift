import Synchronization

/// The observers of one pod, and what they have not heard yet.
///
/// Events are queued while the engine's lock is held, in the order in which they happen, and told by one thread at a time
/// without it. An observer that causes an event hears of it after it returns.
final class EventQueue: @unchecked Sendable {
  // Safe: read and written under the engine's lock alone.
  private var observers: [any PodObserver]
  private var events: [(event: PodEvent, pod: Pod)] = []
  private var isDelivering = false

  /// Whether any pod ever had an observer.
  private static let wereMade = Atomic<Bool>(false)

  static var mayExist: Bool { wereMade.load(ordering: .relaxed) }

  init(_ observers: [any PodObserver]) {
    self.observers = observers
    EventQueue.wereMade.store(true, ordering: .relaxed)
  }

  func add(_ observer: any PodObserver) { observers.append(observer) }

  /// The observers, for a pod that stands in for this one.
  var all: [any PodObserver] { observers }

  func append(_ event: PodEvent, _ pod: Pod, _ aftermath: inout Aftermath) {
    events.append((event, pod))
    aftermath.work.seldom.talkative.append(self)
  }

  /// Tells what is queued, unless another thread, or a caller further up, is doing so.
  ///
  /// Called without the lock.
  func deliver() {
    while true {
      let next = Engine.locked { _ -> (events: [(event: PodEvent, pod: Pod)], observers: [any PodObserver])? in
        guard !isDelivering, !events.isEmpty else { return nil }
        isDelivering = true
        defer { events = [] }
        return (events, observers)
      }
      guard let next else { return }
      for (event, pod) in next.events {
        for observer in next.observers { observer.pod(pod, did: event) }
      }
      Engine.locked { _ in isDelivering = false }
    }
  }
}

extension Layer {
  /// Whether anyone hears what happens here.
  @inline(__always)
  var isObserved: Bool { EventQueue.mayExist && hasObservers }

  @inline(never)
  private var hasObservers: Bool {
    var layer: Layer? = self
    while let current = layer {
      if current.hasEvents { return true }
      layer = current.parent
    }
    return false
  }

  /// Called with the engine's lock held.
  func add(_ observer: any PodObserver, _ aftermath: inout Aftermath) {
    if let events { events.add(observer) } else { events = EventQueue([observer]) }
    // Builds of transients were not worth a note so far.
    root.forEachRecord { if $0.declaration.isTransient { $0.layer.unpublish($0) } }
  }

  /// Tells the observers of this pod and of those above.
  ///
  /// Called with the engine's lock held.
  @inline(__always)
  func emit(_ event: @autoclosure () -> PodEvent, _ aftermath: inout Aftermath) {
    if isObserved, !isOrphaned { tell(event(), &aftermath) }
  }

  @inline(never)
  private func tell(_ event: PodEvent, _ aftermath: inout Aftermath) {
    let pod = Pod(handleOf: self, isSettled: true)
    var layer: Layer? = self
    while let current = layer {
      current.events?.append(event, pod, &aftermath)
      layer = current.parent
    }
  }
}

extension Engine {
  /// Tells of a finished build, and looks for captive dependencies.
  @inline(__always)
  static func report(_ build: Build, _ aftermath: inout Aftermath) {
    if build.keeps || build.entry.layer.isObserved { tell(of: build, &aftermath) }
    #if DEBUG
      if !build.entry.isGiven { LocalDeclarations.note(build.declaration, &aftermath) }
    #endif
  }

  @inline(never)
  private static func tell(of build: Build, _ aftermath: inout Aftermath) {
    let entry = build.entry
    guard !entry.isGiven else { return }
    entry.layer.emit(
      .build(entry.info, duration: entry.inclusive, dependencies: entry.dependencies.map(\.entry.info)), &aftermath)
    if build.keeps, !build.isDetached { Captivity.suspect(entry, &aftermath) }
  }
}
