/// An operation and the same objects with manual wiring, each with a loop for every one of two threads.
struct Twin: Sendable {
  /// Prepares what a thread needs and returns the loop that is measured.
  typealias Body = @Sendable (_ count: Int) -> () -> Void

  /// What the manual code does, as the table names it.
  let manual: String
  /// The loops of the operation.
  let operation: [Body]
  /// The loops of the manual code.
  let baseline: [Body]

  init(_ manual: String, operation: [Body], baseline: [Body]) {
    self.manual = manual
    self.operation = operation
    self.baseline = baseline
  }

  /// Makes a twin whose two threads run the same loops.
  init(_ manual: String, operation: @escaping Body, baseline: @escaping Body) {
    self.init(manual, operation: [operation, operation], baseline: [baseline, baseline])
  }

  /// Makes a twin of loops that prepare nothing and are the same on both threads.
  init(
    _ manual: String, each operation: @escaping @Sendable () -> Void, against baseline: @escaping @Sendable () -> Void
  ) {
    self.init(
      manual,
      operation: { count in { for _ in 0..<count { operation() } } },
      baseline: { count in { for _ in 0..<count { baseline() } } })
  }
}

// MARK: - Rows

extension Twin {
  /// Makes the rows of the operation beside the manual code, on one thread and on two at once.
  ///
  /// `size` is the number of things that one operation handles.
  func rows(_ section: String, limit: Double? = nil, limitOnTwo: Double? = nil, size: Int = 1) -> [Row] {
    [(1, "on one thread", limit), (2, "on two threads at once, each", limitOnTwo)].map { threads, name, limit in
      Row(
        section, name, against: manual, limit: limit.map { .ratio($0) },
        run: { _ = await onThreads(operation, threads).time($0) }
      ) { effort in
        let times = await effort.forThreads
          .nanoseconds(of: onThreads(operation, threads), and: onThreads(baseline, threads))
        return Measurement(
          .nanoseconds(times.subject / Double(size)), against: .nanoseconds(times.baseline / Double(size)))
      }
    }
  }

  /// Makes the row of the added ratio: what the operation adds to the manual code on two threads ÷ what it adds on one.
  func addedRatioRow(_ section: String, limit: Double? = nil) -> Row {
    Row(
      section, "added cost on two threads", against: "added cost on one thread", limit: limit.map { .ratio($0) }
    ) { effort in
      let times = await effort.forThreads.nanoseconds(of: [
        onThreads(operation, 1), onThreads(baseline, 1), onThreads(operation, 2), onThreads(baseline, 2),
      ])
      return Measurement(.nanoseconds(times[2] - times[3]), against: .nanoseconds(times[0] - times[1]))
    }
  }

  private func onThreads(_ bodies: [Body], _ threads: Int) -> Workload {
    .onThreads(preparing: Array(bodies.prefix(threads)))
  }
}
