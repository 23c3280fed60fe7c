import Foundation
import Peapod
import Testing

/// Rule 29: captive dependencies.
@Suite struct CaptiveTests {
  private struct GateScope: ProviderScope {}
  private struct OuterScope: ProviderScope {
    var children: [any ProviderScope] { [OwnedScope()] }
  }

  private func captives(_ log: EventLog) -> [String] { log.lines.filter { $0.hasPrefix("captive") } }

  @Test("R29 a singleton built from a scoped instance is a captive, told once for the pair")
  func oncePerPair() {
    let log = EventLog()
    let pod = Pod("shop", observers: [log])
    let session = Provider("session", scope: OwnedScope()) { _ in Part("session") }
    let single = Provider("single") { Part("single", [$0.resolve(session), $0.resolve(session)]) }
    _ = pod.resolve(single)
    #expect(captives(log) == ["captive single > session"])
    for _ in 0..<3 {
      pod.clearCachedInstances(forScope: OwnedScope())
      pod.clearCachedInstance(of: single)
      _ = pod.resolve(single)
    }
    _ = pod.makeChild { $0.overrideProvider(session) { _ in Part("mock") } }.resolve(single)
    #expect(captives(log) == ["captive single > session"])
    #expect(pod.graph.captiveDependencies.map { [$0.dependent.name, $0.dependency.name] } == [["single", "session"]])
  }

  @Test("R28 R29 pairs of providers of one line and name are always in the same order")
  func sameLine() {
    let pod = Pod("shop")
    let sessions = (0..<4).map { _ in Provider("session", scope: OwnedScope()) { _ in Part("session") } }
    let singles = sessions.map { session in Provider("single") { Part("single", [$0.resolve(session)]) } }
    for single in singles { _ = pod.resolve(single) }
    #expect(Set((0..<100).map { _ in pod.graph.description }).count == 1)
    let providers = pod.graph.nodes.map(\.provider)
    #expect(providers.allSatisfy { one in providers.allSatisfy { one == $0 || (one < $0) != ($0 < one) } })
  }

  @Test("R29 a graph with the dependent has the pair, even before the observers are notified of the pair")
  func graphDuringBuildEvent() {
    let counts = Locked<[Int]>([])
    struct Observer: PodObserver {
      let counts: Locked<[Int]>
      func pod(_ pod: Pod, did event: PodEvent) {
        guard case .build(let provider, _, _) = event, provider.name == "single" else { return }
        counts.withLock { $0.append(pod.graph.captiveDependencies.count) }
      }
    }
    let pod = Pod("shop", observers: [Observer(counts: counts)])
    let session = Provider("session", scope: OwnedScope()) { _ in Part("session") }
    let single = Provider("single") { Part("single", [$0.resolve(session)]) }
    _ = pod.resolve(single)
    #expect(counts.withLock { $0 } == [1])
  }

  @Test("R29 a pair of a family member that is deallocated and made again is reported once")
  func memberMadeAgain() {
    let log = EventLog()
    let pod = Pod("shop", observers: [log])
    let session = Provider("session", scope: OwnedScope()) { _ in Part("session") }
    let family = Provider.family("member") { (pod, number: Int) in Part("\(number)", [pod.resolve(session)]) }
    for _ in 0..<3 {
      _ = (pod.resolve(family(1)), pod.resolve(family(2)))
      pod.refresh(session)
    }
    #expect(captives(log) == ["captive member(1) > session", "captive member(2) > session"])
    #expect(pod.graph.captiveDependencies.count == 2)
  }

  @Test("R29 a root forgets what it reported of the members of a family after 1,000 of them")
  func manyMembers() {
    let log = EventLog()
    let pod = Pod("shop", observers: [log])
    let session = Provider("session", scope: OwnedScope()) { _ in Part("session") }
    let family = Provider.family("member", scope: GateScope()) { (pod, number: Int) in
      Part("\(number)", [pod.resolve(session)])
    }
    func resolve(_ numbers: Range<Int>) {
      for number in numbers { _ = pod.makeChild(owning: [GateScope()]).resolve(family(number)) }
    }
    resolve(0..<1_000)
    resolve(0..<1)
    #expect(captives(log).count == 1_000)
    resolve(1_000..<1_001)
    resolve(0..<1)
    #expect(captives(log).suffix(2) == ["captive member(1000) > session", "captive member(0) > session"])
  }

