import Peapod

extension Row {
  /// What many providers, and several threads, cost each other.
  static var population: [Row] {
    [
      Row(
        "cached resolve with 100,000 live providers", "class", against: "with 10 live providers", limit: .ratio(1.1)
      ) { effort in
        // Either population is made and dropped in each turn, so that only one of them is alive at a time.
        var times: [[Double]] = [[], []]
        let sizes = [100_000, 10]
        for _ in 0..<(effort.rounds.lowerBound / 2) {
          for index in sizes.indices.shuffled() { times[index].append(timeWithin(population: sizes[index], effort)) }
        }
        return Measurement(.nanoseconds(times[0].median), against: .nanoseconds(times[1].median))
      }
    ]
  }

  /// Measures cached resolves of ten providers that are spread evenly among many that are all resolved.
  private static func timeWithin(population: Int, _ effort: Effort) -> Double {
    let pod = Pod()
    let providers = (0..<population).map { _ in Provider { _ in Service() } }
    for provider in providers { consume(pod.resolve(provider)) }
    let chosen = (0..<10).map { providers[$0 * (population / 10)] }
    let count = 10_000
    let times = (0..<15).map { _ in
      ContinuousClock().measure {
        for _ in 0..<(count / 10) {
          for provider in chosen { consume(pod.resolve(provider)) }
        }
      }.nanoseconds / Double(count)
    }
    withExtendedLifetime(providers) {}
    return times.median
  }

  static var threads: [Row] {
    let section = "throughput of two threads"
    let first: @Sendable (Int) -> Void = { count in
      for _ in 0..<count { consume(pod.resolve(paddedServices.0)) }
    }
    let second: @Sendable (Int) -> Void = { count in
      for _ in 0..<count { consume(pod.resolve(paddedServices.1)) }
    }
    let firstByHand: @Sendable (Int) -> Void = { count in
      for _ in 0..<count { consume(handMadePaddedServices.0) }
    }
    let secondByHand: @Sendable (Int) -> Void = { count in
      for _ in 0..<count { consume(handMadePaddedServices.1) }
    }
    let look: @Sendable (Int) -> Void = { count in
      for _ in 0..<count { pod.withResolved(service) { inspect($0) } }
    }
    return [
      scaling(section, "different providers, instances on different cache lines", limit: 1.9, first, second),
      scaling(section, "two global objects on different cache lines, by hand", firstByHand, secondByHand),
      scaling(section, "the same provider, bounded by the instance's own count", first, first),
      scaling(section, "the same global object, by hand", firstByHand, firstByHand),
      scaling(section, "the same provider, only looked at", look, look),
    ]
  }

  /// Makes a row that says how much more two threads do in the same time than the first of them does alone.
  private static func scaling(
    _ section: String, _ name: String, limit: Double? = nil, _ first: @escaping @Sendable (Int) -> Void,
    _ second: @escaping @Sendable (Int) -> Void
  ) -> Row {
    Row(
      section, name, against: "one thread", limit: limit.map { .gain($0) },
      run: { _ = await Workload.onThreads([first, second]).time($0) }
    ) { effort in
      let times = await effort.forThreads.nanoseconds(
        of: .onThreads([first, second]), and: .onThreads([first]))
      // Two threads do two operations in the time that is measured.
      let figure = times.subject / 2
      return Measurement(.nanoseconds(figure), beside: .nanoseconds(times.baseline), ratio: times.baseline / figure)
    }
  }
}
