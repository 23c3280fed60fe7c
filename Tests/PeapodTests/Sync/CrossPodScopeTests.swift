import Peapod
import Testing

/// Rules 15, 18 and 19: an instance that was built through an override scope of another pod is not given to anybody outside the scope.
@Suite struct CrossPodScopeTests {
  private let core = Pod("core")
  private let app = Pod("app")
  private let api = Provider("api") { _ in "live" }
  private let log = Log<String>()

  /// A provider of the app that resolves from the other pod.
  private func declareService() -> Provider<Part> {
    let (core, api, log) = (core, api, log)
    return Provider("service") { _ in
      Part(core.resolve(api))
    } onDispose: {
      log.append($0.recipe)
    }
  }

  @Test("R18 R19 what was built through an override scope of another pod is not seen after the scope")
  func afterwards() {
    let service = declareService()
    core.withOverrides {
      $0.overrideProvider(api, withValue: "mock")
    } operation: {
      let mock = app.resolve(service)
      #expect(mock.recipe == "mock")
      #expect(app.resolve(service) === mock)
    }
    let live = app.resolve(service)
    #expect(live.recipe == "live")
    #expect(app.resolve(service) === live)
    #expect(log.entries == ["mock"])
  }

  @Test("R18 R19 the same where the scope overrides something else, since its instances end with it")
  func unrelatedOverride() {
    let service = declareService()
    let other = Provider { _ in 1 }
    let inside = core.withOverrides {
      $0.overrideProvider(other, withValue: 2)
    } operation: {
      app.resolve(service)
    }
    #expect(app.resolve(service) !== inside)
  }

  @Test("R18 R19 each of two scopes sees its own override, and none an instance from before")
  func twoScopes() {
    let service = declareService()
    #expect(app.resolve(service).recipe == "live")
    for name in ["one", "two"] {
      core.withOverrides {
        $0.overrideProvider(api, withValue: name)
      } operation: {
        #expect(app.resolve(service).recipe == name)
      }
    }
    #expect(app.resolve(service).recipe == "live")
  }

  @Test("R18 R19 a task outside does not accept the instance of a build that it waited for, and that used a scope")
  func waiter() async throws {
    let (core, app, api) = (core, app, api)
    let gate = AsyncGate()
    let isFirst = Locked(true)
    let service = AsyncProvider("service") { _ in
      let part = Part(core.resolve(api))
      let isGated = isFirst.withLock { first in
        defer { first = false }
        return first
      }
      if isGated {
        await gate.wait()
      }
      return part
    }
    let inside = Task {
      try await core.withOverrides {
        $0.overrideProvider(api, withValue: "mock")
      } operation: {
        try await app.resolve(service).recipe
      }
    }
    await eventually("the service is being built") { gate.arrived == 1 }
    let outside = Task { try await app.resolve(service).recipe }
    for _ in 0..<100 { await Task.yield() }
    gate.open()
    #expect(try await inside.value == "mock")
    #expect(try await outside.value == "live")
  }

  @Test("R18 R19 a child from before the scope keeps what its builder resolved from the parent")
  func childOutside() {
    let (core, api) = (core, api)
    let service = Provider("service") { Part("\(core.resolve(api)) \($0.resolve(Provider("own") { _ in 1 }))") }
    let child = core.makeChild { $0.overrideProvider(Provider { _ in 1 }, withValue: 2) }
    let before = child.resolve(service)
    core.withOverrides {
      $0.overrideProvider(api, withValue: "mock")
    } operation: {
      #expect(child.resolve(service) === before)
    }
    #expect(child.resolve(service) === before)
  }

  @Test("R11 R14 a caller receives the instance that its own request built, although the builder changed the other pod")
  func changedByBuilder() async throws {
    let core = core
    let number = Provider { _ in 1 }
    let builds = Counter()
    let service = AsyncProvider("service") { _ in
      builds.increment()
      let value = core.resolve(number)
      core.overrideProvider(number, withValue: value + 1)
      return value
    }
    #expect(try await app.resolve(service) == 1)
    #expect(builds.value == 1)
    #expect(try await app.resolve(service) == 2)
  }

  @Test(
    "R18 R19 a caller whose builder does not use the scope accepts what builders of another tree resolved through it")
  func callerOfSameTree() async throws {
    let (core, app, api) = (core, app, api)
    let builds = Counter()
    let service = AsyncProvider("service") { _ in
      builds.increment()
      return Part(core.resolve(api))
    }
    let user = AsyncProvider("user") { _ in try await app.resolve(service) }
    let child = core.makeChild { $0.overrideProvider(Provider { _ in 1 }, withValue: 2) }
    try await core.withOverrides {
      $0.overrideProvider(api, withValue: "mock")
    } operation: {
      let used = try await child.resolve(user)
      #expect(used.recipe == "mock")
      #expect(try await app.resolve(service) === used)
    }
    #expect(builds.value == 1)
  }

  @Test("R19 an instance of another pod's child, whose override resolves from a third pod, stays")
  func thirdPod() {
    let (core, api, third) = (core, api, Pod("third"))
    let mock = Provider("mock") { _ in "mock" }
    let service = Provider("service") { _ in
      core.withChild { child in
        child.overrideProvider(api) { _ in third.resolve(mock) }
      } operation: {
        Part($0.resolve(api))
      }
    }
    let first = app.resolve(service)
    #expect(first.recipe == "mock")
    #expect(app.resolve(service) === first)
  }

  @Test("R18 R19 what a builder resolved through its inner child, within an open scope, is not given outside the scope")
  func innerChildInScope() async {
    let (core, app, api) = (core, app, api)
    let service = Provider("service") { _ in core.withChild { Part($0.resolve(api)) } }
    await core.withOverrides {
      $0.overrideProvider(api, withValue: "mock")
    } operation: {
      #expect(app.resolve(service).recipe == "mock")
      #expect(await Task.detached { app.resolve(service).recipe }.value == "live")
    }
  }

  @Test("R2 a long chain across two pods is released on a small stack")
  func longChain() async throws {
    let value = try await Worker(stackBytes: 128 << 10) {
      var providers = [Provider { _ in 0 }]
      func resolveAll() -> Int {
        let pods = [Pod("even"), Pod("odd")]
        while providers.count <= 1_200 {
          let (previous, pod) = (providers[providers.count - 1], pods[providers.count % 2])
          providers.append(Provider { [unowned pod] _ in pod.resolve(previous) + 1 })
          _ = pods[providers.count % 2].resolve(providers[providers.count - 1])
        }
        return pods[1].resolve(providers[1_200])
      }
      let value = resolveAll()
      // One after the other, since each builder retains the provider before.
      while providers.popLast() != nil {}
      return value
    }.value()
    #expect(value == 1_200)
  }
}
