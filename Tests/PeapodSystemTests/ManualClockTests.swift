import Foundation
import PeapodSystem
import Synchronization
import Testing

@Suite("A manual clock", .timeLimit(.minutes(20)))
struct ManualClockTests {
  private let clock = ManualClock()

  @Test("stands still until it is advanced")
  func standsStill() async {
    #expect(clock.now.offset == .zero)
    await clock.advance(by: .milliseconds(1_500))
    #expect(clock.now.offset == .milliseconds(1_500))
    await clock.advance(by: .zero)
    #expect(clock.now == ManualClock.Instant(offset: .milliseconds(1_500)))
  }

  @Test("wakes a sleeper at its deadline and not before")
  func deadline() async throws {
    let log = Log()
    let task = Task {
      try await clock.sleep(for: .seconds(10))
      log.add("awake")
    }
    await clock.advance(by: .milliseconds(9_999))
    #expect(log.lines == [])
    #expect(clock.sleeperCount == 1)
    await clock.advance(by: .milliseconds(1))
    #expect(log.lines == ["awake"])
    try await task.value
  }

  @Test("wakes in the order of deadlines, and reads each sleeper its own deadline", arguments: 0..<20)
  func order(seed: UInt64) async {
    let log = Log()
    var random = RandomSource.seeded(seed)
    let deadlines = (0..<20).map { _ in Int.random(in: 1...1_000, using: &random) }
    for second in deadlines {
      Task {
        try await clock.sleep(for: .seconds(second))
        log.add("\(second) at \(clock.now.offset)")
      }
    }
    await clock.waitForSleepers(20)
    await clock.advance(by: .seconds(1_000))
    #expect(log.lines == deadlines.sorted().map { "\($0) at \(Duration.seconds($0))" })
    #expect(clock.sleeperCount == 0)
  }

  @Test("wakes sleepers of one deadline in the order of their arrival")
  func arrival() async {
    let log = Log()
    for number in 1...20 {
      Task {
        try await clock.sleep(until: ManualClock.Instant(offset: .seconds(5)))
        log.add("\(number)")
      }
      await clock.waitForSleepers(number)
    }
    await clock.advance(by: .seconds(5))
    #expect(log.lines == (1...20).map { "\($0)" })
  }

  @Test("wakes a sleeper that sleeps again at each of its deadlines within one advance")
  func sleepsAgain() async {
    let log = Log()
    let start = clock.now
    let task = Task {
      while true {
        try await clock.sleep(for: .seconds(1))
        log.add("\(start.duration(to: clock.now))")
      }
    }
    await clock.advance(by: .milliseconds(3_500))
    #expect(log.lines == ["1.0 seconds", "2.0 seconds", "3.0 seconds"])
    await clock.advance(by: .milliseconds(500))
    #expect(log.lines.last == "4.0 seconds")
    task.cancel()
  }

  @Test("wakes sleepers that interleave in the order of all their deadlines")
  func interleaved() async {
    let log = Log()
    for period in [2, 3] {
      Task {
        for _ in 0..<4 {
          try await clock.sleep(for: .seconds(period))
          log.add("\(period)@\(clock.now.offset / .seconds(1))")
        }
      }
    }
    await clock.waitForSleepers(2)
    await clock.run()
    // At 6 seconds the sleeper of 3 arrived first: at 3 seconds, before the other at 4.
    #expect(log.lines == ["2@2.0", "3@3.0", "2@4.0", "3@6.0", "2@6.0", "2@8.0", "3@9.0", "3@12.0"])
  }

  @Test("runs until nothing sleeps, sleepers that sleep again included")
  func runs() async {
    let log = Log()
    for number in 1...3 {
      Task {
        for _ in 0..<number { try await clock.sleep(for: .seconds(3_600)) }
        log.add("\(number) at \(clock.now.offset / .seconds(3_600))")
      }
    }
    await clock.run()
    #expect(log.lines == ["1 at 1.0", "2 at 2.0", "3 at 3.0"])
    #expect(clock.sleeperCount == 0)
  }

  @Test("ends a run whose task is canceled, though a task sleeps forever")
  func canceledRun() async {
    let ticker = Task {
      while true { try await clock.sleep(for: .seconds(1)) }
    }
    let run = Task { await clock.run() }
    while clock.now.offset < .seconds(3) { await Task.yield() }
    run.cancel()
    await run.value
    ticker.cancel()
  }

  @Test("does not suspend a sleep of zero or into the past", arguments: [Duration.zero, .seconds(-1)])
  func past(duration: Duration) async throws {
    await clock.advance(by: .seconds(10))
    try await clock.sleep(for: duration)
    try await clock.sleep(until: clock.now.advanced(by: duration))
    #expect(clock.now.offset == .seconds(10))
  }

