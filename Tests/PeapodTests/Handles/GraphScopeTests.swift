import Peapod
import Testing

/// Rule 6: `GraphScope`.
@Suite(.timeLimit(.minutes(20))) struct GraphScopeTests {
  @Test(
    "R6 a graph-scoped instance is one within an outermost resolve, also through transients, and another in the next")
  func oneForEachResolve() {
    let pod = Pod()
    let census = Census()
    let shared = Provider(scope: .graph) { _ in Part("shared", in: census) }
    let left = Provider(scope: .alwaysCreateNew) { Part("left", [$0.resolve(shared)]) }
    let middle = Provider(scope: .graph) { Part("middle", [$0.resolve(shared)]) }
    let right = Provider(scope: .alwaysCreateNew) { Part("right", [$0.resolve(middle), $0.resolve(left)]) }
    let top = Provider(scope: .alwaysCreateNew) {
      Part("top", [$0.resolve(left), $0.resolve(right), $0.resolve(middle)])
    }
    func allShared(_ part: Part) -> [Part] {
      part.label == "shared" ? [part] : part.parts.flatMap(allShared)
    }
    do {
      let first = pod.resolve(top)
      let second = pod.resolve(top)
      #expect(census.born == 2)
      #expect(Set(allShared(first).map(ObjectIdentifier.init)).count == 1)
      #expect(allShared(first).count == 4)
      #expect(allShared(first)[0] !== allShared(second)[0])
      #expect(first.parts[2] === first.parts[1].parts[0])
    }
    #expect(census.alive == 0)
    #expect(!pod.isCached(shared))
    #expect(pod.resolve(shared) !== pod.resolve(shared))
  }

  @Test(
    "R6 R15 after an override within the resolve it is another, also if it used another pod", arguments: [true, false])
  func overrideDuringResolve(inOtherPod: Bool) {
    let pod = Pod("pod")
    let source = inOtherPod ? Pod("other") : pod
    let name = Provider("name") { _ in Part("old") }
    let shared = Provider(scope: .graph) { pod in Part("shared", [(inOtherPod ? source : pod).resolve(name)]) }
    let top = Provider(scope: .alwaysCreateNew) { pod in
      let first = pod.resolve(shared)
      source.overrideProvider(name, withValue: Part("new"))
      return Part("top", [first, pod.resolve(shared)])
    }
    #expect(pod.resolve(top).recipe == "top(shared(old),shared(new))")
  }

  @Test("R6 it is shared across kinds within one resolve")
  func acrossKinds() async throws {
    let pod = Pod()
    let shared = Provider(scope: .graph) { _ in Part("shared") }
    let throwing = ThrowingProvider(scope: .graph) { Part("throwing", [$0.resolve(shared)]) }
    let main = MainActorProvider(scope: .alwaysCreateNew) { Part("main", [$0.resolve(shared)]) }
    let async = AsyncProvider(scope: .graph) { pod in
      await Task.yield()
      return Part("async", [pod.resolve(shared), try pod.resolve(throwing), await pod.resolve(main)])
    }
    let top = AsyncProvider(scope: .alwaysCreateNew) { pod in
      async let first = pod.resolve(async)
      async let second = pod.resolve(async)
      return Part("top", [try await first, try await second, pod.resolve(shared)])
    }
    let one = try await pod.resolve(top)
    #expect(
      one.recipe
        == "top(async(shared,throwing(shared),main(shared)),async(shared,throwing(shared),main(shared)),shared)")
    #expect(one.parts[0] === one.parts[1])
    let ofGraph = one.parts[2]
    #expect(one.parts[0].parts[0] === ofGraph)
    #expect(one.parts[0].parts[1].parts[0] === ofGraph)
    #expect(one.parts[0].parts[2].parts[0] === ofGraph)
    #expect(try await pod.resolve(top).parts[2] !== ofGraph)
  }

  @Test("R6 R27 it is disposed when its outermost resolve ends, on a thrown error too")
  func disposed() throws {
    struct Boom: Error {}
    let pod = Pod()
    let log = Log<String>()
    let shared = Provider("shared", scope: .graph) { _ in
      Part("shared")
    } onDispose: {
      log.append($0.label)
    }
    let top = Provider(scope: .alwaysCreateNew) { pod in
      let part = Part("top", [pod.resolve(shared), pod.resolve(shared)])
      #expect(log.entries.isEmpty)
      return part
    }
    _ = pod.resolve(top)
    #expect(log.drain() == ["shared"])
    _ = pod.resolve(shared)
    #expect(log.drain() == ["shared"])
    let failing = ThrowingProvider(scope: .alwaysCreateNew) { pod in
      _ = pod.resolve(shared)
      if true { throw Boom() }
      return 1
    }
    #expect(throws: Boom.self) { try pod.resolve(failing) }
    #expect(log.drain() == ["shared"])
    pod.dispose()
    #expect(log.entries.isEmpty)
  }

  /// A graph-scoped provider that logs the disposal of its instances.
  private func declareLogged(
    _ name: String, _ log: Log<String>, _ parts: @escaping @Sendable (Pod) -> [Part] = { _ in [] }
  ) -> Provider<Part> {
    Provider(name, scope: .graph, { Part(name, parts($0)) }, onDispose: { log.append($0.label) })
  }

  @Test("R6 R27 a factory does not lead to a graph-scoped instance, since each call builds one")
  func disposedBehindFactory() {
    let pod = Pod()
    let log = Log<String>()
    let late = declareLogged("late", log)
    let holder = Provider { pod in
      _ = pod.factory(late)
      return Part("holder")
    }
    let early = declareLogged("early", log) { [$0.resolve(holder)] }
    let top = Provider(scope: .alwaysCreateNew) { Part("top", [$0.resolve(early), $0.resolve(late)]) }
    _ = pod.resolve(top)
    #expect(log.entries == ["late", "early"])
  }

  @Test("R6 R27 a factory leads to a graph-scoped instance only where its holder belongs to the same resolve")
  func disposedBehindEqualFactories() {
    let pod = Pod()
    let log = Log<String>()
    let late = declareLogged("late", log)
    let holder = Provider { pod in
      _ = pod.factory(late)
      return Part("holder")
    }
    let early = declareLogged("early", log) { [$0.resolve(holder)] }
    let within = declareLogged("within", log) { pod in
      _ = pod.factory(late)
      return []
    }
    let top = Provider(scope: .alwaysCreateNew) {
      Part("top", [$0.resolve(early), $0.resolve(within), $0.resolve(late)])
    }
    _ = pod.resolve(top)
    #expect(log.entries == ["within", "late", "early"])
  }

  @Test("R6 resolves on different threads do not share")
  func threads() async throws {
    let pod = Pod()
    let meeting = Barrier(4)
    let shared = Provider(scope: .graph) { _ in Part("shared") }
    let top = Provider(scope: .alwaysCreateNew) { pod in
      let first = pod.resolve(shared)
      meeting.arrive()
      return Part("top", [first, pod.resolve(shared)])
    }
    let seen = try await runThreads(4) { _ in pod.resolve(top) }
    #expect(seen.allSatisfy { $0.parts[0] === $0.parts[1] })
    #expect(Set(seen.map { ObjectIdentifier($0.parts[0]) }).count == 4)
  }

  @Test("R6 R24 a stored factory that is called later starts a resolve of its own")
  func storedFactory() {
    final class Maker: Sendable {
      let make: @Sendable () -> Part
      let own: Part
      init(_ make: @escaping @Sendable () -> Part, _ own: Part) {
        self.make = make
        self.own = own
      }
    }
    let pod = Pod()
    let shared = Provider(scope: .graph) { _ in Part("shared") }
    let maker = Provider { Maker($0.factory(shared), $0.resolve(shared)) }
    let made = pod.resolve(maker)
    #expect(made.make() !== made.own)
    #expect(made.make() !== made.make())
  }

  @Test("R6 R19 a child that changes nothing shares within a resolve; one that does builds from its own")
  func inChild() {
    let pod = Pod()
    let setting = Provider { _ in Part("setting") }
    let shared = Provider(scope: .graph) { Part("shared", [$0.resolve(setting)]) }
    let top = Provider(scope: .alwaysCreateNew) { Part("top", [$0.resolve(shared), $0.resolve(shared)]) }
    let child = pod.makeChild { $0.overrideProvider(setting) { _ in Part("CHILD") } }
    for (pod, label) in [(pod, "setting"), (child, "CHILD"), (child.makeChild(), "CHILD")] {
      let seen = pod.resolve(top)
      #expect(seen.parts[0] === seen.parts[1])
      #expect(seen.parts[0].parts[0].label == label)
    }
  }

  @Test("R6 R19 R20 an inner child that owns the graph scope has an instance of its own", arguments: [false, true])
  func ownedByInnerChild(isParentFirst: Bool) {
    let part = Provider("part", scope: .graph) { _ in Part("part") }
    let isShared = Provider("isShared", scope: .alwaysCreateNew) { pod in
      let child = pod.makeChild(owning: [GraphScope()])
      let first = (isParentFirst ? pod : child).resolve(part)
      return (isParentFirst ? child : pod).resolve(part) === first
    }
    #expect(!Pod().resolve(isShared))
  }

  @Test("R6 a singleton built within a resolve keeps the graph's instance, and a later one gets another")
  func keptBySingleton() {
    let pod = Pod()
    let shared = Provider(scope: .graph) { _ in Part("shared") }
    let single = Provider { Part("single", [$0.resolve(shared)]) }
    let top = Provider(scope: .alwaysCreateNew) { Part("top", [$0.resolve(shared), $0.resolve(single)]) }
    let first = pod.resolve(top)
    #expect(first.parts[1].parts[0] === first.parts[0])
    let second = pod.resolve(top)
    #expect(second.parts[1] === first.parts[1])
    #expect(second.parts[0] !== first.parts[0])
  }

  @Test("R6 R15 an override of a graph-scoped provider reaches what was built from it")
  func overrideReachesDependents() {
    let pod = Pod()
    let shared = Provider(scope: .graph) { _ in "original" }
    let single = Provider { "single of \($0.resolve(shared))" }
    #expect(pod.resolve(single) == "single of original")
    pod.overrideProvider(shared) { _ in "override" }
    #expect(pod.resolve(single) == "single of override")
    pod.removeOverrideProvider(shared)
    #expect(pod.resolve(single) == "single of original")
    let child = pod.makeChild { $0.overrideProvider(shared) { _ in "child" } }
    #expect(child.resolve(single) == "single of child")
    #expect(pod.resolve(single) == "single of original")
  }

  @Test(
    "R6 R15 the record of a graph-scoped instance does not retain the value of an override that is removed meanwhile")
  func removedValue() {
    final class Value: Sendable {}
    let value = Provider { _ in Value() }
    let part = Provider(scope: .graph) { "\($0.resolve(value))" }
    let whole = Provider { pod in
      _ = pod.resolve(part)
      pod.removeOverrideProvider(value)
      return 0
    }
    let pod = Pod()
    weak let mock = {
      let mock = Value()
      pod.overrideProvider(value, withValue: mock)
      return mock
    }()
    _ = pod.resolve(whole)
    #expect(mock == nil)
  }

  @Test("R6 R10 a graph-scoped instance of a captured pod is not given to the builder's own pod")
  func twoRoots() {
    let (own, captured) = (Pod("own"), Pod("captured"))
    let setting = Provider { _ in "original" }
    let shared = Provider(scope: .graph) { $0.resolve(setting) }
    let top = Provider(scope: .alwaysCreateNew) { pod in
      "captured(\(captured.resolve(shared))) own(\(pod.resolve(shared)))"
    }
    captured.overrideProvider(setting, withValue: "override")
    #expect(own.resolve(top) == "captured(override) own(original)")
  }

  @Test("R6 a resolve on another thread does not get what an outermost resolve under way has built")
  func twoThreads() async throws {
    let counter = Counter()
    let shared = Provider(scope: .graph) { _ in counter.increment() }
    let (isBuilt, mayEnd) = (Gate(), Gate())
    let top = Provider { pod in
      let first = pod.resolve(shared)
      isBuilt.open()
      mayEnd.wait()
      return [first, pod.resolve(shared)]
    }
    let pod = Pod()
    try await runThreads(2) { thread in
      if thread == 0 {
        #expect(pod.resolve(top) == [1, 1])
      } else {
        isBuilt.wait()
        #expect(pod.resolve(shared) == 2)
        mayEnd.open()
      }
    }
  }

  @Test(
    "R6 R26 R27 a holder is disposed before the graph-scoped instance that its handle gave", arguments: [false, true])
  func holderFirst(isLazy: Bool) {
    final class Holder: Sendable {
      let give: @Sendable () -> Part
      init(_ give: @escaping @Sendable () -> Part) { self.give = give }
    }
    let log = Log<String>()
    let shared = Provider("shared", scope: .graph) { _ in
      Part("shared")
    } onDispose: {
      log.append($0.label)
    }
    let holder = Provider("holder", scope: .graph) { pod -> Holder in
      guard isLazy else { return Holder(pod.factory(shared)) }
      let lazy = pod.lazy(shared)
      return Holder { lazy.value }
    } onDispose: { _ in
      log.append("holder")
    }
    let top = Provider("top") { pod in
      let given = pod.resolve(holder).give()
      return given === pod.resolve(shared)
    }
    #expect(Pod().resolve(top))
    #expect(log.entries == ["holder", "shared"])
  }
}