  @Test("R27 R29 a pod forgets pairs of ended instances after 1,000 of them, and its graph has those of cached ones")
  func endedPairs() {
    let pod = Pod()
    let session = Provider("session", scope: OwnedScope()) { _ in Part("session") }
    let lasting = Provider("lasting") { Part("lasting", [$0.resolve(session)]) }
    let family = Provider.family("member", scope: GateScope()) { (pod, number: Int) in
      Part("\(number)", [pod.resolve(session)])
    }
    _ = pod.resolve(lasting)
    for number in 0..<1_500 {
      _ = pod.resolve(family(number))
      pod.clearCachedInstances(forScope: GateScope())
    }
    let pairs = pod.graph.captiveDependencies
    #expect(pairs.count < 1_000)
    #expect(pairs.contains { $0.dependent.name == "lasting" })
  }

  @Test("R29 a constant override is not captive, since it is the answer again after a clear")
  func constantOverride() {
    let log = EventLog()
    let pod = Pod("shop", observers: [log])
    let session = Provider("session", scope: OwnedScope()) { _ in Part("session") }
    let single = Provider("single") { Part("single", [$0.resolve(session)]) }
    pod.overrideProvider(session, withValue: Part("mock"))
    let first = pod.resolve(single)
    pod.clearCachedInstances(forScope: OwnedScope())
    #expect(pod.resolve(single) === first)
    #expect(captives(log).isEmpty)
    #expect(pod.graph.captiveDependencies.isEmpty)
  }

  @Test("R29 each pair is told, also where the dependency was cached already")
  func cachedDependency() {
    let log = EventLog()
    let pod = Pod("shop", observers: [log])
    let session = Provider("session", scope: OwnedScope()) { _ in Part("session") }
    let first = Provider("first") { Part("first", [$0.resolve(session)]) }
    let second = Provider("second") { Part("second", [$0.resolve(session)]) }
    _ = (pod.resolve(session), pod.resolve(first), pod.resolve(second))
    #expect(captives(log).sorted() == ["captive first > session", "captive second > session"])
    #expect(pod.graph.captiveDependencies.count == 2)
  }

  @Test("R29 through a transient, the pair names the keeper and the one that can be cleared")
  func throughTransients() {
    let log = EventLog()
    let pod = Pod("shop", observers: [log])
    let session = Provider("session", scope: OwnedScope()) { _ in Part("session") }
    let lower = Provider("lower", scope: .alwaysCreateNew) { Part("lower", [$0.resolve(session)]) }
    let upper = Provider("upper", scope: .alwaysCreateNew) { Part("upper", [$0.resolve(lower)]) }
    let single = Provider("single") { Part("single", [$0.resolve(upper)]) }
    _ = pod.resolve(upper)
    #expect(captives(log) == [])
    _ = pod.resolve(single)
    #expect(captives(log) == ["captive single > session"])
  }

  @Test("R29 through what no pod keeps for long, the pair names the keeper and the one that can be cleared")
  func throughOthersThatAreNotKept() {
    func captivesThrough(_ scope: some ProviderScope) -> [String] {
      let log = EventLog()
      let pod = Pod("shop", observers: [log])
      let session = Provider("session", scope: OwnedScope()) { _ in Part("session") }
      let lower = Provider("lower", scope: scope) { Part("lower", [$0.resolve(session)]) }
      let between = Provider("between", scope: .alwaysCreateNew) { Part("between", [$0.resolve(lower)]) }
      let single = Provider("single") { Part("single", [$0.resolve(between), $0.resolve(lower)]) }
      // What is there already is a part as any other.
      let held = pod.resolve(lower)
      #expect(captives(log) == [])
      _ = pod.resolve(single)
      _ = held
      return captives(log)
    }
    #expect(captivesThrough(.graph) == ["captive single > session"])
    #expect(captivesThrough(.weak) == ["captive single > session"])
  }

  @Test("R29 a shorter scope under a longer one is told for scopes of one's own too")
  func scopesOfOnesOwn() {
    let log = EventLog()
    let pod = Pod("shop", observers: [log])
    let inner = Provider("inner", scope: OwnedScope()) { _ in Part("inner") }
    let outer = Provider("outer", scope: OuterScope()) { Part("outer", [$0.resolve(inner)]) }
    let other = Provider("other", scope: StrangerScope()) { Part("other", [$0.resolve(outer)]) }
    _ = pod.resolve(other)
    #expect(captives(log).sorted() == ["captive other > outer", "captive outer > inner"])
  }

  private struct StrangerScope: ProviderScope {}