  @Test("waits for a woken task in a canceled advance too", arguments: 0..<10)
  func canceledAdvance(_: Int) async throws {
    let log = Log()
    let sleeper = Task {
      try await clock.sleep(for: .seconds(1))
      try await ContinuousClock().sleep(for: .milliseconds(3))
      log.add("awake")
    }
    await clock.waitForSleepers()
    let advance = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await clock.advance(by: .seconds(1))
      log.add("advanced")
    }
    await advance.value
    try await sleeper.value
    #expect(log.lines == ["awake", "advanced"])
  }

  @Test("throws at once when a sleeper is canceled, and lets the others sleep")
  func canceled() async throws {
    let first = Task { try await clock.sleep(for: .seconds(1)) }
    let second = Task { try await clock.sleep(for: .seconds(2)) }
    await clock.waitForSleepers(2)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(clock.sleeperCount == 1)
    #expect(clock.now.offset == .zero)
    await clock.run()
    try await second.value
    #expect(clock.now.offset == .seconds(2))
  }

  @Test("throws in a task that was canceled before it sleeps", arguments: [Duration.zero, .seconds(1)])
  func canceledBefore(duration: Duration) async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: duration)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test("ends each sleep once, however cancellations and advances meet", arguments: 0..<20)
  func race(_: Int) async {
    let tasks = (0..<50).map { second in Task { try await clock.sleep(for: .seconds(second % 5 + 1)) } }
    await clock.waitForSleepers(50)
    async let advance: Void = clock.run()
    for task in tasks where Bool.random() { task.cancel() }
    for task in tasks { _ = await task.result }
    await advance
    #expect(clock.sleeperCount == 0)
  }

  @Test("lets tasks that advance it at the same time take turns")
  func turns() async {
    await withTaskGroup { group in
      for _ in 0..<20 { group.addTask { await clock.advance(by: .seconds(1)) } }
    }
    #expect(clock.now.offset == .seconds(20))
  }

  @Test("lets a woken task advance it, after the advance that woke the task")
  func nested() async throws {
    let task = Task {
      try await clock.sleep(for: .seconds(1))
      await clock.advance(by: .seconds(1))
    }
    await clock.advance(by: .seconds(1))
    try await task.value
    #expect(clock.now.offset == .seconds(2))
  }

  @Test("waits for a woken task, though a task that the woken task started falls asleep")
  func startsSleeper() async throws {
    let log = Log()
    let first = Task {
      try await clock.sleep(for: .seconds(1))
      let started = Task { try await clock.sleep(for: .seconds(100)) }
      await MainActor.run { _ = usleep(20_000) }
      log.add("first")
      started.cancel()
    }
    let second = Task {
      try await clock.sleep(for: .seconds(2))
      log.add("second")
    }
    await clock.waitForSleepers(2)
    await clock.advance(by: .seconds(10))
    try await first.value
    try await second.value
    #expect(log.lines == ["first", "second"])
  }

  @Test("waits for a woken task that runs a task group, though a child of the group falls asleep")
  func startsGroup() async throws {
    let log = Log()
    let first = Task {
      try await clock.sleep(for: .seconds(1))
      try await withThrowingTaskGroup { group in
        group.addTask { try await clock.sleep(for: .seconds(100)) }
        group.addTask {
          await MainActor.run { _ = usleep(20_000) }
          log.add("first")
        }
        try await group.next()
        group.cancelAll()
      }
    }
    let second = Task {
      try await clock.sleep(for: .seconds(2))
      log.add("second")
    }
    await clock.waitForSleepers(2)
    await clock.advance(by: .seconds(10))
    try await second.value
    _ = await first.result
    #expect(log.lines == ["first", "second"])
  }

  @Test("wakes the child of a woken task that waits for the child")
  func awaitsChild() async throws {
    let log = Log()
    let task = Task {
      for _ in 0..<3 {
        try await clock.sleep(for: .seconds(1))
        async let child: Void = clock.sleep(for: .seconds(1))
        try await child
        log.add("\(clock.now.offset)")
      }
    }
    await clock.waitForSleepers()
    await clock.advance(by: .seconds(6))
    try await task.value
    #expect(log.lines == ["2.0 seconds", "4.0 seconds", "6.0 seconds"])
  }

  @MainActor @Test("brings the main actor's models up to date", arguments: 0..<20)
  func mainActor(_: Int) async {
    final class Model {
      var ticks = 0
    }
    let model = Model()
    let clock: any Clock<Duration> = clock
    let task = Task {
      while true {
        try await clock.sleep(for: .seconds(1))
        model.ticks += 1
      }
    }
    await self.clock.advance(by: .seconds(2))
    #expect(model.ticks == 2)
    task.cancel()
  }

  @MainActor
  @Test(
    "reads a task of the main actor its own deadline, though the main actor is busy when the task wakes",
    arguments: [false, true])
  func busyMainActor(hasOtherSleeper: Bool) async throws {
    let clock = clock
    if hasOtherSleeper {
      // It begins to sleep while the clock waits for the main actor.
      Task.detached {
        while clock.now.offset == .zero { await Task.yield() }
        usleep(12_000)
        try await clock.sleep(for: .seconds(1))
      }
    }
    let sleeper = Task { @MainActor in
      try await clock.sleep(for: .seconds(1))
      return clock.now.offset
    }
    await clock.waitForSleepers()
    let advance = Task.detached { await clock.advance(by: .seconds(10)) }
    await Task.yield()
    usleep(60_000)
    #expect(try await sleeper.value == .seconds(1))
    await advance.value
  }

  @Test("brings a task up to date that goes from actor to actor")
  func actors() async {
    actor Counter {
      private(set) var count = 0
      func increment() { count += 1 }
    }
    let left = Counter()
    let right = Counter()
    Task {
      try await clock.sleep(for: .seconds(1))
      for _ in 0..<5 {
        await left.increment()
        await right.increment()
      }
    }
    await clock.advance(by: .seconds(1))
    #expect(await right.count == 5)
  }

  @Test("retains nothing when its sleepers are done")
  func released() async {
    weak var released: ManualClock?
    do {
      let clock = ManualClock()
      released = clock
      let task = Task { try await clock.sleep(for: .seconds(1)) }
      await clock.run()
      _ = await task.result
    }
    #expect(released == nil)
  }

  @Test("stops with a message when time would turn back")
  func negative() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await ManualClock().advance(by: .seconds(-1))
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("ManualClock.advance(by: -1.0 seconds) would turn the time back"))
  }
}

/// Lines in the order in which tasks add them.
private final class Log: Sendable {
  private let added = Mutex<[String]>([])
  var lines: [String] { added.withLock { $0 } }

  func add(_ line: String) { added.withLock { $0.append(line) } }
}
