import Peapod

extension Row {
  /// First resolves of whole graphs.
  static var graphs: [Row] {
    let section = "first resolve of a graph"
    let sizes = [10, 100, 1_000, 10_000]
    let rows = sizes.flatMap { size in
      let limit: Double? = size == 1_000 ? 6 : nil
      return [
        // The rows of scale limit a chain by its floor.
        Row(
          section, "\(size) providers, deep", against: "wiring it",
          subject: firstResolve(deep: size), baseline: wire(deep: size)),
        Row(
          section, "\(size) providers, wide", against: "wiring it", limit: limit,
          subject: firstResolve(wide: size), baseline: wire(wide: size)),
      ]
    }
    let others = [
      Row(
        section, "1000 providers, deep, dependencies first", against: "wiring it",
        subject: firstResolve(upward: 1_000), baseline: wire(deep: 1_000)),
      Row(
        section, "1000 providers, deep, making and dropping the pod", against: "wiring and dropping it",
        subject: wholeLife(deep: 1_000), baseline: wireAndDrop(deep: 1_000)),
      Row(
        section, "1000 providers, wide, making and dropping the pod", against: "wiring and dropping it",
        subject: wholeLife(wide: 1_000), baseline: wireAndDrop(wide: 1_000)),
    ]
    let perProvider = "per provider of 1,000"
    return rows + others + [
      Row(
        section, "per provider of 10,000, deep", against: perProvider, limit: 2, sizes: (10_000, 1_000),
        subject: firstResolve(deep: 10_000), baseline: firstResolve(deep: 1_000)),
      Row(
        section, "per provider of 10,000, wide", against: perProvider, limit: 2, sizes: (10_000, 1_000),
        subject: firstResolve(wide: 10_000), baseline: firstResolve(wide: 1_000)),
      Row(
        section, "per provider of 10,000, deep, again after an override below", against: perProvider, limit: 2,
        sizes: (10_000, 1_000), subject: resolveAgain(deep: 10_000), baseline: resolveAgain(deep: 1_000)),
    ]
  }

  /// Resolves a chain again whose first provider is overridden, in a new pod each time.
  static func resolveAgain(deep size: Int) -> Workload {
    .onLargeStack { count in
      let providers = Graphs.deep(size)
      let time = inBatches(count, of: size) {
        let pod = Pod()
        consume(pod.resolve(providers[size - 1]))
        pod.overrideProvider(providers[0], withValue: Node(nil))
        return pod
      } work: { pods in
        for pod in pods { consume(pod.resolve(providers[size - 1])) }
      }
      Graphs.release(providers)
      return time
    }
  }

  /// Resolves a chain for the first time, in a new pod each time; making and dropping the pods is not measured.
  static func firstResolve(deep size: Int, observers: [any PodObserver] = []) -> Workload {
    .onLargeStack { count in
      let providers = Graphs.deep(size)
      let time = inBatches(count, of: size) {
        Pod(observers: observers)
      } work: { pods in
        for pod in pods { consume(pod.resolve(providers[size - 1])) }
      }
      Graphs.release(providers)
      return time
    }
  }

  /// Resolves a chain for the first time from its end, so that each builder receives a cached dependency.
  static func firstResolve(upward size: Int) -> Workload {
    .onLargeStack { count in
      let providers = Graphs.deep(size)
      let time = inBatches(count, of: size) {
        Pod()
      } work: { pods in
        for pod in pods { for provider in providers { consume(pod.resolve(provider)) } }
      }
      Graphs.release(providers)
      return time
    }
  }

  /// Resolves a wide graph for the first time, in a new pod each time; making and dropping the pods is not measured.
  static func firstResolve(wide size: Int) -> Workload {
    .onLargeStack { count in
      let root = Graphs.wide(size)
      return inBatches(count, of: size) {
        Pod()
      } work: { pods in
        for pod in pods { consume(pod.resolve(root)) }
      }
    }
  }

  /// Wires a chain by hand; dropping it is not measured.
  static func wire(deep size: Int) -> Workload {
    .onLargeStack { count in
      inBatches(count, of: size) {
        Root<Node>()
      } work: { roots in
        for root in roots { root.value = Graphs.wireDeep(size) }
      }
    }
  }

  /// Wires a wide graph by hand; dropping it is not measured.
  static func wire(wide size: Int) -> Workload {
    .onLargeStack { count in
      inBatches(count, of: size) {
        Root<Hub>()
      } work: { roots in
        for root in roots { root.value = Graphs.wireWide(size) }
      }
    }
  }

  /// Makes a pod, resolves a chain in it, and drops it.
  static func wholeLife(deep size: Int) -> Workload {
    .onLargeStack { count in
      let providers = Graphs.deep(size)
      let time = ContinuousClock().measure {
        for _ in 0..<count { consume(Pod().resolve(providers[size - 1])) }
      }
      Graphs.release(providers)
      return time
    }
  }

  /// Makes a pod, resolves a wide graph in it, and drops it.
  static func wholeLife(wide size: Int) -> Workload {
    .onLargeStack { count in
      let root = Graphs.wide(size)
      return ContinuousClock().measure {
        for _ in 0..<count { consume(Pod().resolve(root)) }
      }
    }
  }

  /// Wires a chain by hand and drops it.
  static func wireAndDrop(deep size: Int) -> Workload {
    .onLargeStack { count in
      ContinuousClock().measure {
        for _ in 0..<count { consume(Graphs.wireDeep(size)) }
      }
    }
  }

  /// Wires a wide graph by hand and drops it.
  static func wireAndDrop(wide size: Int) -> Workload {
    .onLargeStack { count in
      ContinuousClock().measure {
        for _ in 0..<count { consume(Graphs.wireWide(size)) }
      }
    }
  }

  /// What keeps a graph that is wired by hand, as a pod keeps the other.
  private final class Root<Value> {
    var value: Value?
  }

  /// Measures work on many things that are made before and dropped after it, so many at a time that the clock's own
  /// cost does not count and the caches are no fuller than with one large graph.
  private static func inBatches<Thing>(
    _ count: Int, of size: Int, make: () -> Thing, work: ([Thing]) -> Void
  ) -> Duration {
    var time = Duration.zero
    var missing = count
    while missing > 0 {
      let batch = min(missing, max(1, 2_000 / size))
      missing -= batch
      let things = (0..<batch).map { _ in make() }
      time += ContinuousClock().measure { work(things) }
      withExtendedLifetime(things) {}
    }
    return time
  }
}
