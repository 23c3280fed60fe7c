/// One line of the table: an operation, what it is compared with, and what it may cost.
struct Row: Sendable {
  /// The heading that the row belongs to.
  let section: String
  /// The operation.
  let name: String
  /// What the baseline does, if there is one.
  let baseline: String
  /// What the operation may cost, if that is limited.
  let limit: Limit?
  /// Measures the operation and its baseline in the same run.
  let measure: @Sendable (Effort) async -> Measurement
  /// Runs the operation a number of times, for a profiler.
  let run: (@Sendable (_ count: Int) async -> Void)?

  init(
    _ section: String, _ name: String, against baseline: String = "", limit: Limit? = nil,
    run: (@Sendable (_ count: Int) async -> Void)? = nil,
    measure: @escaping @Sendable (Effort) async -> Measurement
  ) {
    self.section = section
    self.name = name
    self.baseline = baseline
    self.limit = limit
    self.run = run
    self.measure = measure
  }

  /// What a row may cost.
  enum Limit {
    /// The operation takes at most this many times what the baseline takes.
    case ratio(Double)
    /// The ratio is at least this: it is one that should be high.
    case gain(Double)
    /// The figure itself is at most this.
    case figure(Double)
    /// The time is at most this.
    case time(Duration)
  }
}

// MARK: - Comparing

extension Row {
  /// Makes a row that compares the time of two operations.
  ///
  /// Where one run of an operation handles many things, the measured times are divided by their numbers, `sizes`.
  init(
    _ section: String, _ name: String, against baselineName: String, limit: Double? = nil, sizes: (Int, Int) = (1, 1),
    subject: Workload, baseline: Workload
  ) {
    self.init(
      section, name, against: baselineName, limit: limit.map { .ratio($0) }, run: { _ = await subject.time($0) }
    ) { effort in
      let times = await effort.nanoseconds(of: subject, and: baseline)
      return Measurement(
        .nanoseconds(times.subject / Double(sizes.0)), against: .nanoseconds(times.baseline / Double(sizes.1)))
    }
  }

  /// Makes a row that counts the heap allocations of an operation.
  static func allocations(of name: String, limit: Double? = 0, _ workload: Workload) -> Row {
    Row("heap allocations of", name, limit: limit.map { .figure($0) }, run: { _ = await workload.time($0) }) { _ in
      Measurement(.allocations(await Heap.allocations(of: workload)))
    }
  }
}
