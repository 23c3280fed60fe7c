import Peapod
import Testing

/// Rule 27: `shutdown()` awaits hooks, in their order.
@Suite(.timeLimit(.minutes(20))) struct AsyncShutdownTests {
  @Test("R27 an instance waits for a dependent that begins to end while one between them is still ending")
  func dependentBehindOneThatEnds() async throws {
    let pod = Pod()
    let log = Log<String>()
    let (inner, outer) = (AsyncGate(), AsyncGate())
    let base = Provider { _ in
      Part("base")
    } onDispose: {
      log.append($0.label)
    }
    let between = AsyncProvider(scope: .graph) {
      Part("between", [$0.resolve(base)])
    } onDispose: {
      await inner.wait()
      log.append($0.label)
    }
    let top = AsyncProvider {
      Part("top", [try await $0.resolve(between)])
    } onDispose: {
      await outer.wait()
      log.append($0.label)
    }
    _ = try await pod.resolve(top)
    await eventually("the resolve is over") { inner.arrived == 1 }
    let end = await begin { await pod.shutdown() }
    await eventually("the top ends") { outer.arrived == 1 }
    inner.open()
    await eventually("the one between has ended") { log.entries == ["between"] }
    for _ in 0..<100 { await Task.yield() }
    #expect(log.entries == ["between"])
    outer.open()
    _ = try await end.value
    #expect(log.entries == ["between", "top", "base"])
  }

  @Test("R27 shutdown awaits each hook, dependents first")
  func dependentsFirst() async throws {
    let pod = Pod()
    let log = Log<String>()
    let base = Provider(scope: .singleton) { _ in
      Part("base")
    } onDispose: {
      log.append($0.label)
    }
    let dep = AsyncProvider {
      Part("dep", [$0.resolve(base)])
    } onDispose: {
      log.append("\($0.label) begins")
      for _ in 0..<10 { await Task.yield() }
      log.append("\($0.label) ends")
    }
    let main = MainActorProvider {
      Part("main", [$0.resolve(base)])
    } onDispose: {
      MainActor.assertIsolated()
      log.append($0.label)
    }
    let top = AsyncProvider {
      Part("top", [try await $0.resolve(dep), await $0.resolve(main)])
    } onDispose: {
      log.append("\($0.label) begins")
      for _ in 0..<10 { await Task.yield() }
      log.append("\($0.label) ends")
    }
    _ = try await pod.resolve(top)
    await pod.shutdown()
    let seen = log.entries
    #expect(Array(seen.prefix(2)) == ["top begins", "top ends"])
    #expect(seen.last == "base")
    #expect(seen.sorted() == ["base", "dep begins", "dep ends", "main", "top begins", "top ends"])
    await pod.shutdown()
    #expect(log.count == 6)
  }

  @Test("R27 hooks of instances that do not depend on each other run at the same time, started latest first")
  func independentTogether() async throws {
    let pod = Pod()
    let log = Log<String>()
    let count = 10
    let met = Counter()
    let meeting = AsyncGate()
    let providers = (0..<count).map { index in
      AsyncProvider { _ in
        Part("\(index)")
      } onDispose: {
        log.append($0.label)
        // Each of them ends only when all have begun.
        if met.increment() == count { meeting.open() }
        await meeting.wait()
      }
    }
    for p in providers { _ = try await pod.resolve(p) }
    await pod.shutdown()
    #expect(log.entries == (0..<count).reversed().map { "\($0)" })
  }

  @Test("R27 shutdown of a scope clears that scope, awaits its hooks, and leaves the rest")
  func ofScope() async throws {
    let pod = Pod()
    let log = Log<String>()
    let scoped = AsyncProvider(scope: OwnedScope()) { _ in
      Part("scoped")
    } onDispose: {
      await Task.yield()
      log.append($0.label)
    }
    let single = AsyncProvider { _ in
      Part("single")
    } onDispose: {
      log.append($0.label)
    }
    _ = try await pod.resolve(scoped)
    let kept = try await pod.resolve(single)
    await pod.shutdown(scope: OuterScope())
    #expect(log.entries == ["scoped"])
    #expect(!pod.isCached(scoped))
    #expect(try await pod.resolve(single) === kept)
    await pod.shutdown(scope: SingletonScope())
    #expect(pod.isCached(single))
  }

  @Test("R27 after a synchronous teardown, what an async hook's instance depends on is kept until that hook is done")
  func keptUntilDone() async throws {
    for way in ["dispose", "clear", "last reference", "removed override"] {
      let log = Log<String>()
      let census = Census()
      let gate = AsyncGate()
      let asked = Counter()
      let base = Provider(scope: OwnedScope()) { _ in
        Part("base", in: census)
      } onDispose: {
        log.append($0.label)
      }
      let top = AsyncProvider(scope: OwnedScope()) { pod in
        Part("top", [pod.resolve(base)], in: census)
      } onDispose: { _ in
        asked.increment()
        await gate.wait()
        log.append("top")
      }
      do {
        let pod = Pod()
        if way == "removed override" { pod.overrideProvider(base) { _ in Part("base", in: census) } }
        _ = try await pod.resolve(top)
        switch way {
        case "dispose": pod.dispose()
        case "clear": pod.clearCachedInstances(forScope: OwnedScope())
        case "removed override": pod.removeOverrideProvider(base)
        default: break
        }
        if way != "last reference" {
          #expect(!pod.isCached(top) && !pod.isCached(base))
        }
      }
      await eventually("the first hook begins") { asked.value == 1 }
      #expect(log.entries.isEmpty, "\(way)")
      #expect(census.alive == 2, "\(way)")
      gate.open()
      await eventually("both hooks end") { log.count == 2 }
      #expect(log.entries == ["top", "base"], "\(way)")
      await eventually("both go") { census.alive == 0 }
    }
  }

  @Test("R27 synchronous ways start every async hook", arguments: ["dispose", "clear", "last reference"])
  func startedAll(_ way: String) async throws {
    let log = Log<String>()
    let count = 5
    let providers = (0..<count).map { index in
      AsyncProvider(scope: OwnedScope()) { _ in
        Part("\(index)")
      } onDispose: { @MainActor part in
        log.append(part.label)
      }
    }
    do {
      let pod = Pod()
      for p in providers { _ = try await pod.resolve(p) }
      switch way {
      case "dispose": pod.dispose()
      case "clear": pod.clearCachedInstances(forScope: OwnedScope())
      default: break
      }
    }
    await eventually("all hooks end") { log.count == count }
    #expect(Set(log.entries) == Set((0..<count).map { "\($0)" }))
  }

  @Test("R27 a pod is usable after shutdown, and a hook may resolve in it, clear and override")
  func hooksCallBack() async throws {
    let pod = Pod()
    let log = Log<String>()
    let setting = Provider { _ in "setting" }
    let other = AsyncProvider(scope: OwnedScope()) { _ in "other" }
    let p = AsyncProvider { _ in
      Part("p")
    } onDispose: { _ in
      let answer = try? await pod.resolve(other)
      log.append(answer ?? "none")
      pod.overrideProvider(setting, withValue: "override")
      log.append(pod.resolve(setting))
      pod.clearCachedInstances(forScope: OwnedScope())
    }
    let first = try await pod.resolve(p)
    await pod.shutdown()
    #expect(log.entries == ["other", "override"])
    #expect(try await pod.resolve(p) !== first)
    #expect(pod.resolve(setting) == "override")
  }

  @Test("R27 two shutdowns at once run each hook once")
  func twice() async throws {
    let log = Log<String>()
    let gate = AsyncGate()
    let pod = Pod()
    let p = AsyncProvider { _ in
      Part("p")
    } onDispose: {
      await gate.wait()
      log.append($0.label)
    }
    _ = try await pod.resolve(p)
    async let first: Void = pod.shutdown()
    await eventually("the hook begins") { gate.arrived == 1 }
    gate.open()
    await pod.shutdown()
    await first
    #expect(log.entries == ["p"])
  }

  @Test("R27 an indirect dependent's async hook ends before what it depends on is disposed")
  func indirectDependent() async throws {
    struct FirstScope: ProviderScope {}
    let order = Log(of: String.self)
    let low = Provider(scope: FirstScope()) { _ in
      1
    } onDispose: { _ in
      order.append("low")
    }
    let middle = Provider { $0.resolve(low) }
    let top = AsyncProvider(scope: FirstScope()) {
      $0.resolve(middle)
    } onDispose: { _ in
      for _ in 0..<100 { await Task.yield() }
      order.append("top ends")
    }
    let pod = Pod()
    _ = try await pod.resolve(top)
    await pod.shutdown(scope: FirstScope())
    #expect(order.entries == ["top ends", "low"])
  }
}
