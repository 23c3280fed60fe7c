extension ManualClock {
  // MARK: - Advancing

  /// Moves the time forward and wakes the sleepers whose deadlines the time reaches.
  ///
  /// Before the time moves, tasks that were started just before get an opportunity to fall asleep. Then the sleepers
  /// wake one at a time, in order. Before the next sleeper wakes, and before the function returns, the clock waits
  /// until two conditions hold for the woken task:
  ///
  /// - Its `sleep` has returned.
  /// - The task has fallen asleep again. Or the main actor has done all that it had to do, and then nothing has happened on
  ///   the clock for 20 or more passes through the executor and a moment of real time.
  ///
  /// The moment is about one millisecond if another sleeper is due, and a few milliseconds otherwise. The clock waits for the
  /// main actor for about half a second at most, but without a limit for a woken task that is on the main actor itself. While the
  /// woken task runs, the sleep of another task does not count, even if the woken task started or awaits that task.
  ///
  /// A test that needs certainty awaits the woken task, or waits for its next sleep with ``waitForSleepers(_:)``. A
  /// task that does other long work may still be working when the function returns.
  ///
  /// Tasks that advance one clock at the same time take turns. Cancellation does not shorten an advance.
  ///
  /// - Parameter duration: The time to add. It must not be negative.
  public nonisolated(nonsending) func advance(by duration: Duration) async {
    guard duration >= .zero else {
      fatalError(
        """
        PeapodSystem: ManualClock.advance(by: \(duration)) would turn the time back. Pass a duration that is not \
        negative, or make a new clock.
        """)
    }
    await inTurn {
      let goal = now.advanced(by: duration)
      await settle(until: goal)
      while let sleeper = state.withLock({ $0.nextSleeper(until: goal) }) {
        sleeper.continuation.resume()
        await settle(until: goal)
      }
    }
  }

  /// Moves the time from deadline to deadline until no task sleeps.
  ///
  /// Tasks that sleep again are woken again, so a task that sleeps in an endless loop keeps the function running until
  /// either task is canceled. For such a task, use ``advance(by:)``. Its documentation also says how far a woken task
  /// runs.
  public nonisolated(nonsending) func run() async {
    await inTurn {
      await settle(until: nil)
      while !Task.isCancelled, let sleeper = state.withLock({ $0.nextSleeper(until: nil) }) {
        sleeper.continuation.resume()
        await settle(until: nil)
      }
    }
  }

  /// Waits until a number of tasks sleep on the clock.
  ///
  /// The function returns early if its own task is canceled.
  ///
  /// - Parameter count: The number of sleepers to wait for.
  public nonisolated(nonsending) func waitForSleepers(_ count: Int = 1) async {
    while sleeperCount < count, !Task.isCancelled { await pause() }
  }

  private nonisolated(nonsending) func inTurn(_ body: () async -> Void) async {
    await withCheckedContinuation { continuation in
      if turns.withLock({ $0.take(continuation) }) { continuation.resume() }
    }
    await body()
    turns.withLock { $0.end() }?.resume()
  }

  // MARK: - Settling

  /// Waits until, as far as the clock can tell, all runnable tasks have run.
  ///
  /// The wait is counted in rounds and not in time, because a busy machine slows the rounds and the other tasks alike.
  private nonisolated(nonsending) func settle(until goal: Instant?) async {
    var changes: UInt64?
    var quietRounds = 0
    // A task of the main actor, which may be busy, is woken on another thread first. So the rounds begin after a turn of the main actor.
    var turn: MainActorTurn?
    var isTurnDue = true
    var turnRounds = 0
    while true {
      for _ in 0..<(quietRounds == 0 ? 20 : 2) { await Task.yield() }
      let (current, isQuiet) = state.withLock { queue in
        let isQuiet = queue.changes == changes && queue.waking == 0 && quietRounds >= queue.patience(until: goal)
        if isQuiet { queue.finishSettling() }
        return (queue.changes, isQuiet)
      }
      if isQuiet { return }
      if current != changes {
        (changes, quietRounds, isTurnDue) = (current, 0, true)
        continue
      }
      if isTurnDue, turn?.isWaiting != true {
        turn = MainActorTurn.next()
        (isTurnDue, turnRounds) = (turn == nil, 0)
      }
      if let waiting = turn, waiting.isWaiting {
        turnRounds += 1
        // After about half a second, the main thread counts as blocked.
        if turnRounds >= 2_500 {
          waiting.giveUp()
          turn = nil
        }
      } else {
        quietRounds += 1
      }
      await pause()
    }
  }

  /// Leaves the processor to other tasks for a moment of real time.
  private nonisolated(nonsending) func pause() async {
    do {
      try await ContinuousClock().sleep(for: .microseconds(200))
    } catch {
      // This task is canceled and cannot sleep, so another task sleeps in its place.
      await Task.detached { try? await ContinuousClock().sleep(for: .microseconds(200)) }.value
    }
  }
}
