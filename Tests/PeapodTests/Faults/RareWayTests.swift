import Peapod
import Testing

/// Ways through the engine that few programs take.
@Suite(.timeLimit(.minutes(20)))
struct RareWayTests {
  private struct Failure: Error {}

  @Test("R6 R13 a graph-scoped builder that throws is tried again within the same resolve, and what it made shared")
  func graphScopedFailure() throws {
    let (attempts, disposed) = (Counter(), Counter())
    let shaky = ThrowingProvider(
      "shaky", scope: GraphScope(),
      { _ in
        if attempts.increment() == 1 { throw Failure() }
        return Tracked()
      }, onDispose: { (_: Tracked) in disposed.increment() })
    let whole = ThrowingProvider(scope: AlwaysCreateNewScope()) { pod in
      #expect(throws: Failure.self) { try pod.resolve(shaky) }
      return (try pod.resolve(shaky), try pod.resolve(shaky))
    }
    let pair = try Pod().resolve(whole)
    #expect(pair.0 === pair.1)
    #expect(attempts.value == 2)
    #expect(disposed.value == 1)
  }

  @Test("R3 R6 R27 a graph-scoped instance under a transient that was built before goes with that resolve")
  func graphUnderTransient() {
    let (population, disposed) = (Population(), Counter())
    let part = Provider(
      "part", scope: GraphScope(), { _ in population.make() }, onDispose: { _ in disposed.increment() })
    let left = Provider("left", scope: AlwaysCreateNewScope()) { pod in pod.resolve(part).serial }
    let both = Provider("both", scope: AlwaysCreateNewScope()) { pod in [pod.resolve(left), pod.resolve(left)] }
    let pod = Pod()
    for round in 1...4 {
      #expect(pod.resolve(both) == [round, round])
      #expect(disposed.value == round)
    }
    #expect(population.live == 0)
  }

