/// How long and how often something is measured.
struct Effort: Sendable {
  /// How long one round of one operation should take.
  var round: Duration
  /// How long all rounds of a row should take, setting up included.
  var budget: Duration
  /// The least and the greatest number of rounds.
  var rounds: ClosedRange<Int>
  /// Which of the sorted rounds counts: 0.5 is the median, less is a faster round.
  var quantile = 0.5
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

  /// The same for threads that need a core each: longer rounds, four times as many, of which a fast one counts.
  ///
  /// Starting threads takes longer than a round of a loop. Where another process takes a core from one of the threads, that
  /// round measures the process. No round is faster than it could be on undisturbed cores, so the fast rounds are right.
  var forThreads: Effort {
    var copy = withRounds(of: .microseconds(300))
    copy.budget = budget * 4
    copy.quantile = 0.1
    return copy
  }
}

// MARK: - Comparing

extension Effort {
  /// Measures two operations in turns and returns the nanoseconds that one operation of each took in the median round.
  func nanoseconds(of subject: Workload, and baseline: Workload) async -> (subject: Double, baseline: Double) {
    let medians = await nanoseconds(of: [subject, baseline])
    return (medians[0], medians[1])
  }

  /// Measures operations in turns and returns the nanoseconds that one operation of each took in the round that counts.
  ///
  /// In each round any operation may come first, so that none profits from what another left behind, and a machine that
  /// slows down slows all.
  func nanoseconds(of workloads: [Workload]) async -> [Double] {
    var counts: [Int] = []
    for workload in workloads { counts.append(await count(for: workload)) }

    var times = [[Double]](repeating: [], count: workloads.count)
    let start = ContinuousClock.now
    while times[0].count < rounds.upperBound {
      if times[0].count >= rounds.lowerBound, ContinuousClock.now - start > budget { break }
      for index in workloads.indices.shuffled() {
        times[index].append(await workloads[index].time(counts[index]).nanoseconds / Double(counts[index]))
      }
    }
    return times.map { $0.value(at: quantile) }
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
  var median: Double { value(at: 0.5) }

  /// The value at a place of the sorted values, from 0 for the least to 1 for the greatest.
  func value(at quantile: Double) -> Double {
    let sorted = sorted()
    let place = quantile * Double(count - 1)
    let (lower, upper) = (sorted[Int(place.rounded(.down))], sorted[Int(place.rounded(.up))])
    return (lower + upper) / 2
  }
}
