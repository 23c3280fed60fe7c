/// How long and how often something is measured.
struct Effort: Sendable {
  /// How long one round of one operation should take.
  var round: Duration
  /// How long all rounds of a row should take, setting up included.
  var budget: Duration
  /// The least and the greatest number of rounds.
  var rounds: ClosedRange<Int>
  /// How many things to make where their memory is measured.
  var population: Int

  static let full = Effort(
    round: .microseconds(25), budget: .milliseconds(400), rounds: 21...4_001, population: 100_000)
  static let quick = Effort(round: .microseconds(25), budget: .milliseconds(80), rounds: 11...1_001, population: 20_000)

  /// The same with rounds that last longer, for what takes time to start.
  func withRounds(of round: Duration) -> Effort {
    var copy = self
    copy.round = round
    return copy
  }
}

// MARK: - Comparing

extension Effort {
  /// Measures two operations in turns and returns the median of the nanoseconds that one operation of each took.
  ///
  /// In each round either may come first, so that neither profits from what the other left behind, and a machine that
  /// slows down slows both.
  func nanoseconds(of subject: Workload, and baseline: Workload) async -> (subject: Double, baseline: Double) {
    let workloads = [subject, baseline]
    var counts: [Int] = []
    for workload in workloads { counts.append(await count(for: workload)) }

    var times: [[Double]] = [[], []]
    let start = ContinuousClock.now
    while times[0].count < rounds.upperBound {
      if times[0].count >= rounds.lowerBound, ContinuousClock.now - start > budget { break }
      for index in workloads.indices.shuffled() {
        times[index].append(await workloads[index].time(counts[index]).nanoseconds / Double(counts[index]))
      }
    }
    return (times[0].median, times[1].median)
  }

  /// Finds how many operations one round takes, which warms the operation up too.
  private func count(for workload: Workload) async -> Int {
    // What only the first runs do, as binding symbols, must not pass for what each run takes: one operation a round would
    // be measured with the clock's own time.
    for _ in 0..<8 { _ = await workload.time(1) }
    var count = 1
    while true {
      let time = min(await workload.time(count), await workload.time(count))
      if time >= round || count >= 1 << 30 { return count }
      let missing = round.nanoseconds / max(time.nanoseconds, 1)
      count *= max(2, min(16, Int(missing)))
    }
  }
}

extension Duration {
  /// The duration in nanoseconds.
  var nanoseconds: Double { self / .nanoseconds(1) }
}

extension [Double] {
  /// The value in the middle.
  var median: Double {
    let sorted = sorted()
    return count.isMultiple(of: 2) ? (sorted[count / 2 - 1] + sorted[count / 2]) / 2 : sorted[count / 2]
  }
}
