import Peapod

extension Row {
  /// How the time to share what an ancestor has depends on what lies below it, and on who waits for it.
  static var sharing: [Row] {
    [
      Row(
        "read the end of a chain that a child caches", "through a child of this child, 2,000 providers",
        against: "20 providers", limit: 3, subject: readThroughGrandchild(2_000), baseline: readThroughGrandchild(20)),
      Row(
        "build a chain of holders of a Lazy", "through a child that overrides something else, per provider of 2,000",
        against: "per provider of 200", limit: 3, sizes: (2_000, 200), subject: holdersOfLazy(2_000),
        baseline: holdersOfLazy(200)),
      Row(
        "build an instance from 100 cached ones", "while 20 children wait for it, each one the end of a chain of 2,000",
        against: "of 20", limit: 3, subject: buildWithWaiters(2_000), baseline: buildWithWaiters(20)),
    ]
  }

  /// Providers that resolve each the one before.
  private static func chain(
    _ size: Int, from first: Provider<Service>, _ use: @escaping @Sendable (Pod) -> Void = { _ in }
  ) -> [Provider<Service>] {
    var chain = [first]
    for _ in 1..<size {
      let below = chain[chain.count - 1]
      chain.append(
        Provider { pod in
          consume(pod.resolve(below))
          use(pod)
          return Service()
        })
    }
    return chain
  }

  private static func readThroughGrandchild(_ size: Int) -> Workload {
    let (base, other) = (Provider { _ in Service() }, Provider { _ in Service() })
    let last = chain(size, from: base)[size - 1]
    let session = Pod().makeChild { $0.overrideProvider(base) { _ in Service() } }
    consume(session.resolve(last))
    let request = session.makeChild { $0.overrideProvider(other, withValue: Service()) }
    return Workload { count in
      for _ in 0..<count { consume(request.resolve(last)) }
    }
  }

  private static func holdersOfLazy(_ size: Int) -> Workload {
    let (leaf, other) = (Provider { _ in Service() }, Provider { _ in Service() })
    let providers = chain(size, from: Provider { _ in Service() }) { _ = $0.lazy(leaf) }
    return Workload { count in
      for _ in 0..<count {
        let root = Pod()
        let child = root.makeChild { $0.overrideProvider(other, withValue: Service()) }
        for provider in providers { consume(child.resolve(provider)) }
      }
    }
  }

  /// Measures the builder alone, which begins when all children wait.
  private static func buildWithWaiters(_ size: Int) -> Workload {
    let (waiters, other) = (20, Provider { _ in Service() })
    let parts = chain(size + 99, from: Provider { _ in Service() }).suffix(100)
    return Workload(measuringItself: { @MainActor count in
      var time = Duration.zero
      for _ in 0..<count { time += await timeOfBuild(from: Array(parts), waiters, other) }
      return time
    })
  }

  @MainActor private static func timeOfBuild(
    from parts: [Provider<Service>], _ waiterCount: Int, _ other: Provider<Service>
  ) async -> Duration {
    let pod = Pod()
    for part in parts { consume(pod.resolve(part)) }
    // The first child with a change computes all masks, once.
    consume(pod.makeChild { $0.overrideProvider(other, withValue: Service()) }.resolve(parts[0]))
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let (times, result) = AsyncStream.makeStream(of: Duration.self)
    let whole = AsyncProvider { pod in
      for await _ in gate {}
      let time = ContinuousClock().measure {
        for part in parts { consume(pod.resolve(part)) }
      }
      result.yield(time)
      return Service()
    }
    var started = 0
    let waiters = (0..<waiterCount).map { _ in
      // A task that has started on the main actor waits when the main actor runs other code, as in the rows of cancellations.
      Task { @MainActor in
        let child = pod.makeChild { $0.overrideProvider(other, withValue: Service()) }
        started += 1
        consume(try await child.resolve(whole))
      }
    }
    while started < waiterCount { await Task.yield() }
    opening.finish()
    var time = Duration.zero
    for await measured in times {
      time = measured
      break
    }
    for waiter in waiters {
      guard case .success = await waiter.result else { fatalError("a waiter received an error") }
    }
    return time
  }
}
