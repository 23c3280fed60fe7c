import Peapod
import Testing

/// Code of the user's that stops the program: it stops there and then, with its own words, whoever waits for it.
struct TrapTests {
  private static let words = "these are the words of the one who trapped"

  private enum Waited {
    static let pod = Pod()
    static let entered = Gate()
    static let joined = Gate()
    static let provider = Provider<Int> { _ in
      entered.open()
      joined.wait()
      fatalError(TrapTests.words)
    }
    static let above = Provider<Int> { pod in
      joined.open()
      return pod.resolve(provider)
    }
  }

  private enum Hooked {
    static let provider = Provider { _ in
      1
    } onDispose: { _ in
      fatalError(TrapTests.words)
    }
  }

  private struct Rude: PodObserver {
    func pod(_ pod: Pod, did event: PodEvent) { fatalError(TrapTests.words) }
  }

  private struct RudeScope: ProviderScope {
    var children: [any ProviderScope] { fatalError(TrapTests.words) }
  }

  private func expectWords(_ result: ExitTest.Result?) throws {
    #expect(try #require(result).errorText.contains(Self.words))
  }

  @Test("R9 a builder that traps ends the program with its own words, under another that waits for it too")
  func builder() async throws {
    try expectWords(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = try await runThreads(2) { thread in
          if thread == 1 { Waited.entered.wait() }
          return Waited.pod.resolve([Waited.provider, Waited.above][thread])
        }
      })
  }

  @Test("R9 an async builder that traps ends the program with its own words")
  func asyncBuilder() async throws {
    try expectWords(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let provider = AsyncProvider<Int> { _ in
          await Task.yield()
          fatalError(TrapTests.words)
        }
        _ = try await Pod().resolve(provider)
      })
  }

  @Test("R9 a hook that traps ends the program with its own words")
  func hook() async throws {
    try expectWords(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let pod = Pod()
        _ = pod.resolve(Hooked.provider)
        pod.dispose()
      })
  }

  @Test("R9 an observer that traps ends the program with its own words")
  func observer() async throws {
    try expectWords(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Pod("watched", observers: [Rude()]).resolve(Provider { _ in 1 })
      })
  }

  @Test("R9 a scope whose children trap ends the program with its own words")
  func scope() async throws {
    try expectWords(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Pod().clearCachedInstances(forScope: RudeScope())
      })
  }
}
