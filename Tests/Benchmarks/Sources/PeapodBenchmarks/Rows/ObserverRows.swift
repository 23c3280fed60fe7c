import Peapod

/// An observer that does nothing with what it is told.
struct IdleObserver: PodObserver {
  func pod(_ pod: Pod, did event: PodEvent) {}
}

extension Row {
  /// What observers cost, and those who have none.
  static var observers: [Row] {
    let section = "without an observer nothing is paid"
    return [
      Row(
        section, "first resolve of 1,000 providers, no observer", against: "with an observer that does nothing",
        limit: 0.95, subject: firstResolve(deep: 1_000),
        baseline: firstResolve(deep: 1_000, observers: [IdleObserver()])),
      Row(
        section, "cached resolve in a pod with an observer", against: "in a pod without one", limit: 1.1,
        subject: resolveObserved, baseline: resolveClass),
    ]
  }

  static let resolveObserved = resolving(service, in: Pod(observers: [IdleObserver()]))
}
