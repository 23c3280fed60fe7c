import Peapod
import Testing

/// Rule 25: `perUse` and `withFreshInstance`.
@Suite(.timeLimit(.minutes(20))) struct PerUseTests {
  private struct Refused: Error, Equatable { var number = 0 }

  /// A pod with a counted provider, whose hook writes down what it disposes.
  private struct Shop: Sendable {
    let pod = Pod()
    let census = Census()
    let log = Log<String>()
    let shared: Provider<Part>
    let p: Provider<Part>
    let async: AsyncProvider<Part>

    init() {
      let (census, log) = (census, log)
      let shared = Provider("shared") { _ in
        Part("shared", in: census)
      } onDispose: {
        log.append($0.label)
      }
      self.shared = shared
      p = Provider("p") {
        Part("p", [$0.resolve(shared)], in: census)
      } onDispose: {
        log.append($0.label)
      }
      async = AsyncProvider("async") {
        Part("async", [$0.resolve(shared)], in: census)
      } onDispose: {
        await Task.yield()
        log.append($0.label)
      }
    }
  }

  @Test("R25 each use builds afresh, disposes on return, and leaves shared dependencies alone")
  func fresh() {
    let shop = Shop()
    let cached = shop.pod.resolve(shop.p)
    let perUse = shop.pod.perUse(shop.p)
    var seen: [Part] = []
    for _ in 0..<2 {
      let recipe = perUse.use { part in
        #expect(shop.log.entries.isEmpty)
        #expect(part !== cached)
        #expect(part.parts[0] === cached.parts[0])
        seen.append(part)
        return part.recipe
      }
      #expect(recipe == "p(shared)")
      #expect(shop.log.drain() == ["p"])
    }
    shop.pod.withFreshInstance(of: shop.p) { part in seen.append(part) }
    #expect(shop.log.drain() == ["p"])
    #expect(Set(seen.map(ObjectIdentifier.init)).count == 3)
    #expect(shop.pod.resolve(shop.p) === cached)
    seen = []
    #expect(shop.census.alive == 2)
  }

  @Test("R25 a use that builds first leaves what it depends on to the pod, and itself out of it")
  func coldDependencies() {
    let shop = Shop()
    let shared = shop.pod.withFreshInstance(of: shop.p) { $0.parts[0] }
    #expect(shop.pod.resolve(shop.shared) === shared)
    #expect(!shop.pod.isCached(shop.p))
    #expect(shop.log.entries == ["p"])
    shop.pod.dispose()
    #expect(shop.log.entries == ["p", "shared"])
  }

  @Test("R25 the instance is disposed on a thrown error too, which is passed on")
  func thrown() async throws {
    let shop = Shop()
    #expect(throws: Refused(number: 1)) {
      try shop.pod.withFreshInstance(of: shop.p) { (_: Part) throws(Refused) in throw Refused(number: 1) }
    }
    #expect(throws: Refused(number: 2)) {
      try shop.pod.perUse(shop.p).use { (_: Part) throws(Refused) in throw Refused(number: 2) }
    }
    await #expect(throws: Refused(number: 3)) {
      try await shop.pod.withFreshInstance(of: shop.p) { (_: Part) async throws(Refused) in
        await Task.yield()
        throw Refused(number: 3)
      }
    }
    #expect(shop.log.drain() == ["p", "p", "p"])
    await #expect(throws: Refused(number: 4)) {
      try await shop.pod.withFreshInstance(of: shop.async) { _ in throw Refused(number: 4) }
    }
    #expect(shop.log.drain() == ["async"])
    #expect(shop.census.alive == 1)
  }

  @Test("R25 uses nest")
  func nested() {
    let shop = Shop()
    shop.pod.withFreshInstance(of: shop.p) { outer in
      shop.pod.withFreshInstance(of: shop.p) { inner in
        #expect(inner !== outer)
        #expect(inner.parts[0] === outer.parts[0])
      }
      #expect(shop.log.drain() == ["p"])
    }
    #expect(shop.log.drain() == ["p"])
  }

  @Test("R25 an async instance is built afresh, and its hook awaited before the return")
  func asynchronous() async throws {
    let shop = Shop()
    let cached = try await shop.pod.resolve(shop.async)
    let recipe = try await shop.pod.withFreshInstance(of: shop.async) { part in
      #expect(part !== cached)
      await Task.yield()
      #expect(shop.log.entries.isEmpty)
      return part.recipe
    }
    #expect(recipe == "async(shared)")
    #expect(shop.log.entries == ["async"])
    #expect(try await shop.pod.resolve(shop.async) === cached)
  }

  @Test("R25 an async body keeps a synchronous instance until it is done")
  func asyncBody() async {
    let shop = Shop()
    await shop.pod.withFreshInstance(of: shop.p) { part in
      for _ in 0..<10 { await Task.yield() }
      #expect(part.recipe == "p(shared)")
      #expect(shop.log.entries.isEmpty)
    }
    #expect(shop.log.entries == ["p"])
  }

  @Test("R25 an error of an async builder is passed on, and nothing is disposed")
  func failingBuilder() async {
    let pod = Pod()
    let log = Log<String>()
    let p = AsyncProvider<Int> { _ in
      throw Refused(number: 5)
    } onDispose: { _ in
      log.append("disposed")
    }
    await #expect(throws: Refused(number: 5)) { try await pod.withFreshInstance(of: p) { $0 } }
    #expect(log.entries.isEmpty)
  }

  @Test("R15 R25 a use answers to overrides, of the provider and of what it depends on")
  func overridden() {
    let shop = Shop()
    shop.pod.overrideProvider(shop.shared) { _ in Part("mock") }
    #expect(shop.pod.withFreshInstance(of: shop.p) { $0.recipe } == "p(mock)")
    shop.pod.overrideProvider(shop.p) { _ in Part("override") }
    #expect(shop.pod.perUse(shop.p).use { $0.recipe } == "override")
    #expect(shop.pod.makeChild().withFreshInstance(of: shop.p) { $0.recipe } == "override")
    #expect(shop.log.drain() == ["p", "override", "override"])
    let given = Part("given")
    shop.pod.overrideProvider(shop.p, withValue: given)
    #expect(shop.pod.withFreshInstance(of: shop.p) { $0 } === given)
    // The pod did not build it.
    #expect(!shop.log.entries.contains("given"))
  }

  @Test("R25 R27 uses on many threads dispose each instance once")
  func threads() async throws {
    let shop = Shop()
    let turns = rounds(2_000)
    try await runThreads(4) { _ in
      for _ in 0..<turns { shop.pod.withFreshInstance(of: shop.p) { _ in } }
    }
    #expect(shop.log.count == 4 * turns)
    #expect(shop.census.born == 4 * turns + 1)
    await eventually("all go") { shop.census.alive == 1 }
  }

  @Test("R25 R27 an instance for one use is disposed once, whatever becomes of the override that it was built from")
  func overrideRemovedDuringUse() {
    let disposed = Log(of: String.self)
    let setting = Provider { _ in 1 }
    let top = Provider { pod in
      _ = pod.resolve(setting); return "top"
    } onDispose: {
      disposed.append($0)
    }
    let pod = Pod()
    pod.overrideProvider(setting, withValue: 2)
    pod.withFreshInstance(of: top) { _ in
      pod.removeOverrideProvider(setting)
      #expect(disposed.entries == [])
    }
    #expect(disposed.entries == ["top"])
  }
}