  @Test("R29 no captive: within a scope, from a child scope to its parent, deferred, weak, transient, singleton")
  func notCaptive() {
    let log = EventLog()
    let pod = Pod("shop", observers: [log])
    let single = Provider("single") { _ in Part("single") }
    let outer = Provider("outer", scope: OuterScope()) { Part("outer", [$0.resolve(single)]) }
    let inner = Provider("inner", scope: OwnedScope()) { Part("inner", [$0.resolve(outer), $0.resolve(single)]) }
    let beside = Provider("beside", scope: OwnedScope()) { Part("beside", [$0.resolve(inner)]) }
    let weak = Provider("weak", scope: .weak) { _ in Part("weak") }
    let graph = Provider("graph", scope: .graph) { _ in Part("graph") }
    let fresh = Provider("fresh", scope: .alwaysCreateNew) { Part("fresh", [$0.resolve(inner)]) }
    let keeper = Provider("keeper") { pod in
      _ = pod.lazy(inner)
      _ = pod.factory(beside)
      return Part("keeper", [pod.resolve(weak), pod.resolve(graph), pod.resolve(single)])
    }
    _ = (pod.resolve(beside), pod.resolve(keeper), pod.resolve(fresh))
    #expect(captives(log) == [])
    #expect(pod.graph.captiveDependencies.isEmpty)
  }

  @Test("R20 R29 a singleton that lives in a child only because of a scope the child owns is a captive")
  func singletonInChild() {
    let log = EventLog()
    let root = Pod("root", observers: [log])
    let request = Provider("request", scope: AccountScope()) { _ in Part("request") }
    let single = Provider("single") { Part("single", [$0.resolve(request)]) }
    let child = root.makeChild("child", owning: [AccountScope()])
    _ = child.resolve(single)
    #expect(captives(log) == ["captive single > request"])
    #expect(root.graph.children.flatMap(\.captiveDependencies).map(\.dependent.name) == ["single"])
    _ = root.makeChild("other", owning: [AccountScope()]).resolve(single)
    #expect(captives(log) == ["captive single > request"])
  }

  @Test("R10 R29 a dependency that a builder resolved from another pod is captive too", arguments: [false, true])
  func otherPod(isParent: Bool) {
    let log = EventLog()
    let other = Pod("other", observers: [log])
    let pod = isParent ? other.makeChild("child", owning: [OwnedScope()]) : Pod("pod", observers: [log])
    let session = Provider("session", scope: GateScope()) { _ in Part("session") }
    let single = Provider("single", scope: OwnedScope()) { _ in Part("single", [other.resolve(session)]) }
    let kept = pod.resolve(single)
    #expect(captives(log) == ["captive single > session"])
    other.clearCachedInstances(forScope: GateScope())
    #expect(pod.resolve(single) === kept)
    let same = Provider("same", scope: OwnedScope()) { _ in Part("same") }
    let user = Provider("user", scope: OwnedScope()) { _ in Part("user", [other.resolve(same)]) }
    _ = pod.resolve(user)
    let keeper = Provider("keeper") { _ in Part("keeper", [other.resolve(session)]) }
    _ = pod.resolve(keeper)
    #expect(captives(log) == ["captive single > session", "captive user > same", "captive keeper > session"])
  }

  @Test("R20 R29 a dependent in a child of the scope is captive where a child pod owns the child scope")
  func ownedChildScope() {
    let log = EventLog()
    let root = Pod("root", observers: [log])
    let trip = Provider("trip", scope: OuterScope()) { _ in Part("trip") }
    let stop = Provider("stop", scope: OwnedScope()) { Part("stop", [$0.resolve(trip)]) }
    _ = root.resolve(stop)
    #expect(captives(log) == [])
    let child = root.makeChild("child", owning: [OwnedScope()])
    let kept = child.resolve(stop)
    #expect(captives(log) == ["captive stop > trip"])
    root.clearCachedInstances(forScope: OuterScope())
    #expect(child.resolve(stop) === kept)
  }

  @Test("R29 captives are found in every kind", arguments: ProviderKind.allCases)
  func everyKind(_ kind: ProviderKind) async throws {
    let log = EventLog()
    let pod = Pod("shop", observers: [log])
    let session = Plant.leaf(kind, "session", scope: OwnedScope())
    let single = session.dependent("single")
    _ = try await single.resolve(in: pod)
    await eventually("it is told") { captives(log).count == 1 }
    #expect(captives(log) == ["captive single > session"])
  }

  @Test("R29 an override may make a captive or end it")
  func overridden() {
    let log = EventLog()
    let pod = Pod("shop", observers: [log])
    let session = Provider("session", scope: OwnedScope()) { _ in Part("session") }
    let single = Provider("single") { Part("single", [$0.resolve(session)]) }
    pod.overrideProvider(session, scope: .singleton) { _ in Part("longer") }
    _ = pod.resolve(single)
    #expect(captives(log) == [])
    pod.removeAllOverrides()
    _ = pod.resolve(single)
    #expect(captives(log) == ["captive single > session"])
  }