  @Test(
    "R3 R12 a transient that comes to need itself after it was built without is a cycle", arguments: [1, 3, 200],
    [false, true])
  func lateCycle(length: Int, isNested: Bool) throws {
    let isLooping = Locked(false)
    let links = Locked<[ThrowingProvider<Int>]>([])
    for position in 0..<length {
      let provider = ThrowingProvider<Int>("link \(position)", scope: AlwaysCreateNewScope()) { pod in
        guard isLooping.withLock({ $0 }) else { return position }
        return try pod.resolve(links.withLock { $0[(position + 1) % length] })
      }
      links.withLock { $0.append(provider) }
    }
    let (pod, all) = (Pod(), links.withLock { $0 })
    for _ in 0..<3 { for (position, link) in all.enumerated() { #expect(try pod.resolve(link) == position) } }
    // A builder that asked its pod before leads to another way of asking.
    if isNested { #expect(pod.resolve(Provider(scope: .alwaysCreateNew) { (try? $0.resolve(all[0])) ?? -1 }) == 0) }
    isLooping.withLock { $0 = true }
    let error = #expect(throws: ProviderCycleError.self) { try pod.resolve(all[0]) }
    let names = try #require(error).path.map(\.name)
    #expect(names.first == names.last)
    #expect(Set(names).count == length && names.count == length + 1)
    isLooping.withLock { $0 = false }
    #expect(try pod.resolve(all[0]) == 0)
    links.withLock { $0 = [] }
  }

  @Test("R10 R19 R27 what a child's builder made past the child, as the root has it already, is the child's")
  func pastTheChild() {
    let (population, disposed) = (Population(), Log<Int>())
    let setting = Provider("setting") { _ in 1 }
    let root = Pod("root")
    let page = Provider("page") { [weak root] _ -> Tracked in
      _ = root?.resolve(setting)
      return population.make()
    } onDispose: {
      disposed.append($0.serial)
    }
    let first = root.resolve(page)
    do {
      let child = root.makeChild("child") { $0.overrideProvider(setting, withValue: 2) }
      let own = child.resolve(page)
      #expect(own !== first)
      #expect(child.resolve(page) === own)
      #expect(root.resolve(page) === first)
      withExtendedLifetime(child) {}
    }
    #expect(disposed.entries == [2])
    #expect(root.resolve(page) === first)
    root.dispose()
    #expect(disposed.entries == [2, 1])
  }

  @Test("R12 R11 a builder that is cleared while it runs and then needs itself is a cycle")
  func detachedCycle() {
    let itself = Locked<ThrowingProvider<Int>?>(nil)
    let provider = ThrowingProvider<Int>("loop", scope: OwnedScope()) { pod in
      pod.clearCachedInstances(forScope: OwnedScope())
      return try pod.resolve(itself.withLock { $0 }!)
    }
    itself.withLock { $0 = provider }
    #expect(throws: ProviderCycleError.self) { try Pod().resolve(provider) }
    itself.withLock { $0 = nil }
  }

  @Test("R1 R22 a member's identity outlives the member")
  func identities() {
    let family = Provider.family("member") { (_, number: Int, text: String) in number }
    let infos = Log<ProviderInfo>()
    do {
      let log = EventLog { _, event in if case .build(let info, _, _) = event { infos.append(info) } }
      let pod = Pod("short", observers: [log])
      for number in 0..<3 { _ = pod.resolve(family(number, "a")) }
    }
    let ids = infos.entries.map(\.id)
    #expect(ids == (0..<3).map { family($0, "a").id })
    #expect(Set(ids + (0..<3).map { family($0, "a").id }).count == 3)
    #expect(ids[0] != family(0, "b").id && ids[0] != family(1, "a").id)
  }

  @Test("R3 R28 what is recorded of a transient does not grow with the members that it asks for")
  func transientOfMembers() {
    let family = Provider.family("member", scope: OwnedScope()) { (_, number: Int) in number }
    let turn = Counter()
    let transient = Provider("transient", scope: .alwaysCreateNew) { $0.resolve(family(turn.increment())) }
    let pod = Pod()
    for round in 1...300 {
      #expect(pod.resolve(transient) == round)
      pod.clearCachedInstances(forScope: OwnedScope())
    }
    #expect(pod.graph.nodes.count < 10)
    #expect(pod.graph.edges.count < 10)
    pod.overrideProvider(family) { _, number in -number }
    #expect(pod.resolve(transient) == -301)
  }

  @Test("R16 R27 members of one overridden family that are built from each other end once each", arguments: 0..<4)
  func overriddenMembers(way: Int) {
    let (population, disposed) = (Population(), Log<Int>())
    for isHooked in [false, true] {
      let family = Provider.family(
        "link", { (_: Pod, _: Int) in population.make() },
        onDispose: isHooked ? { @Sendable (link: Tracked) in disposed.append(link.serial) } : nil)
      let pod = Pod()
      func override() {
        pod.overrideProvider(family) { pod, number in
          population.make(keeping: number.isMultiple(of: 4) ? [] : [pod.resolve(family(number - 1))])
        }
      }
      override()
      // In which order the members are found differs.
      for round in 0..<16 {
        _ = pod.resolve(family(4 * round + round % 3 + 1)).serial
        switch way {
        case 0: pod.removeAllOverrides()
        case 1: pod.removeOverrideProvider(family)
        case 2: break
        default: pod.dispose()
        }
        override()
        #expect(population.live == 0)
      }
    }
    #expect(disposed.count == (0..<16).reduce(0) { $0 + $1 % 3 + 2 })
    #expect(Set(disposed.entries).count == disposed.count)
  }

  @Test("R28 children of one name are told apart by what they hold")
  func namesakes() {
    let root = Pod("root")
    let (first, second) = (Provider("first") { _ in 1 }, Provider("second") { _ in 2 })
    func texts(_ order: [Provider<Int>]) -> String {
      let children = order.map { provider in
        let child = root.makeChild("twin") { $0.overrideProvider(provider, withValue: 0) }
        _ = child.resolve(provider)
        return child
      }
      return withExtendedLifetime(children) { root.graph.mermaid() }
    }
    #expect(texts([first, second]) == texts([second, first]))
  }
}
