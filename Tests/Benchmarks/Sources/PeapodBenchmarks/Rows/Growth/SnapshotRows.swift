import Peapod

extension Row {
  /// The time of a snapshot of a large graph, and how long other callers wait for the snapshot.
  static var snapshots: [Row] {
    let size = 10_000
    let section = "pod.graph of 10,000 nodes and 30,000 edges"
    return [
      Row(section, "per node", limit: .time(.microseconds(3))) { _ in
        let (pod, providers) = resolved(size)
        defer { withExtendedLifetime(providers) {} }
        return timePerNode(of: pod, size)
      },
      Row(section, "per node, of a child with an override", limit: .time(.microseconds(3))) { _ in
        let (pod, providers) = resolved(size)
        defer { withExtendedLifetime(providers) {} }
        return timePerNode(of: pod.makeChild { $0.overrideProvider(user, withValue: Service()) }, size)
      },
      waitRow(section, "longest wait of a cached resolve") { pod in { consume(pod.resolve(service)) } },
      waitRow(section, "longest wait of a cached resolve through a child with overrides") { pod in
        let child = pod.makeChild { $0.overrideProvider(user, withValue: Service()) }
        return { consume(child.resolve(service)) }
      },
      waitRow(section, "longest wait of a request") { pod in
        let requester = Service()
        return { answerRequest(0, of: requester, in: pod) }
      },
      waitRow(section, "longest wait of override, resolve, remove") { pod in
        {
          pod.overrideProvider(service) { _ in Service() }
          consume(pod.resolve(service))
          pod.removeOverrideProvider(service)
        }
      },
    ]
  }

  /// Makes a row of how much longer the longest call on another thread takes while snapshots are made than while none is.
  private static func waitRow(
    _ section: String, _ name: String, _ makeCall: @escaping @Sendable (Pod) -> @Sendable () -> Void
  ) -> Row {
    Row(section, name, limit: .time(.milliseconds(1))) { _ in
      let size = 10_000
      let (pod, providers) = resolved(size)
      let other = LongestWait(of: makeCall(pod))
      // A snapshot that holds a lock does so each time. A neighbor that takes a processor disturbs some snapshots.
      let waits = (0..<12).map { _ -> Double in
        let clock = ContinuousClock()
        var time = Duration.zero
        let busy = other.during { time = clock.measure { checkNodes(of: pod.graph, size) } }
        let idle = other.during {
          let end = clock.now + time
          while clock.now < end {}
        }
        return busy - idle
      }
      other.finish()
      withExtendedLifetime(providers) {}
      return Measurement(.nanoseconds(max(0, waits.median)))
    }
  }

  private static func timePerNode(of pod: Pod, _ size: Int) -> Measurement {
    let times = (0..<5).map { _ in ContinuousClock().measure { checkNodes(of: pod.graph, size) } }
    return Measurement(.nanoseconds((times.min() ?? .zero).nanoseconds / Double(size)))
  }

  private static func resolved(_ size: Int) -> (Pod, [Provider<Int>]) {
    let pod = Pod()
    let providers = Graphs.woven(size)
    for provider in providers { _ = pod.resolve(provider) }
    consume(pod.resolve(service))
    return (pod, providers)
  }

  private static func checkNodes(of graph: ProviderGraph, _ size: Int) {
    guard graph.nodes.count >= size else { fatalError("the snapshot has \(graph.nodes.count) of \(size) nodes") }
  }
}
