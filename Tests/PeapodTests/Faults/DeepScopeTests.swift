import Peapod
import Testing

/// Scopes with very many, changing and calling children.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct DeepScopeTests {
  private struct ChainScope: ProviderScope, Hashable {
    static let depth = 100_000
    var level: Int
    var children: [any ProviderScope] { level < Self.depth ? [ChainScope(level: level + 1)] : [OwnedScope()] }
  }

  /// A scope whose children are whatever is said at the time.
  private struct FickleScope: ProviderScope {
    let says: @Sendable () -> [any ProviderScope]
    var children: [any ProviderScope] { says() }
  }

  private struct Numbered: ProviderScope, Hashable { var number: Int }

  @Test("R4 R20 R27 scopes 100,000 deep are cleared, shut down and owned")
  func chain() async throws {
    let (population, disposed) = (Population(), Counter())
    let bottom = Provider(scope: OwnedScope()) { _ in
      population.make()
    } onDispose: { _ in
      disposed.increment()
    }
    let pod = Pod()
    _ = pod.resolve(bottom).serial
    pod.clearCachedInstances(forScope: ChainScope(level: 0))
    #expect(disposed.value == 1)
    _ = pod.resolve(bottom).serial
    await pod.shutdown(scope: ChainScope(level: 1))
    #expect(disposed.value == 2)
    let child = pod.makeChild(owning: [ChainScope(level: 2)])
    let ofRoot = pod.resolve(bottom)
    #expect(child.resolve(bottom) !== ofRoot)
    pod.clearCachedInstances(forScope: ChainScope(level: 0))
    #expect(child.isCached(bottom))
    #expect(!pod.isCached(bottom))
    child.clearCachedInstances(forScope: ChainScope(level: 50_000))
    #expect(!child.isCached(bottom))
    #expect(disposed.value == 4)
  }

  @Test("R29 a captive below a scope 100,000 levels up is found; its own parent is none")
  func captive() {
    let log = EventLog()
    let pod = Pod("shop", observers: [log])
    let low = Provider("low", scope: OwnedScope()) { _ in 1 }
    let high = Provider("high", scope: ChainScope(level: 0)) { $0.resolve(low) }
    let lowest = Provider("lowest", scope: OwnedScope()) { $0.resolve(high) }
    _ = pod.resolve(lowest)
    #expect(log.lines.filter { $0.hasPrefix("captive") } == ["captive high > low"])
    #expect(pod.graph.captiveDependencies.count == 1)
  }

  @Test("R4 children are asked for at each clear, and may differ each time")
  func changing() {
    let answer = Locked<[any ProviderScope]>([])
    let asked = Counter()
    let scope = FickleScope {
      asked.increment()
      return answer.withLock { $0 }
    }
    let providers = (0..<10).map { number in Provider(scope: Numbered(number: number)) { _ in number } }
    let own = Provider(scope: scope) { _ in -1 }
    let pod = Pod()
    for round in 0..<100 {
      _ = pod.resolve(own)
      for provider in providers { _ = pod.resolve(provider) }
      let number = round % 10
      answer.withLock { $0 = round % 3 == 0 ? [] : [Numbered(number: number), Numbered(number: number)] }
      let before = asked.value
      pod.clearCachedInstances(forScope: scope)
      #expect(asked.value > before)
      #expect(!pod.isCached(own))
      for other in 0..<10 { #expect(pod.isCached(providers[other]) == (round % 3 == 0 || other != number)) }
    }
  }

  @Test("R4 R9 R27 children that change, clear and resolve while other threads clear keep to one disposal each")
  func racing() async throws {
    let (population, disposed) = (Population(), Log<Int>())
    let family = Provider.family(scope: Numbered(number: 0)) { (_, number: Int) in
      population.make()
    } onDispose: { (instance: Tracked) in
      disposed.append(instance.serial)
    }
    let owned = Provider(scope: OwnedScope()) { _ in
      population.make()
    } onDispose: {
      disposed.append($0.serial)
    }
    let pod = Pod()
    let turn = Counter()
    let scope = FickleScope {
      let number = turn.increment()
      _ = pod.resolve(family(number % 7)).serial
      if number % 5 == 0 { pod.clearCachedInstances(forScope: OwnedScope()) }
      return number % 2 == 0 ? [Numbered(number: 0)] : [OwnedScope(), Numbered(number: number)]
    }
    let turns = rounds(3_000)
    try await runThreads(4) { thread in
      for number in 0..<turns {
        switch (thread + number) % 4 {
        case 0: pod.clearCachedInstances(forScope: scope)
        case 1: _ = pod.resolve(owned).serial
        case 2: _ = pod.makeChild(owning: [scope]).resolve(owned).serial
        default: _ = pod.resolve(family(number % 7)).serial
        }
      }
    }
    pod.dispose()
    #expect(disposed.entries.sorted() == Array(1...population.made))
    #expect(population.live == 0)
  }
}
