import Peapod
import Testing

/// Rule 18: `withOverrides`.
@Suite(.timeLimit(.minutes(20))) struct BlockTests {
  private struct Refused: Error, Equatable { var number: Int }

  @Test("R18 a block sees its overrides and what is built from them, in every kind", arguments: ProviderKind.allCases)
  func seesOverrides(_ kind: ProviderKind) async throws {
    let pod = Pod("global")
    let dep = Plant.leaf(kind, "dep")
    let p = dep.dependent("p")
    let outside = try await p.resolve(in: pod)
    try await pod.withOverrides({ dep.override(in: $0, label: "mock") }) {
      let inside = try await p.resolve(in: pod)
      #expect(inside.recipe == "p(mock)")
      #expect(try await p.resolve(in: pod) === inside)
    }
    #expect(try await p.resolve(in: pod) === outside)
  }

  @Test("R18 a block is a new and empty pod: nothing of the outside is seen inside, nor the other way round")
  func newAndEmpty() {
    let pod = Pod("global")
    let p = Provider { _ in Part("p") }
    let q = Provider { _ in Part("q") }
    let outside = pod.resolve(p)
    pod.withOverrides({ _ in }) {
      #expect(!pod.isCached(p))
      #expect(pod.cachedInstance(of: p) == nil)
      #expect(pod.resolve(p) !== outside)
      _ = pod.resolve(q)
      #expect(pod.isCached(q))
    }
    #expect(!pod.isCached(q))
    #expect(pod.resolve(p) === outside)
  }

  @Test("R18 a block has the pod's overrides and the given ones")
  func inheritsOverrides() {
    let pod = Pod("global")
    let a = Provider { _ in "a" }
    let b = Provider { _ in "b" }
    let c = Provider { _ in "c" }
    pod.overrideProvider(a, withValue: "A")
    pod.overrideProvider(b, withValue: "B")
    pod.withOverrides({ $0.overrideProvider(b, withValue: "block") }) {
      #expect([a, b, c].map { pod.resolve($0) } == ["A", "block", "c"])
      pod.withOverrides({ $0.overrideProvider(c, withValue: "inner") }) {
        #expect([a, b, c].map { pod.resolve($0) } == ["A", "block", "inner"])
      }
      #expect([a, b, c].map { pod.resolve($0) } == ["A", "block", "c"])
    }
    #expect([a, b, c].map { pod.resolve($0) } == ["A", "B", "c"])
  }

  @Test("R18 overrides, removals and clears inside a block stay inside")
  func changesStayInside() {
    let pod = Pod("global")
    let a = Provider { _ in Part("a") }
    let b = Provider { _ in Part("b") }
    let scoped = Provider(scope: OwnedScope()) { _ in Part("scoped") }
    pod.overrideProvider(b) { _ in Part("B") }
    let before = (pod.resolve(a), pod.resolve(b), pod.resolve(scoped))
    pod.withOverrides({ _ in }) {
      pod.overrideProvider(a) { _ in Part("inside") }
      pod.removeOverrideProvider(b)
      #expect(pod.resolve(a).recipe == "inside")
      #expect(pod.resolve(b).recipe == "b")
      let first = pod.resolve(scoped)
      pod.clearCachedInstances(forScope: OwnedScope())
      #expect(pod.resolve(scoped) !== first)
      pod.dispose()
    }
    #expect(pod.resolve(a) === before.0)
    #expect(pod.resolve(b) === before.1)
    #expect(pod.resolve(scoped) === before.2)
  }

  @Test("R18 R17 a block's decorator wraps what the pod's override makes")
  func decorator() {
    let pod = Pod("global")
    let p = Provider { _ in Part("p") }
    pod.overrideProvider(p) { Part("pod", [$0.resolve(p)]) }
    pod.withOverrides({ $0.overrideProvider(p) { Part("block", [$0.resolve(p)]) } }) {
      #expect(pod.resolve(p).recipe == "block(pod(p))")
    }
    #expect(pod.resolve(p).recipe == "pod(p)")
  }

  @Test("R18 a block disposes at its end, on a thrown error too, and awaits async hooks")
  func disposes() async throws {
    let log = Log<String>()
    let census = Census()
    let pod = Pod("global")
    let p = Provider(scope: .singleton) { _ in
      Part("p", in: census)
    } onDispose: {
      log.append($0.label)
    }
    let store = AsyncProvider {
      Part("store", [$0.resolve(p)], in: census)
    } onDispose: {
      await Task.yield()
      log.append($0.label)
    }
    let recipe = pod.withOverrides({ _ in }) { pod.resolve(p).recipe }
    #expect(recipe == "p")
    #expect(log.drain() == ["p"])
    #expect(throws: Refused(number: 1)) {
      try pod.withOverrides({ _ in }) { () throws(Refused) in
        _ = pod.resolve(p)
        throw Refused(number: 1)
      }
    }
    #expect(log.drain() == ["p"])
    try await pod.withOverrides({ _ in }) { _ = try await pod.resolve(store) }
    #expect(log.drain() == ["store", "p"])
    await #expect(throws: Refused(number: 2)) {
      try await pod.withOverrides({ _ in }) {
        _ = try await pod.resolve(store)
        throw Refused(number: 2)
      }
    }
    #expect(log.drain() == ["store", "p"])
    #expect(census.alive == 0)
  }

  @Test("R10 R18 a builder that names the global pod builds in the block")
  func builderNamesPod() {
    let pod = Pod("global")
    let setting = Provider { _ in Part("setting") }
    let p = Provider { [unowned pod] _ in Part("p", [pod.resolve(setting)]) }
    let outside = pod.resolve(p)
    pod.withOverrides({ $0.overrideProvider(setting) { _ in Part("mock") } }) {
      #expect(pod.resolve(p).recipe == "p(mock)")
    }
    #expect(pod.resolve(p) === outside)
  }

  @Test("R18 R27 a child that outlives nested blocks does not keep what the pod overrode")
  func childOutlivesBlocks() {
    let census = Census()
    let pod = Pod("global")
    let part = Provider { _ in Part("part") }
    pod.overrideProvider(part, withValue: Part("value", in: census))
    var child: Pod?
    pod.withOverrides({ _ in }) {
      pod.withOverrides({ _ in }) {
        child = pod.makeChild()
        pod.removeAllOverrides()
      }
    }
    pod.removeAllOverrides()
    #expect(census.alive == 0)
    withExtendedLifetime(child) {}
  }

  @Test("R18 blocks of two pods do not touch each other")
  func twoPods() {
    let left = Pod("left")
    let right = Pod("right")
    let setting = Provider { _ in "setting" }
    left.withOverrides({ $0.overrideProvider(setting, withValue: "left") }) {
      #expect(right.resolve(setting) == "setting")
      right.withOverrides({ $0.overrideProvider(setting, withValue: "right") }) {
        #expect(left.resolve(setting) == "left")
        #expect(right.resolve(setting) == "right")
      }
    }
  }

  @Test("R18 child pods made inside a block see it; those made outside do not")
  func childrenInAndOut() {
    let pod = Pod("global")
    let setting = Provider { _ in "setting" }
    let outer = pod.makeChild()
    pod.withOverrides({ $0.overrideProvider(setting, withValue: "block") }) {
      #expect(outer.resolve(setting) == "setting")
      #expect(pod.makeChild().resolve(setting) == "block")
      pod.withChild { #expect($0.resolve(setting) == "block") }
    }
  }

  @Test("R18 R19 a block on a child has the overrides of its parents too")
  func blockOnChild() {
    let root = Pod("root")
    let a = Provider { _ in "a" }
    let b = Provider { _ in "b" }
    let c = Provider { _ in "c" }
    root.overrideProvider(a, withValue: "A")
    let child = root.makeChild { $0.overrideProvider(b, withValue: "B") }
    child.withOverrides({ $0.overrideProvider(c, withValue: "C") }) {
      #expect([a, b, c].map { child.resolve($0) } == ["A", "B", "C"])
      #expect([a, b, c].map { root.resolve($0) } == ["A", "b", "c"])
    }
    #expect([a, b, c].map { child.resolve($0) } == ["A", "B", "c"])
  }

  @Test("R18 a detached task and another thread are outside of the block")
  func outsideOfBlock() async throws {
    let pod = Pod("global")
    let setting = Provider { _ in "setting" }
    try await pod.withOverrides({ $0.overrideProvider(setting, withValue: "block") }) {
      let onThread = try await blocking { pod.resolve(setting) }
      #expect(onThread == "setting")
      #expect(await Task.detached { pod.resolve(setting) }.value == "setting")
      #expect(await Task { pod.resolve(setting) }.value == "block")
    }
  }

  @Test("R18 a task that outlives its block goes on afresh, apart from the outside")
  func taskOutlivesBlock() async throws {
    let pod = Pod("global")
    let census = Census()
    let p = Provider { _ in Part("p", in: census) }
    let outside = pod.resolve(p)
    let gate = AsyncGate()
    let inBlock = Locked<ObjectIdentifier?>(nil)
    let task = pod.withOverrides({ _ in }) {
      let inside = pod.resolve(p)
      inBlock.withLock { $0 = ObjectIdentifier(inside) }
      return Task {
        let held = inside
        await gate.wait()
        let late = pod.resolve(p)
        return [late === outside, late === held, pod.resolve(p) === late]
      }
    }
    gate.open()
    #expect(await task.value == [false, false, true])
    #expect(pod.resolve(p) === outside)
    await eventually("what the task made goes") { census.alive == 1 }
  }

  @Test("R18 a builder that runs for a child made outside a block does not see the block")
  func childOutside() {
    let pod = Pod("global")
    let setting = Provider { _ in "setting" }
    let top = Provider { "top of \($0.resolve(setting))" }
    let captured = Provider { [unowned pod] _ in "captured \(pod.resolve(setting))" }
    let outer = pod.makeChild()
    pod.withOverrides({ $0.overrideProvider(setting, withValue: "block") }) {
      #expect(outer.resolve(setting) == "setting")
      #expect(outer.resolve(top) == "top of setting")
      #expect(outer.resolve(captured) == "captured setting")
      #expect(pod.resolve(top) == "top of block")
      #expect(pod.resolve(captured) == "captured block")
    }
    #expect(outer.resolve(top) == "top of setting")
    #expect(pod.resolve(top) == "top of setting")
    #expect(pod.resolve(captured) == "captured setting")
  }

  @Test("R17 R18 a block within a block keeps what the outer block's override wraps")
  func nestedDecorators() {
    let pod = Pod("global")
    let provider = Provider { _ in "declared" }
    pod.overrideProvider(provider, withValue: "pod")
    pod.withOverrides({ $0.overrideProvider(provider) { "block(\($0.resolve(provider)))" } }) {
      #expect(pod.resolve(provider) == "block(pod)")
      pod.withOverrides({ _ in }) {
        #expect(pod.resolve(provider) == "block(pod)")
        pod.removeOverrideProvider(provider)
        #expect(pod.resolve(provider) == "pod")
      }
      #expect(pod.resolve(provider) == "block(pod)")
    }
    #expect(pod.resolve(provider) == "pod")
  }

  @Test("R16 R18 removing all overrides in a block leaves none")
  func removeAllWithin() {
    let pod = Pod("global")
    let provider = Provider { _ in "declared" }
    pod.overrideProvider(provider) { _ in "pod" }
    pod.withOverrides({ $0.overrideProvider(provider) { _ in "block" } }) {
      pod.removeAllOverrides()
      #expect(pod.resolve(provider) == "declared")
    }
    #expect(pod.resolve(provider) == "pod")
  }

  @Test("R18 an async block on a child awaits the hooks of all that was built inside")
  func blockOnChildAwaits() async throws {
    let done = Log(of: String.self)
    let shared = AsyncProvider { _ in
      1
    } onDispose: { _ in
      for _ in 0..<100 { await Task.yield() }
      done.append("done")
    }
    let child = Pod("root").makeChild("child")
    try await child.withOverrides({ _ in }) { _ = try await child.resolve(shared) }
    #expect(done.entries == ["done"])
  }
}
