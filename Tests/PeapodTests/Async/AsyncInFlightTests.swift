import Peapod
import Testing

/// Rules 11, 15, 18 and 19 for async builds that are on their way when something changes.
@Suite(.timeLimit(.minutes(20))) @MainActor struct AsyncInFlightTests {
  /// A page that reads a sync setting and an async source, and then waits at a gate; its first build alone waits.
  private struct Site: Sendable {
    let pod = Pod("root")
    let gate = AsyncGate()
    let log = Log<String>()
    let census = Census()
    let built = Counter()
    let setting = Provider("setting") { _ in "s" }
    let source = AsyncProvider("source") { _ in "a" }
    let page: AsyncProvider<Part>

    init(askFirst: Bool = true) {
      let (gate, log, census, built, setting, source) = (gate, log, census, built, setting, source)
      page = AsyncProvider("page", scope: OwnedScope()) { pod in
        let isFirst = built.increment() == 1
        if isFirst && !askFirst { await gate.wait() }
        let text = pod.resolve(setting) + (try await pod.resolve(source))
        if isFirst && askFirst { await gate.wait() }
        return Part(text, in: census)
      } onDispose: {
        log.append($0.label)
      }
    }

    /// Starts a first build and returns when it is at the gate.
    @MainActor func start(in other: Pod? = nil) async -> Task<Part, any Error> {
      let pod = other ?? pod
      let task = await begin { [page] in try await pod.resolve(page) }
      await eventually("it builds") { gate.arrived == 1 }
      return task
    }
  }

  @Test("R11 an instance whose scope is cleared while it is built goes to its waiters, is not kept, and is disposed")
  func clear() async throws {
    for parent in [false, true] {
      let site = Site()
      let first = await site.start()
      let second = await begin { try await site.pod.resolve(site.page) }
      if parent {
        site.pod.clearCachedInstances(forScope: OuterScope())
      } else {
        site.pod.clearCachedInstances(forScope: OwnedScope())
      }
      // Who asks after the clear does not get what was begun before it, nor wait for it.
      let new = try await site.pod.resolve(site.page)
      site.gate.open()
      let old = try await first.value
      #expect(try await second.value === old)
      #expect(old !== new)
      await eventually("the old one is disposed") { site.log.entries == ["sa"] }
      #expect(try await site.pod.resolve(site.page) === new)
      #expect(site.built.value == 2)
    }
  }

  @Test("R11 an instance cleared by name, and one whose pod is disposed or shut down while it is built, is not kept")
  func otherWaysOut() async throws {
    for way in ["clear", "dispose", "shutdown", "shutdown of its scope"] {
      let site = Site()
      let first = await site.start()
      switch way {
      case "clear": site.pod.clearCachedInstance(of: site.page)
      case "dispose": site.pod.dispose()
      case "shutdown": await site.pod.shutdown()
      default: await site.pod.shutdown(scope: OwnedScope())
      }
      site.gate.open()
      _ = try await first.value
      await eventually("it is disposed") { site.log.entries == ["sa"] }
      #expect(!site.pod.isCached(site.page), "\(way)")
      _ = try await site.pod.resolve(site.page)
      #expect(site.built.value == 2, "\(way)")
    }
  }

  @Test("R11 R15 an override of what a build has asked for leaves its instance to its waiters")
  func overrideAfterAsking() async throws {
    for overridden in ["setting", "source", "page"] {
      let site = Site()
      let first = await site.start()
      switch overridden {
      case "setting": site.pod.overrideProvider(site.setting, withValue: "S")
      case "source": site.pod.overrideProvider(site.source, withValue: "A")
      default: site.pod.overrideProvider(site.page) { _ in Part("new") }
      }
      let new = try await site.pod.resolve(site.page)
      site.gate.open()
      #expect(try await first.value.label == "sa")
      #expect(["Sa", "sA", "new"].contains(new.label))
      #expect(try await site.pod.resolve(site.page) === new)
      await eventually("the old one is disposed") { site.log.entries == ["sa"] }
      site.pod.removeAllOverrides()
      // The first was disposed, so it does not come back.
      #expect(try await site.pod.resolve(site.page).label == "sa")
      #expect(site.built.value == (overridden == "page" ? 2 : 3))
    }
  }

  @Test("R11 R15 an override that comes and goes while a build runs never leaves a mixture in the cache")
  func overrideBeforeAsking() async throws {
    let site = Site(askFirst: false)
    let first = await site.start()
    site.pod.overrideProvider(site.setting, withValue: "S")
    site.pod.overrideProvider(site.source, withValue: "A")
    site.gate.open()
    _ = try await first.value
    #expect(try await site.pod.resolve(site.page).label == "SA")
    site.pod.removeOverrideProvider(site.source)
    #expect(try await site.pod.resolve(site.page).label == "Sa")
    site.pod.removeOverrideProvider(site.setting)
    #expect(try await site.pod.resolve(site.page).label == "sa")
  }

  @Test("R19 a child that asks while the root builds gets its own as soon as the build asks for what it changes")
  func childInFlight() async throws {
    for begunInChild in [false, true] {
      let site = Site(askFirst: false)
      let child = site.pod.makeChild("child") { $0.overrideProvider(site.setting, withValue: "S") }
      let (one, other) = begunInChild ? (child, site.pod) : (site.pod, child)
      let first = await site.start(in: one)
      let second = await begin { try await other.resolve(site.page) }
      let third = await begin { try await other.makeChild().resolve(site.page) }
      site.gate.open()
      let ofOne = try await first.value
      let ofOther = try await second.value
      #expect(ofOne.label == (begunInChild ? "Sa" : "sa"))
      #expect(ofOther.label == (begunInChild ? "sa" : "Sa"))
      #expect(try await third.value === ofOther)
      #expect(try await one.resolve(site.page) === ofOne)
      #expect(try await other.resolve(site.page) === ofOther)
      #expect(site.built.value == 2)
    }
  }

  @Test("R11 an override above a child that has its own leaves the child's build alone")
  func overrideAbove() async throws {
    let pod = Pod()
    let gate = AsyncGate()
    let p = AsyncProvider { _ in Part("p") }
    let child = pod.makeChild {
      $0.overrideProvider(p) { _ in
        await gate.wait()
        return Part("own")
      }
    }
    let first = await begin { try await child.resolve(p) }
    await eventually("it builds") { gate.arrived == 1 }
    pod.overrideProvider(p) { _ in Part("above") }
    gate.open()
    #expect(try await child.resolve(p) === first.value)
    #expect(try await pod.resolve(p).label == "above")
  }

  @Test("R6 R11 what is graph-scoped stays with its outermost resolve, though the pod is disposed meanwhile")
  func disposeInGraph() async throws {
    let pod = Pod()
    let gate = AsyncGate()
    let log = Log<String>()
    let shared = Provider(scope: .graph) { _ in
      Part("shared")
    } onDispose: {
      log.append($0.label)
    }
    let setting = Provider { _ in Part("setting") }
    let page = AsyncProvider { pod in
      let before = pod.resolve(shared)
      await gate.wait()
      return Part("page", [before, pod.resolve(shared)])
    } onDispose: {
      log.append($0.label)
    }
    let page1 = await begin { try await pod.resolve(page) }
    await eventually("it builds") { gate.arrived == 1 }
    _ = pod.resolve(setting)
    pod.dispose()
    pod.clearCachedInstance(of: shared)
    #expect(log.entries == [])
    gate.open()
    let parts = try await page1.value.parts
    #expect(parts[0] === parts[1])
    await eventually("both go") { log.count == 2 }
    #expect(log.entries == ["page", "shared"])
  }

  @Test("R19 a child that asks for what it does not change waits for the root's build")
  func childShares() async throws {
    let site = Site()
    let unrelated = Provider { _ in 0 }
    let child = site.pod.makeChild { $0.overrideProvider(unrelated, withValue: 1) }
    let first = await site.start(in: child)
    let second = await begin { try await site.pod.resolve(site.page) }
    site.gate.open()
    #expect(try await first.value === second.value)
    #expect(site.built.value == 1)
    #expect(site.pod.isCached(site.page))
  }

  @Test("R18 a block that begins and ends while a build runs has no part in it")
  func blockInFlight() async throws {
    let site = Site(askFirst: false)
    let first = await site.start()
    try await site.pod.withOverrides({ $0.overrideProvider(site.setting, withValue: "S") }) { () async throws in
      #expect(try await site.pod.resolve(site.page).label == "Sa")
      site.gate.open()
      #expect(try await first.value.label == "sa")
      #expect(try await site.pod.resolve(site.page).label == "Sa")
    }
    #expect(try await site.pod.resolve(site.page) === first.value)
    #expect(site.log.entries == ["Sa"])
  }

  @Test("R18 a build begun in a block keeps to the block when the block is over")
  func buildOutlivesBlock() async throws {
    let site = Site(askFirst: false)
    let late = await site.pod.withOverrides({ $0.overrideProvider(site.setting, withValue: "S") }) {
      await site.start()
    }
    #expect(try await site.pod.resolve(site.page).label == "sa")
    site.gate.open()
    _ = try? await late.value
    #expect(try await site.pod.resolve(site.page).label == "sa")
    #expect(site.pod.resolve(site.setting) == "s")
  }

  @Test("R11 a stale instance never stays in the cache, whenever the clear comes", arguments: [1, 4])
  func neverStale(_ askers: Int) async throws {
    let pod = Pod()
    let version = Counter()
    let source = AsyncProvider(scope: OwnedScope()) { _ in
      let seen = version.value
      await Task.yield()
      return seen
    }
    let p = AsyncProvider(scope: OwnedScope()) { pod in
      let seen = try await pod.resolve(source)
      if seen.isMultiple(of: 3) { await Task.yield() }
      return seen
    }
    let turns = rounds(20_000)
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        for _ in 0..<turns {
          let new = version.increment()
          pod.clearCachedInstances(forScope: OwnedScope())
          guard let seen = try? await pod.resolve(p), seen >= new else { return false }
        }
        return true
      }
      for _ in 0..<askers {
        group.addTask {
          var last = 0
          for _ in 0..<turns {
            guard let seen = try? await pod.resolve(p), seen >= last else { return false }
            last = seen
          }
          return true
        }
      }
      for await held in group { #expect(held) }
    }
  }

  @Test("R8 R19 a child's build does not hide the instance that the root keeps")
  func buildInChildHidesNothing() async throws {
    struct OwnScope: ProviderScope {}
    let root = Pod("root")
    let part = Provider(scope: OwnScope()) { _ in 1 }
    let other = Provider { _ in 2 }
    let gate = AsyncGate()
    let isGated = Locked(false)
    let whole = AsyncProvider { pod in
      if isGated.withLock({ $0 }) { await gate.wait() }
      return pod.resolve(part)
    }
    _ = try await root.resolve(whole)
    isGated.withLock { $0 = true }
    let owner = root.makeChild("owner", owning: [OwnScope()])
    let task = Task { try await owner.resolve(whole) }
    await eventually("the owner builds") { gate.arrived == 1 }
    #expect(root.isCached(whole))
    let sibling = root.makeChild("sibling") { $0.overrideProvider(other, withValue: 3) }
    #expect(sibling.isCached(whole))
    #expect(sibling.cachedInstance(of: whole) == 1)
    gate.open()
    _ = try await task.value
  }
}
