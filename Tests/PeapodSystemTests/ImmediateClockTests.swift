import PeapodSystem
import Testing

@Suite("An immediate clock")
struct ImmediateClockTests {
  @Test("moves its time by what was slept")
  func moves() async throws {
    let clock: any Clock<Duration> = ImmediateClock()
    let slept = try await clock.measure {
      try await clock.sleep(for: .seconds(3600))
      try await clock.sleep(for: .milliseconds(1))
    }
    #expect(slept == .milliseconds(3_600_001))
  }

  @Test("does not move back")
  func past() async throws {
    let clock = ImmediateClock()
    try await clock.sleep(for: .seconds(10))
    try await clock.sleep(until: ManualClock.Instant(offset: .seconds(1)))
    try await clock.sleep(for: .seconds(-1))
    #expect(clock.now.offset == .seconds(10))
  }

  @Test("throws in a canceled task, without moving")
  func canceled() async {
    let clock = ImmediateClock()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.now.offset == .zero)
  }

  @Test("lets another task end a loop that sleeps forever")
  func endless() async {
    let clock = ImmediateClock()
    let task = Task {
      while true { try await clock.sleep(for: .seconds(1)) }
    }
    while clock.now.offset < .seconds(3) { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("moves to the latest deadline where many tasks sleep at once")
  func concurrent() async throws {
    let clock = ImmediateClock()
    let start = clock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for second in 1...1_000 {
        group.addTask { try await clock.sleep(until: start.advanced(by: .seconds(second))) }
      }
      try await group.waitForAll()
    }
    #expect(start.duration(to: clock.now) == .seconds(1_000))
  }
}
