import Peapod
import Testing

/// Rules 21 and 27: children come and go cheaply, and take with them what they kept.
@Suite(.timeLimit(.minutes(20))) struct ChildTeardownTests {
  @Test("R21 R27 dropping a child disposes what it kept, dependents first, and leaves its parents alone")
  func drop() {
    let log = Log<String>()
    let census = Census()
    let note: @Sendable (Part) -> Void = { log.append($0.label) }
    let root = Pod("root")
    let shared = Provider("shared", { _ in Part("shared", in: census) }, onDispose: note)
    let setting = Provider("setting", { _ in Part("setting", in: census) }, onDispose: note)
    let lower = Provider(
      "lower", { Part("lower", [$0.resolve(setting), $0.resolve(shared)], in: census) }, onDispose: note)
    let upper = Provider("upper", { Part("upper", [$0.resolve(lower)], in: census) }, onDispose: note)
    let scoped = Provider(scope: OwnedScope(), { _ in Part("scoped", in: census) }, onDispose: note)
    let kept = root.resolve(shared)
    do {
      let child = root.makeChild(owning: [OwnedScope()]) {
        $0.overrideProvider(setting) { _ in Part("mock", in: census) }
      }
      _ = child.resolve(upper)
      _ = child.resolve(scoped)
      #expect(census.alive == 5)
      #expect(log.entries.isEmpty)
    }
    #expect(log.entries == ["scoped", "upper", "lower", "mock"])
    #expect(census.alive == 1)
    #expect(root.resolve(shared) === kept)
  }

  @Test("R27 a dropped child lets go what it kept, in every kind", arguments: ProviderKind.allCases)
  func dropEveryKind(_ kind: ProviderKind) async throws {
    let log = Log<String>()
    let census = Census()
    let root = Pod("root")
    let dep = Plant.leaf(kind, "dep", in: census, disposed: log)
    let p = dep.dependent("p", in: census, disposed: log)
    _ = try await p.resolve(in: root)
    do {
      let child = root.makeChild { dep.override(in: $0, label: "mock", in: census) }
      #expect(try await p.resolve(in: child).recipe == "p(mock)")
    }
    await eventually("the child's two go") { census.alive == 2 }
    await eventually("both hooks end") { log.count == 2 }
    #expect(log.entries == ["p", "mock"])
    #expect(try await p.resolve(in: root).recipe == "p(dep)")
  }

  @Test("R27 disposing a child leaves its parent alone, and the child starts afresh")
  func disposeChild() {
    let root = Pod("root")
    let setting = Provider { _ in Part("setting") }
    let shared = Provider { _ in Part("shared") }
    let p = Provider { Part("p", [$0.resolve(setting), $0.resolve(shared)]) }
    let child = root.makeChild { $0.overrideProvider(setting) { _ in Part("SETTING") } }
    let before = child.resolve(p)
    child.dispose()
    #expect(root.resolve(shared) === before.parts[1])
    let after = child.resolve(p)
    #expect(after !== before)
    #expect(after.recipe == "p(SETTING,shared)")
    #expect(after.parts[1] === before.parts[1])
  }

  @Test("R27 shutting a child down awaits its hooks and leaves its parent alone")
  func shutdownChild() async throws {
    let log = Log<String>()
    let root = Pod("root")
    let setting = Provider { _ in Part("setting") }
    let store = AsyncProvider(
      "store", { pod in Part("store", [pod.resolve(setting)]) },
      onDispose: {
        await Task.yield()
        log.append($0.recipe)
      })
    _ = try await root.resolve(store)
    let child = root.makeChild { $0.overrideProvider(setting) { _ in Part("SETTING") } }
    _ = try await child.resolve(store)
    await child.shutdown()
    #expect(log.entries == ["store(SETTING)"])
    #expect(root.isCached(store))
    await root.shutdown()
    #expect(log.entries == ["store(SETTING)", "store(setting)"])
  }

  @Test("R21 a child keeps its parents usable after the last reference to them is gone")
  func childKeepsParent() throws {
    let census = Census()
    let setting = Provider { _ in Part("setting", in: census) }
    let shared = Provider { _ in Part("shared", in: census) }
    do {
      var child: Pod?
      do {
        let root = Pod("root")
        _ = root.resolve(shared)
        child = root.makeChild("middle").makeChild { $0.overrideProvider(setting) { _ in Part("mock", in: census) } }
      }
      let lowest = try #require(child)
      #expect(census.alive == 1)
      #expect(lowest.parent?.name == "middle")
      #expect(lowest.parent?.parent?.name == "root")
      _ = lowest.resolve(setting)
      _ = lowest.resolve(shared)
      #expect(census.born == 2)
      child = nil
    }
    #expect(census.alive == 0)
  }

  @Test("R21 many children made, used and dropped leave memory flat", .disabled(if: keepsFreedMemory))
  func memoryStaysFlat() async {
    // In a process of its own, where no other test uses memory at the same time.
    await #expect(processExitsWith: .success) {
      let root = Pod("root")
      let shared = Provider { _ in Part("shared") }
      let setting = Provider { _ in 0 }
      let p = Provider { Part("\($0.resolve(setting))") }
      let kept = root.resolve(shared)
      func lives(_ count: Int) -> Bool {
        (0..<count).allSatisfy { number in
          let child = root.makeChild(owning: [OwnedScope()]) { $0.overrideProvider(setting, withValue: number) }
          return child.resolve(shared) === kept && child.resolve(p).label == "\(number)"
        }
      }
      #expect(lives(2_000))
      let before = residentBytes()
      #expect(lives(rounds(200_000)))
      #expect(residentBytes() - before < 8 << 20)
    }
  }

  @Test("R27 withChild disposes on return and on a thrown error, hooks awaited in its async form")
  func withChildDisposes() async throws {
    struct Refused: Error {}
    let log = Log<String>()
    let root = Pod("root")
    let request = Provider(scope: OwnedScope(), { _ in Part("request") }, onDispose: { _ in log.append("request") })
    let session = AsyncProvider(
      scope: OwnedScope(), { pod in Part("session", [pod.resolve(request)]) },
      onDispose: { _ in
        await Task.yield()
        log.append("session")
      })
    root.withChild(owning: [OwnedScope()]) { _ = $0.resolve(request) }
    #expect(log.drain() == ["request"])
    #expect(throws: Refused.self) {
      try root.withChild(owning: [OwnedScope()]) {
        _ = $0.resolve(request)
        throw Refused()
      }
    }
    #expect(log.drain() == ["request"])
    let recipe = try await root.withChild(owning: [OwnedScope()]) { try await $0.resolve(session).recipe }
    #expect(recipe == "session(request)")
    #expect(log.drain() == ["session", "request"])
    await #expect(throws: Refused.self) {
      try await root.withChild(owning: [OwnedScope()]) {
        _ = try await $0.resolve(session)
        throw Refused()
      }
    }
    #expect(log.drain() == ["session", "request"])
    #expect(!root.isCached(request))
  }

  @Test("R11 R20 a scope cleared in its owner while a child builds from it leaves nothing behind")
  func clearInFlight() async throws {
    let root = Pod("root")
    let log = Log<String>()
    let entered = Gate()
    let goOn = Gate()
    let setting = Provider { _ in Part("setting") }
    let p = Provider(
      scope: OwnedScope(),
      { pod in
        let part = Part("p", [pod.resolve(setting)])
        entered.open()
        goOn.wait()
        return part
      }, onDispose: { log.append($0.recipe) })
    let owner = root.makeChild(owning: [OwnedScope()])
    let child = owner.makeChild { $0.overrideProvider(setting) { _ in Part("SETTING") } }
    let build = Worker { child.resolve(p) }
    await entered.pass()
    owner.clearCachedInstances(forScope: OwnedScope())
    goOn.open()
    let seen = try await build.value()
    #expect(seen.recipe == "p(SETTING)")
    await eventually("the instance is disposed") { log.count == 1 }
    #expect(!child.isCached(p))
    #expect(child.resolve(p) !== seen)
  }
}
