import Foundation
import Peapod
import PeapodSystem
import PeapodTesting
import Synchronization
import Testing

@Suite("A deterministic pod")
struct DeterministicSystemTests {
  private static let now = Date(timeIntervalSince1970: 1_700_000_000)

  private final class Overrides: PodObserver {
    private let providers = Mutex<Set<String>>([])
    var names: Set<String> { providers.withLock { $0 } }

    func pod(_ pod: Pod, did event: PodEvent) {
      if case .override(let provider) = event { providers.withLock { _ = $0.insert(provider.name) } }
    }
  }

  @Test("overrides every provider that this module declares, but the URL session")
  func everyProvider() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = root.appending(path: "Sources/PeapodSystem/Providers/SystemProviders.swift")
    let source = try String(contentsOf: file, encoding: .utf8)
    let declared = source.matches(of: #/static let (\w+) = Provider(?:<[^(]+>)?\("(\w+)"\)/#)
    #expect(declared.count >= 9)
    for match in declared { #expect(match.1 == match.2, "the name of a provider is that of its member") }

    let overrides = Overrides()
    Pod(observers: [overrides]).useDeterministicSystem(now: Self.now, seed: 1)
    #expect(overrides.names.union(["urlSession"]) == Set(declared.map { String($0.1) }))
  }

  @Test("gives the values of the table")
  func values() async throws {
    let pod = Pod()
    pod.useDeterministicSystem(now: Self.now, seed: 7)
    #expect(pod.resolve(.date).now == Self.now)
    #expect(pod.resolve(.uuid)() == UUID(uuidString: "00000000-0000-0000-0000-000000000000"))
    #expect(pod.resolve(.uuid)() == UUID(uuidString: "00000000-0000-0000-0000-000000000001"))
    #expect(pod.resolve(.random).next() == RandomSource.seeded(7).next())
    let clock = try #require(pod.resolve(.clock) as? ImmediateClock)
    try await clock.sleep(for: .seconds(5))
    #expect(clock.now.offset == .seconds(5))
    #expect(pod.resolve(.calendar).identifier == .gregorian)
    #expect(pod.resolve(.calendar).timeZone == .gmt)
    #expect(pod.resolve(.calendar).locale?.identifier == "en_US_POSIX")
    #expect(pod.resolve(.locale).identifier == "en_US_POSIX")
    #expect(pod.resolve(.timeZone).secondsFromGMT(for: Self.now) == 0)
    let variableCount = pod.resolve(.environment).variables.count
    #expect(variableCount == 0)
  }

  @Test("R15 reaches instances that were built before, and ends with the overrides")
  func reachesInstances() {
    let stamp = Provider(scope: .singleton) { pod in pod.resolve(.date).now }
    let pod = Pod()
    let real = pod.resolve(stamp)
    pod.useDeterministicSystem(now: Self.now, seed: 1)
    #expect(pod.resolve(stamp) == Self.now)
    pod.removeAllOverrides()
    #expect(pod.resolve(stamp) == real)
  }

  @Test("R18 begins the sequences anew in each override scope")
  func overrideScopes() {
    let pod = Pod()
    pod.useDeterministicSystem(now: Self.now, seed: 1)
    let first = pod.withOverrides { _ in
    } operation: {
      (pod.resolve(.uuid)(), pod.resolve(.random).next())
    }
    let second = pod.withOverrides { _ in
    } operation: {
      (pod.resolve(.uuid)(), pod.resolve(.random).next())
    }
    #expect(first == second)
  }

  @Test("R19 shares its sequences with its children")
  func children() {
    let pod = Pod()
    pod.useDeterministicSystem(now: Self.now, seed: 1)
    let ids = [pod.makeChild().resolve(.uuid)(), pod.resolve(.uuid)(), pod.makeChild().resolve(.uuid)()]
    #expect(ids.map { $0.uuidString.last } == ["0", "1", "2"])
  }

  @Test("R16 yields to an override that follows")
  func replaced() {
    let pod = Pod()
    pod.useDeterministicSystem(now: Self.now, seed: 1)
    pod.overrideProvider(.clock, withValue: ManualClock())
    #expect(pod.resolve(.clock) is ManualClock)
    #expect(pod.resolve(.date).now == Self.now)
  }

  @Test(
    "makes an hour's sleep pass at once in 1,000 test cases, with equal UUIDs and numbers for equal seeds",
    .pod { pod in
      pod.useDeterministicSystem(now: now, seed: 42)
      pod.overrideProvider(.clock, withValue: ManualClock())
    }, .strict, arguments: 0..<1_000)
  func thousandCases(_: Int) async throws {
    let pod = Pod.current
    let clock = try #require(pod.resolve(.clock) as? ManualClock)
    let task = Task {
      try await pod.resolve(.clock).sleep(for: .seconds(3600))
      return (0..<3).map { _ in "\(pod.resolve(.uuid)()) \(pod.resolve(.random).next() % 1_000)" }
    }
    // On a busy machine, the task may begin late.
    await clock.waitForSleepers()
    await clock.run()
    #expect(clock.now.offset == .seconds(3600))
    let numbers = RandomSource.seeded(42)
    let expected = (0..<3).map { "00000000-0000-0000-0000-00000000000\($0) \(numbers.next() % 1_000)" }
    #expect(try await task.value == expected)
  }
}
