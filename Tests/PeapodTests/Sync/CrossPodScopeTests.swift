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
}
