import Peapod
import Testing

/// Rule 12 for the kinds that cannot throw: the program stops with a text that says what, where and how to mend it.
struct CycleExitTests {
  private enum Plain {
    static let first: Provider<Tracked> = Provider("first", fileID: "App/First.swift", line: 11) { pod in
      Tracked(keeping: [pod.resolve(second)])
    }
    static let second: Provider<Tracked> = Provider("second", fileID: "App/Second.swift", line: 22) { pod in
      Tracked(keeping: [pod.resolve(third)])
    }
    static let third: Provider<Tracked> = Provider("third", fileID: "App/Third.swift", line: 33) { pod in
      Tracked(keeping: [pod.resolve(first)])
    }
    static let places = ["App/First.swift:11", "App/Second.swift:22", "App/Third.swift:33"]
  }

  private enum Main {
    static let first: MainActorProvider<Tracked> = MainActorProvider(fileID: "App/First.swift", line: 11) { pod in
      Tracked(keeping: [pod.resolve(second)])
    }
    static let second: MainActorProvider<Tracked> = MainActorProvider(fileID: "App/Second.swift", line: 22) { pod in
      Tracked(keeping: [pod.resolve(first)])
    }
  }

  private enum Lent {
    static let itself: Provider<Tracked> = Provider(fileID: "App/Itself.swift", line: 5) { pod in
      pod.withResolved(itself) { Tracked(keeping: [copy $0]) }
    }
  }

  private enum Fresh {
    static let itself: Provider<Tracked> = Provider(
      scope: .alwaysCreateNew, fileID: "App/Fresh.swift", line: 6
    ) { pod in Tracked(keeping: [pod.resolve(itself)]) }
  }

  private enum OneUse {
    static let itself: Provider<Int> = Provider(fileID: "App/OneUse.swift", line: 7) { pod in
      pod.withFreshInstance(of: itself) { $0 }
    }
  }

  private enum Pods {
    static let one = Pod("one")
    static let two = Pod("two")
    static let upper: Provider<Int> = Provider(fileID: "App/Upper.swift", line: 1) { _ in two.resolve(lower) }
    static let lower: Provider<Int> = Provider(fileID: "App/Lower.swift", line: 2) { _ in one.resolve(upper) }
  }

  private enum Threads {
    static let pod = Pod()
    static let started = [Gate(), Gate()]
    static let one: Provider<Int> = Provider(fileID: "App/One.swift", line: 1) { pod in
      started[0].open()
      started[1].wait()
      return pod.resolve(two)
    }
    static let two: Provider<Int> = Provider(fileID: "App/Two.swift", line: 2) { pod in
      started[1].open()
      started[0].wait()
      return pod.resolve(one)
    }
  }

  private enum Mixed {
    static let plain: Provider<Int> = Provider(fileID: "App/Plain.swift", line: 1) { pod in
      (try? pod.resolve(throwing)) ?? 0
    }
    static let throwing: ThrowingProvider<Int> = ThrowingProvider(fileID: "App/Throwing.swift", line: 2) { pod in
      pod.resolve(plain)
    }
  }

  @Test("R12 a cycle of providers")
  func plain() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Pod().resolve(Plain.first)
    }
    let text = try #require(result).errorText
    expectCycleText(text, lists: Plain.places)
    for name in ["first", "second", "third"] { #expect(text.contains(name)) }
  }

  @Test("R12 a cycle of main-actor providers, named by their value type")
  func main() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      _ = Pod().resolve(Main.first)
    }
    let text = try #require(result).errorText
    expectCycleText(text, lists: ["App/First.swift:11", "App/Second.swift:22"])
    #expect(text.contains("Tracked"))
  }

  @Test("R12 a cycle through withResolved")
  func lent() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Pod().resolve(Lent.itself)
    }
    expectCycleText(try #require(result).errorText, lists: ["App/Itself.swift:5"])
  }

  @Test("R12 a cycle of a provider that is always built anew is no stack overflow")
  func fresh() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Pod().resolve(Fresh.itself)
    }
    expectCycleText(try #require(result).errorText, lists: ["App/Fresh.swift:6"])
  }

  @Test("R12 R25 a cycle of a provider that builds itself for one use is no stack overflow")
  func oneUse() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Pod().resolve(OneUse.itself)
    }
    expectCycleText(try #require(result).errorText, lists: ["App/OneUse.swift:7"])
  }

  @Test("R12 a cycle across pods")
  func pods() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Pods.one.resolve(Pods.upper)
    }
    expectCycleText(try #require(result).errorText, lists: ["App/Upper.swift:1", "App/Lower.swift:2"])
  }

  @Test("R12 a cycle that two threads enter from opposite ends")
  func threads() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await runThreads(2) { Threads.pod.resolve([Threads.one, Threads.two][$0]) }
    }
    expectCycleText(try #require(result).errorText, lists: ["App/One.swift:1", "App/Two.swift:2"])
  }

  @Test("R12 a throwing provider on the cycle does not help the one that cannot throw")
  func mixed() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Pod().resolve(Mixed.plain)
    }
    expectCycleText(try #require(result).errorText, lists: ["App/Plain.swift:1", "App/Throwing.swift:2"])
  }
}
