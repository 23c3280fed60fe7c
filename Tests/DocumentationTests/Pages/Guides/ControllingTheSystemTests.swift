// snippet: System before
import Foundation
// end
// snippet: System after
import Peapod
import PeapodSystem
// end
// snippet: System test
import PeapodTesting
import Testing
// end

// snippet: System before
private struct Invitation: Equatable, Sendable {
  let id: UUID
  let code: Int
  let expiresAt: Date
}
// end

// snippet: System after
private struct Inviter: Sendable {
  let uuid: UUIDSource
  let random: RandomSource
  let date: DateSource
  let clock: any Clock<Duration>

  func invite() async throws -> Invitation {
    try await clock.sleep(for: .seconds(3600))
    var random = random
    return Invitation(
      id: uuid(), code: Int.random(in: 1000...9999, using: &random), expiresAt: date.now.addingTimeInterval(86_400))
  }
}

private let inviterProvider = Provider { pod in
  Inviter(
    uuid: pod.resolve(.uuid), random: pod.resolve(.random), date: pod.resolve(.date), clock: pod.resolve(.clock))
}
// end

// snippet: System test
@Test(.pod { $0.useDeterministicSystem(now: Date(timeIntervalSince1970: 0), seed: 1) })
private func invites() async throws {
  let invitation = try await Pod.current.resolve(inviterProvider).invite()
  #expect(invitation.id.uuidString == "00000000-0000-0000-0000-000000000000")
  #expect(invitation.code == 6099)
  #expect(invitation.expiresAt == Date(timeIntervalSince1970: 86_400))
}
// end

// snippet: System manual
@Test(.pod { $0.useDeterministicSystem(now: Date(timeIntervalSince1970: 0), seed: 1) })
private func waitsAnHour() async throws {
  let clock = ManualClock()
  Pod.current.overrideProvider(.clock, withValue: clock)
  let inviter = Pod.current.resolve(inviterProvider)
  let invitation = Task { try await inviter.invite() }

  await clock.advance(by: .seconds(3599))
  #expect(clock.sleeperCount == 1)
  await clock.advance(by: .seconds(1))
  #expect(clock.sleeperCount == 0)
  #expect(try await invitation.value.expiresAt == Date(timeIntervalSince1970: 86_400))
}
// end

// snippet: System required
@Suite(.pod { $0.requireOverride(.date, .uuid) })
private struct InviterTests {
  @Test(.pod { $0.useDeterministicSystem(now: Date(timeIntervalSince1970: 0), seed: 1) })
  func expiresAfterADay() async throws {
    let invitation = try await Pod.current.resolve(inviterProvider).invite()
    #expect(invitation.expiresAt == Date(timeIntervalSince1970: 86_400))
  }
}
// end

// snippet: System wrappers
private struct Ticket {
  @Injected(.uuid) var uuid
  @Injected(.date) var date

  func stamp() -> String { "\(uuid()) at \(date.now.timeIntervalSince1970)" }
}
// end

@Suite("Controlling time and chance", .transcript)
struct ControllingTheSystemTests {
  @Test("The code at the beginning compiles, and takes its values from the system")
  func before() async throws {
    // snippet: System before
    struct Inviter: Sendable {
      func invite() async throws -> Invitation {
        try await Task.sleep(for: .seconds(3600))
        return Invitation(
          id: UUID(), code: Int.random(in: 1000...9999), expiresAt: Date().addingTimeInterval(86_400))
      }
    }
    // end
    let task = Task { try await Inviter().invite() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("A property wrapper names a provider of the system")
  func wrappers() throws {
    // snippet: System wrappers use
    let pod = Pod()
    pod.useDeterministicSystem(now: Date(timeIntervalSince1970: 0), seed: 1)
    let ticket = Pod.$current.withValue(pod) { Ticket() }
    print(ticket.stamp())
    // end
    try expectOutput(of: "System wrappers use")
  }

  @Test("A date that follows a manual clock")
  func followingDate() async throws {
    let pod = Pod()
    // snippet: System date
    let clock = ManualClock()
    let start = Date(timeIntervalSince1970: 0)
    pod.overrideProvider(.clock, withValue: clock)
    pod.overrideProvider(.date, withValue: DateSource { start.addingTimeInterval(clock.now.offset / .seconds(1)) })

    await clock.advance(by: .seconds(90))
    print(pod.resolve(.date).now.timeIntervalSince1970)
    // end
    try expectOutput(of: "System date")
  }

  @Test("A test that forgets to override fails with the message that the page shows", .forgottenOverrides)
  func forgotten() {}
}
