import Peapod
import Testing

/// Rules 2 to 17 for `AsyncProvider`, one after the other.
@Suite(.timeLimit(.minutes(20))) struct AsyncRulesTests {
  private struct Boom: Error, Equatable { var number = 0 }

  @Test("R2 an async singleton is built once and stays when scopes are cleared")
  func singleton() async throws {
    let pod = Pod()
    let p = AsyncProvider { _ in Part("p") }
    let first = try await pod.resolve(p)
    pod.clearCachedInstances(forScope: SingletonScope())
    pod.clearCachedInstances(forScope: OwnedScope())
    #expect(try await pod.resolve(p) === first)
    #expect(pod.isCached(p))
    #expect(pod.cachedInstance(of: p) === first)
  }

  @Test("R3 an async provider that always creates builds for each resolve, also at the same time")
  func alwaysCreateNew() async throws {
    let pod = Pod()
    let gate = Turnstile()
    let p = AsyncProvider(scope: .alwaysCreateNew) { _ in
      try await gate.pass()
      return Part("p")
    }
    async let first = pod.resolve(p)
    async let second = pod.resolve(p)
    await eventually("both build") { gate.arrived == 2 }
    gate.open()
    let seen = try await [first, second, pod.resolve(p)]
    #expect(Set(seen.map(ObjectIdentifier.init)).count == 3)
    #expect(!pod.isCached(p))
  }

  @Test("R4 an async instance goes with its scope, a parent of it, or by name")
  func clearing() async throws {
    let pod = Pod()
    let census = Census()
    let p = AsyncProvider(scope: OwnedScope()) { _ in Part("p", in: census) }
    _ = try await pod.resolve(p)
    pod.clearCachedInstances(forScope: OwnedScope())
    #expect(!pod.isCached(p))
    _ = try await pod.resolve(p)
    pod.clearCachedInstances(forScope: OuterScope())
    #expect(pod.cachedInstance(of: p) == nil)
    _ = try await pod.resolve(p)
    pod.clearCachedInstance(of: p)
    #expect(census.born == 3)
    await eventually("all go") { census.alive == 0 }
  }

  @Test("R5 R6 async weak and graph scopes")
  func weakAndGraph() async throws {
    let pod = Pod()
    let weak = AsyncProvider(scope: .weak) { _ in Part("weak") }
    var held: Part? = try await pod.resolve(weak)
    #expect(try await pod.resolve(weak) === held)
    let number = held.map(ObjectIdentifier.init)
    #expect(number != nil)
    held = nil
    #expect(pod.cachedInstance(of: weak) == nil)

    let shared = AsyncProvider(scope: .graph) { _ in Part("shared") }
    let left = AsyncProvider(scope: .alwaysCreateNew) { Part("left", [try await $0.resolve(shared)]) }
    let right = AsyncProvider(scope: .alwaysCreateNew) { Part("right", [try await $0.resolve(shared)]) }
    let top = AsyncProvider(scope: .alwaysCreateNew) { pod in
      async let l = pod.resolve(left)
      async let r = pod.resolve(right)
      return Part("top", [try await l, try await r])
    }
    let one = try await pod.resolve(top)
    let two = try await pod.resolve(top)
    #expect(one.parts[0].parts[0] === one.parts[1].parts[0])
    #expect(one.parts[0].parts[0] !== two.parts[0].parts[0])
    #expect(!pod.isCached(shared))
  }

  @Test("R7 a nil, an empty tuple and a value are cached like any other")
  func nilIsCached() async throws {
    let pod = Pod()
    let built = Counter()
    let none = AsyncProvider<Int?> { _ in
      built.increment()
      return nil
    }
    let void = AsyncProvider<Void> { _ in built.increment() }
    for _ in 0..<3 {
      #expect(try await pod.resolve(none) == nil)
      try await pod.resolve(void)
    }
    #expect(built.value == 2)
    #expect(pod.isCached(none) && pod.isCached(void))
    let cached = pod.cachedInstance(of: none)
    #expect(cached == .some(.none))
  }

  @Test("R8 builds of different async providers do not wait for each other, and a cached one waits for nothing")
  func independent() async throws {
    let pod = Pod()
    let metA = AsyncGate()
    let metB = AsyncGate()
    let never = Turnstile()
    let a = AsyncProvider { _ in
      metA.open()
      await metB.wait()
      return "a"
    }
    let b = AsyncProvider { _ in
      metB.open()
      await metA.wait()
      return "b"
    }
    let stuck = AsyncProvider { _ in
      try await never.pass()
      return "stuck"
    }
    let waiting = Task { try await pod.resolve(stuck) }
    await eventually("it builds") { never.arrived == 1 }
    async let first = pod.resolve(a)
    async let second = pod.resolve(b)
    #expect(try await [first, second] == ["a", "b"])
    #expect(try await pod.resolve(a) == "a")
    #expect(pod.cachedInstance(of: stuck) == nil)
    waiting.cancel()
  }

  @Test("R9 an async builder may override, clear and resolve in its own pod and another")
  func builderCallsBack() async throws {
    let pod = Pod()
    let second = Pod("second")
    let setting = Provider { _ in "setting" }
    let far = AsyncProvider { _ in pod.resolve(setting) }
    let p = AsyncProvider(scope: OwnedScope()) { inner in
      pod.overrideProvider(setting, withValue: "override")
      inner.clearCachedInstances(forScope: OwnedScope())
      return try await second.resolve(far) + inner.resolve(setting)
    }
    #expect(try await pod.resolve(p) == "overrideoverride")
    #expect(!pod.isCached(p))
  }

  @Test("R10 an async builder may use its pod, a captured one or a global one alike")
  func anyPod() async throws {
    let pod = Pod()
    let dep = AsyncProvider { _ in Part("dep") }
    let viaArgument = AsyncProvider { Part("p", [try await $0.resolve(dep)]) }
    let viaCapture = AsyncProvider { _ in Part("q", [try await pod.resolve(dep)]) }
    let viaCurrent = AsyncProvider { _ in Part("r", [try await Pod.current.resolve(dep)]) }
    try await Pod.$current.withValue(pod) {
      let original = try await pod.resolve(dep)
      for p in [viaArgument, viaCapture, viaCurrent] {
        #expect(try await pod.resolve(p).parts[0] === original)
        pod.overrideProvider(dep) { _ in Part("mock") }
        #expect(try await pod.resolve(p).parts[0].label == "mock")
        pod.removeOverrideProvider(dep)
        #expect(try await pod.resolve(p).parts[0] === original)
      }
    }
  }

  @Test("R13 an async error is not kept; the next resolve tries again")
  func errorIsNotKept() async throws {
    let pod = Pod()
    let attempts = Counter()
    let p = AsyncProvider { _ in
      let number = attempts.increment()
      if number < 3 { throw Boom(number: number) }
      return number
    }
    await #expect(throws: Boom(number: 1)) { try await pod.resolve(p) }
    #expect(!pod.isCached(p))
    await #expect(throws: Boom(number: 2)) { try await pod.resolve(p) }
    #expect(try await pod.resolve(p) == 3)
    #expect(try await pod.resolve(p) == 3)
  }

  @Test("R15 overriding an async provider rebuilds all that is built from it; removal brings the originals back")
  func overriding() async throws {
    let pod = Pod()
    let census = Census()
    let dep = AsyncProvider { _ in Part("dep", in: census) }
    let middle = AsyncProvider { Part("middle", [try await $0.resolve(dep)], in: census) }
    let top = AsyncProvider { Part("top", [try await $0.resolve(middle)], in: census) }
    let other = AsyncProvider { _ in Part("other", in: census) }
    let before = try await (pod.resolve(top), pod.resolve(middle), pod.resolve(dep), pod.resolve(other))
    pod.overrideProvider(dep) { _ in Part("mock", in: census) }
    #expect(try await pod.resolve(top).recipe == "top(middle(mock))")
    #expect(try await pod.resolve(other) === before.3)
    pod.removeOverrideProvider(dep)
    #expect(try await pod.resolve(top) === before.0)
    #expect(try await pod.resolve(middle) === before.1)
    #expect(try await pod.resolve(dep) === before.2)
    await eventually("what the override made goes") { census.alive == 4 }
    pod.overrideProvider(dep, withValue: Part("value"))
    #expect(try await pod.resolve(top).recipe == "top(middle(value))")
    pod.removeAllOverrides()
    #expect(try await pod.resolve(top) === before.0)
  }

  @Test("R16 overriding again replaces and disposes; removing what is not overridden does nothing")
  func overridingAgain() async throws {
    let pod = Pod()
    let log = Log<String>()
    let p = AsyncProvider { _ in
      Part("original")
    } onDispose: {
      log.append($0.label)
    }
    let original = try await pod.resolve(p)
    pod.removeOverrideProvider(p)
    for number in 1...5 {
      pod.overrideProvider(p) { _ in Part("\(number)") }
      #expect(try await pod.resolve(p).label == "\(number)")
    }
    await eventually("four are disposed") { log.count == 4 }
    #expect(log.entries == ["1", "2", "3", "4"])
    pod.removeOverrideProvider(p)
    #expect(try await pod.resolve(p) === original)
    await eventually("the fifth follows") { log.count == 5 }
    pod.overrideProvider(p, scope: .alwaysCreateNew) { _ in Part("fresh") }
    #expect(try await pod.resolve(p) !== pod.resolve(p))
  }

  @Test("R17 an async override may wrap what it overrides")
  func decorator() async throws {
    let pod = Pod()
    let p = AsyncProvider { _ in Part("p") }
    let before = try await pod.resolve(p)
    pod.overrideProvider(p) { Part("wrapped", [try await $0.resolve(p)]) }
    #expect(try await pod.resolve(p).parts[0] === before)
  }

  @Test("R22 async families have one member for each argument")
  func families() async throws {
    let pod = Pod()
    let built = Counter()
    let user = AsyncProvider.family(scope: OwnedScope()) { (_: Pod, id: Int, name: String) in
      built.increment()
      await Task.yield()
      return Part("\(name)\(id)")
    }
    async let a = pod.resolve(user(1, "x"))
    async let b = pod.resolve(user(1, "x"))
    async let c = pod.resolve(user(2, "x"))
    let seen = try await [a, b, c]
    #expect(seen[0] === seen[1])
    #expect(seen[2].label == "x2")
    #expect(built.value == 2)
    pod.overrideProvider(user) { _, id, name in Part("family\(id)\(name)") }
    pod.overrideProvider(user(1, "x")) { _ in Part("member") }
    #expect(try await pod.resolve(user(1, "x")).label == "member")
    #expect(try await pod.resolve(user(2, "x")).label == "family2x")
    pod.removeAllOverrides()
    #expect(try await pod.resolve(user(2, "x")) === seen[2])
    pod.clearCachedInstances(of: user)
    #expect(!pod.isCached(user(1, "x")))
  }

  @Test("R12 an async provider may depend on every kind")
  func everyKind() async throws {
    let pod = Pod()
    let plain = Provider { _ in "plain" }
    let throwing = ThrowingProvider { _ in "throwing" }
    let main = MainActorProvider { _ in
      MainActor.assertIsolated()
      return "main"
    }
    let async = AsyncProvider { _ in "async" }
    let member = Provider.family { (_: Pod, id: Int) in "member\(id)" }
    let p = AsyncProvider { pod in
      [
        pod.resolve(plain), try pod.resolve(throwing), await pod.resolve(main), try await pod.resolve(async),
        pod.resolve(member(1)), pod.lazy(plain).value, try await pod.factory(async)(),
      ]
    }
    #expect(try await pod.resolve(p) == ["plain", "throwing", "main", "async", "member1", "plain", "async"])
    for replaced in ["plain", "throwing", "main", "async", "member1"] {
      switch replaced {
      case "plain": pod.overrideProvider(plain, withValue: "new")
      case "throwing": pod.overrideProvider(throwing, withValue: "new")
      case "main": pod.overrideProvider(main) { _ in "new" }
      case "async": pod.overrideProvider(async, withValue: "new")
      default: pod.overrideProvider(member(1), withValue: "new")
      }
      #expect(try await pod.resolve(p).contains("new"), "\(replaced)")
      pod.removeAllOverrides()
      #expect(try await !pod.resolve(p).contains("new"), "\(replaced)")
    }
  }
}
