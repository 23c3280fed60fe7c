/// The time of a manual clock, its sleepers in the order in which they wake, and the tasks that it woke.
struct SleeperQueue {
  /// A sleeper's place: by deadline, then by arrival.
  struct Place: Comparable, Sendable {
    let deadline: ManualClock.Instant
    let arrival: UInt64

    static func < (left: Place, right: Place) -> Bool {
      (left.deadline, left.arrival) < (right.deadline, right.arrival)
    }
  }

  /// A suspended task.
  ///
  /// Next: woken by an advance, or removed by its cancellation.
  struct Sleeper {
    let place: Place
    let task: TaskIdentity
    let continuation: CheckedContinuation<Void, any Error>
  }

  private(set) var now = ManualClock.Instant()
  /// Sorted by place.
  private var sleepers: [Sleeper] = []
  private var arrivals: UInt64 = 0

  /// The number of tasks whose sleep ended and has not returned yet.
  private(set) var waking = 0
  /// The tasks whose sleep returned and that have not slept again.
  ///
  /// A task that waits for a child task stays in the set, and so may a task that has ended, until the tasks have settled.
  private var atWork: Set<TaskIdentity> = []
  /// Whether the advance has woken a task since tasks last settled.
  private var hasWoken = false
  /// The number of changes that tasks made, to notice whether anything happened.
  private(set) var changes: UInt64 = 0

  /// The number of sleepers.
  var count: Int { sleepers.count }
}

// MARK: - Sleeping

extension SleeperQueue {
  /// Returns the place of a new sleeper, or `nil` if its deadline has come already.
  mutating func makePlace(until deadline: ManualClock.Instant) -> Place? {
    guard deadline > now else { return nil }
    arrivals += 1
    return Place(deadline: deadline, arrival: arrivals)
  }

  /// Adds a sleeper.
  ///
  /// - Returns: Whether the sleeper has to wait. The deadline may have come since the sleeper got its place.
  mutating func add(_ sleeper: Sleeper) -> Bool {
    changes += 1
    // Another task that falls asleep, such as a task that the woken task started, says nothing about the woken task.
    atWork.remove(sleeper.task)
    guard sleeper.place.deadline > now else {
      waking += 1
      return false
    }
    sleepers.insert(sleeper, at: index(of: sleeper.place))
    return true
  }

  /// Removes and returns a canceled sleeper, or returns `nil` if the sleeper has not arrived yet or was woken.
  mutating func remove(_ place: Place) -> Sleeper? {
    let index = index(of: place)
    guard index < sleepers.count, sleepers[index].place == place else { return nil }
    changes += 1
    return sleepers.remove(at: index)
  }

  /// Notes that a woken task's sleep returned.
  mutating func noteReturn(of task: TaskIdentity) {
    changes += 1
    waking -= 1
    atWork.insert(task)
  }

  /// The index of a place, or the index at which to insert it.
  private func index(of place: Place) -> Int {
    var low = 0
    var high = sleepers.count
    while low < high {
      let middle = (low + high) / 2
      if sleepers[middle].place < place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

// MARK: - Advancing

extension SleeperQueue {
  /// Moves the time to the next deadline, and returns its sleeper to be woken.
  ///
  /// - Parameter goal: The moment to move the time to if no deadline comes before it, or `nil` to leave the time as it
  ///   is.
  /// - Returns: The sleeper, or `nil` if no sleeper is due.
  mutating func nextSleeper(until goal: ManualClock.Instant?) -> Sleeper? {
    guard isDue(until: goal) else {
      if let goal { now = max(now, goal) }
      return nil
    }
    let sleeper = sleepers.removeFirst()
    now = sleeper.place.deadline
    waking += 1
    hasWoken = true
    return sleeper
  }
}

// MARK: - Settling

extension SleeperQueue {
  /// The number of rounds without a change after which the clock assumes that every task has run as far as it can.
  ///
  /// A busy processor may delay a task for some milliseconds between two of its steps.
  func patience(until goal: ManualClock.Instant?) -> Int {
    // Each woken task sleeps again, so each has run as far as it can.
    if hasWoken, atWork.isEmpty { return 0 }
    // If a sleeper is due, the advance continues anyway. Otherwise the advance may end, and would miss a task that is
    // about to sleep.
    if isDue(until: goal) { return 5 }
    return sleepers.isEmpty && !hasWoken ? 60 : 30
  }

  /// Stops waiting for the tasks that have not slept again: they are done, or wait for something else.
  mutating func finishSettling() {
    atWork = []
    hasWoken = false
  }

  private func isDue(until goal: ManualClock.Instant?) -> Bool {
    guard let next = sleepers.first else { return false }
    return goal.map { next.place.deadline <= $0 } ?? true
  }
}
