import Foundation
import Peapod
import PeapodSystem
import PeapodTesting
import Testing

@Suite("The system's providers in a test")
struct SystemProviderTests {
  @Test(
    "that must be overridden are named when they are not",
    .expectsIssues("date (PeapodSystem/", "clock (PeapodSystem/"), .pod { $0.requireOverride(.date, .clock) })
  func missing() {}

  @Test(
    "that must be overridden are named when the real ones were built",
    .expectsIssue("date (PeapodSystem/", "was built by its own builder"), .pod { $0.requireOverride(.date) })
  func builtForReal() {
    _ = Pod.current.resolve(.date).now
  }

  @Test(
    "are all overridden by a deterministic system, of which a strict test may resolve any part", .strict,
    .pod {
      $0.requireOverride(.date, .uuid, .random, .clock, .calendar, .locale, .timeZone, .environment)
      $0.useDeterministicSystem(now: Date(timeIntervalSince1970: 0), seed: 1)
    })
  func deterministic() {
    #expect(Pod.current.resolve(.date).now == Date(timeIntervalSince1970: 0))
  }

  @Test(
    "stay a set, of which a strict test may resolve any part, where a child overrides one of them", .strict,
    .pod { $0.useDeterministicSystem(now: Date(timeIntervalSince1970: 0), seed: 1) })
  func overriddenInChild() {
    let child = Pod.current.makeChild { $0.overrideProvider(.clock, withValue: ManualClock()) }
    #expect(child.resolve(.clock) is ManualClock)
  }

  @Test(
    "are missed by a strict test that overrides one of them itself",
    .expectsIssue("The override of date: DateSource", "never resolved"), .strict,
    .pod {
      $0.useDeterministicSystem(now: Date(timeIntervalSince1970: 0), seed: 1)
      $0.overrideProvider(.date, withValue: .constant(.distantPast))
    })
  func replaced() {}
}