  #if DEBUG
    @Test("R29 in debug builds a captive is printed once, with both declarations and the remedy")
    func printed() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let pod = Pod("shop")
        let session = Provider("session", scope: OwnedScope()) { _ in Part("session") }
        let single = Provider("single") { Part("single", [$0.resolve(session)]) }
        for _ in 0..<3 {
          _ = pod.resolve(single)
          pod.clearCachedInstance(of: single)
        }
      }
      let text = try #require(result?.errorText)
      #expect(text.components(separatedBy: "captive").count == 2)
      for part in ["single", "session", "CaptiveTests.swift:", "OwnedScope"] { #expect(text.contains(part), "\(part)") }
      #expect(text.contains("lazy") || text.contains("factory") || text.contains("scope"))
    }

    @Test("R29 the message names the dependency of the keeper that leads to the captive one, and a factory of that one")
    func printedWithTheWay() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let session = Provider("session", scope: OwnedScope()) { _ in Part("session") }
        let lower = Provider("lower", scope: .alwaysCreateNew) { Part("lower", [$0.resolve(session)]) }
        let upper = Provider("upper", scope: .alwaysCreateNew) { Part("upper", [$0.resolve(lower)]) }
        let single = Provider("single") { Part("single", [$0.resolve(upper)]) }
        _ = Pod("shop").resolve(single)
      }
      let text = try #require(result?.errorText)
      #expect(text.contains("through upper (PeapodTests/CaptiveTests.swift:"))
      #expect(text.contains("a factory of upper"))
      #expect(!text.contains("lower"))
    }

    @Test("R29 where a child pod owns the child scope, the fix is a factory alone")
    func printedOfChildScope() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let root = Pod("root")
        let trip = Provider("trip", scope: OuterScope()) { _ in Part("trip") }
        let stop = Provider("stop", scope: OwnedScope()) { Part("stop", [$0.resolve(trip)]) }
        _ = root.makeChild(owning: [OwnedScope()]).resolve(stop)
      }
      #expect(try #require(result?.errorText).contains("To fix it, let stop hold a factory of trip"))
    }

    @Test("R29 nothing is printed of the value of a Lazy in a scope that its holder has too")
    func lazyIsNotPrinted() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let pod = Pod("shop")
        let session = Provider("session", scope: OwnedScope()) { _ in Part("session") }
        let handler = Provider("handler", scope: OwnedScope()) { $0.lazy(session) }
        _ = pod.resolve(handler).value
      }
      #expect(try !#require(result?.errorText).contains("captive"))
    }

    @Test("R30 in debug builds a place that declares provider after provider is printed once")
    func declarationsInALoop() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let pod = Pod("shop")
        enum Services {
          static var api: Provider<Int> { Provider("computed") { _ in 1 } }
        }
        for _ in 0..<1_000 { _ = pod.resolve(Services.api) }
        let steady = Provider("steady") { _ in 1 }
        for _ in 0..<1_000 { _ = pod.resolve(steady) }
      }
      let text = try #require(result?.errorText)
      #expect(text.components(separatedBy: "CaptiveTests.swift:").count == 2)
      #expect(text.contains("computed"))
      #expect(!text.contains("steady"))
    }
  #endif

  private final class Key: Hashable, Sendable {
    let number: Int
    let isUsed: @Sendable () -> Void
    init(_ number: Int = 0, _ isUsed: @escaping @Sendable () -> Void) { (self.number, self.isUsed) = (number, isUsed) }
    deinit { isUsed() }
    static func == (left: Key, right: Key) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  @Test("R9 R29 the last argument of a captive family member is released without a lock")
  func argumentUsesPod() async {
    await #expect(processExitsWith: .success) {
      let pod = Pod("shop")
      let other = Provider { _ in 1 }
      let session = Provider.family(scope: OwnedScope()) { (_: Pod, _: Key) in Part("session") }
      let single = Provider("single") { builderPod in
        Part("single", [builderPod.resolve(session(Key { pod.overrideProvider(other, withValue: 2) }))])
      }
      for _ in 0..<3 {
        _ = pod.resolve(single)
        pod.dispose()
      }
    }
  }

  @Test("R9 R29 the arguments of pairs that a pod forgets are released without a lock")
  func forgottenArguments() async {
    await #expect(processExitsWith: .success) {
      let pod = Pod("shop")
      let other = Provider { _ in 1 }
      let count = Counter()
      let session = Provider("session", scope: OwnedScope()) { _ in Part("session") }
      let family = Provider.family("member", scope: GateScope()) { (builderPod: Pod, _: Key) in
        Part("member", [builderPod.resolve(session)])
      }
      for number in 0..<2_100 {
        _ = pod.resolve(
          family(
            Key(number) {
              count.increment()
              pod.overrideProvider(other, withValue: 2)
            }))
        pod.clearCachedInstances(forScope: GateScope())
      }
      #expect(count.value >= 2_000)
    }
  }
}
