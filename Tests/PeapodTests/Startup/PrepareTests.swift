import Foundation
import Peapod
import Testing

@Suite("R33: prepare")
struct PrepareTests {
  @Test("R33 Providers of all kinds are prepared at once, and cached")
  func allKinds() async throws {
    let plain = Provider("plain") { _ in 1 }
    let throwing = ThrowingProvider("throwing") { _ in 2 }
    let async = AsyncProvider("async") { _ in 3 }
    let onMain = MainActorProvider("main") { _ in
      MainActor.assertIsolated()
      return Tracked()
    }
    let member = Provider.family("member") { (_, number: Int) in number }
    let pod = Pod()
    let preparation = try await pod.prepare(plain, throwing, async, onMain, member(7))
    #expect(pod.isCached(plain) && pod.isCached(throwing) && pod.isCached(async) && pod.isCached(onMain))
    #expect(pod.isCached(member(7)) && !pod.isCached(member(8)))
    #expect(preparation.criticalPath.count == 1)
    #expect(preparation.duration >= preparation.criticalPath[0].exclusiveDuration)
  }

  @Test("R33 No provider, and an instance that is cached: nothing is built")
  func cached() async throws {
    let count = Counter()
    let provider = Provider { _ in count.increment() }
    let pod = Pod()
    #expect(try await pod.prepare().criticalPath.isEmpty)
    _ = pod.resolve(provider)
    #expect(try await pod.prepare(provider, provider).criticalPath.isEmpty)
    let child = pod.makeChild()
    #expect(try await child.prepare(provider).criticalPath.isEmpty)
    #expect(count.value == 1)
  }

  @Test("R33 The builders of all providers run concurrently")
  func concurrently() async throws {
    let gate = AsyncGate()
    let family = AsyncProvider.family("waiting") { (_, number: Int) in
      await gate.wait()
      return number
    }
    let pod = Pod()
    async let preparation = pod.prepare(family(1), family(2), family(3), family(4))
    await eventually("all four builders run") { gate.arrived == 4 }
    gate.open()
    _ = try await preparation
  }

  @Test("R33 A diamond takes as long as its longest path, and each provider is built once")
  func diamond() async throws {
    let (base, left, right) = (AsyncGate(), AsyncGate(), AsyncGate())
    let builds = Log(of: String.self)
    let baseProvider = AsyncProvider("base") { _ in
      builds.append("base")
      await base.wait()
      return 1
    }
    let leftProvider = AsyncProvider("left") { pod in
      builds.append("left")
      let value = try await pod.resolve(baseProvider)
      await left.wait()
      return value
    }
    let rightProvider = AsyncProvider("right") { pod in
      builds.append("right")
      let value = try await pod.resolve(baseProvider)
      await right.wait()
      return value
    }
    let topProvider = AsyncProvider("top") { pod in
      builds.append("top")
      async let left = pod.resolve(leftProvider)
      async let right = pod.resolve(rightProvider)
      return try await left + right
    }
    let pod = Pod()
    let start = ContinuousClock.now
    async let result = pod.prepare(topProvider, rightProvider, baseProvider)
    await eventually("the base is built") { base.arrived == 1 && builds.count == 4 }
    // The time in which both wait for the base belongs to the base alone.
    await spend(.milliseconds(60))
    base.open()
    await eventually("both sides are built") { left.arrived == 1 && right.arrived == 1 }
    left.open()
    await eventually("the left side is done") { pod.isCached(leftProvider) }
    // Longer than the left side took from its very beginning, however late the tasks were scheduled.
    await spend(ContinuousClock.now - start + .milliseconds(30))
    right.open()
    let preparation = try await result
    #expect(builds.entries.sorted() == ["base", "left", "right", "top"])
    #expect(preparation.criticalPath.map(\.provider.name) == ["base", "right", "top"])
    let times = preparation.criticalPath.map(\.exclusiveDuration)
    #expect(times[0] >= .milliseconds(60) && times[1] >= .milliseconds(30))
    #expect(times.allSatisfy { $0 <= preparation.duration })
    for node in pod.graph.nodes where node.provider.name != "base" {
      #expect(node.exclusiveDuration <= node.inclusiveDuration - .milliseconds(20), "\(node.provider.name)")
    }
  }

  @Test("R33 The path contains transients and excludes what was built before")
  func pathThroughTransient() async throws {
    let old = Provider("old") { _ in 1 }
    let base = Provider("base") { pod in pod.resolve(old) }
    let transient = Provider("transient", scope: .alwaysCreateNew) { pod in pod.resolve(base) }
    let top = MainActorProvider("top") { pod in pod.resolve(transient) }
    let pod = Pod()
    _ = pod.resolve(old)
    let path = try await pod.prepare(top).criticalPath
    #expect(path.map(\.provider.name) == ["base", "transient", "top"])
    #expect(try await pod.prepare(transient).criticalPath.map(\.provider.name) == [])
  }

  @Test("R33 The path contains what a builder made in a child of its own")
  func pathThroughInnerPod() async throws {
    let user = Provider("user") { _ in 1 }
    let slow = Provider("slow") { pod in
      Thread.sleep(forTimeInterval: 0.03)
      return pod.resolve(user)
    }
    let page = Provider("page") { pod in
      pod.withChild {
        $0.overrideProvider(user, withValue: 2)
      } operation: {
        $0.resolve(slow)
      }
    }
    let path = try await Pod().prepare(page).criticalPath
    #expect(path.map(\.provider.name) == ["slow", "page"])
    #expect(path.first?.exclusiveDuration ?? .zero >= .milliseconds(30))
  }

  @Test("R33 The path of a deep chain is complete")
  func deepPath() async throws {
    let pod = Pod()
    var last = Provider("0") { _ in 0 }
    let depth = DeepStack.isSanitized ? 500 : 2_000
    for number in 1...depth {
      let next = last
      last = Provider("\(number)") { pod in pod.resolve(next) + 1 }
    }
    let path = try await pod.prepare(last).criticalPath
    #expect(path.map(\.provider.name) == (0...depth).map { "\($0)" })
  }

  @Test("R33 In a child the path has what the parent cached meanwhile, and what the child built")
  func inChild() async throws {
    let shared = AsyncProvider("shared") { _ in 1 }
    let setting = Provider("setting") { _ in 0 }
    let own = AsyncProvider("own") { pod in try await pod.resolve(shared) + pod.resolve(setting) }
    let pod = Pod()
    let child = pod.makeChild { $0.overrideProvider(setting, withValue: 5) }
    let path = try await child.prepare(own).criticalPath
    #expect(path.map(\.provider.name) == ["shared", "own"])
    #expect(pod.isCached(shared) && !pod.isCached(own) && child.isCached(own))
  }

  @Test("R33 A builder that prepares depends on what it prepared")
  func withinBuilder() async throws {
    let (first, second) = (Provider("first") { _ in 1 }, AsyncProvider("second") { _ in 2 })
    let top = AsyncProvider("top") { pod in
      try await pod.prepare(first, second)
      return 3
    }
    let pod = Pod()
    _ = pod.resolve(first)
    #expect(try await pod.resolve(top) == 3)
    #expect(Set(pod.graph.dependencies(of: top).map(\.name)) == ["first", "second"])
  }
}

/// Lets time pass on the clock by which builds are measured.
private func spend(_ duration: Duration) async {
  let end = ContinuousClock.now + duration
  while ContinuousClock.now < end { await Task.yield() }
}
