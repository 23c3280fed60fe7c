import Testing

@testable import Peapod

/// Rules 11 and 27: what a builder has asked for goes after what that makes, where both are to be disposed.
@Suite(.timeLimit(.minutes(5)))
struct PartsInUseTests {
  private struct FlowScope: ProviderScope {}

  /// What ends a part while the whole is being built from it, and the whole with it.
  enum End: CaseIterable, Sendable {
    case clear, clearInstances, dispose, removeOverride, removeAllOverrides, overrideAgain

    func apply(to pod: Pod, part: Provider<Part>, whole: any ProviderProtocol) {
      switch self {
      case .clear: pod.clearCachedInstances(forScope: FlowScope())
      case .clearInstances:
        // A part alone may be cleared under a whole that stays.
        pod.clearCachedInstance(of: whole)
        pod.clearCachedInstance(of: part)
      case .dispose: pod.dispose()
      case .removeOverride: pod.removeOverrideProvider(part)
      case .removeAllOverrides: pod.removeAllOverrides()
      case .overrideAgain: pod.overrideProvider(part, withValue: Part("other"))
      }
    }
  }

  private let log = Log<String>()

  /// A part that an override of a pod makes.
  private func declarePart(in pod: Pod) -> Provider<Part> {
    let part = Provider("part", scope: FlowScope()) { _ in
      Part("original")
    } onDispose: { [log] in
      log.append($0.label)
    }
    pod.overrideProvider(part) { _ in Part("part") }
    return part
  }

  @Test("R11 R27 a part goes after the whole that is just being built from it", arguments: End.allCases)
  func underTheBuilder(end: End) async throws {
    let pod = Pod()
    let part = declarePart(in: pod)
    let (started, finish) = (Gate(), Gate())
    let whole = Provider("whole", scope: FlowScope()) { pod in
      let own = pod.resolve(part)
      started.open()
      finish.wait()
      return Part("whole", [own])
    } onDispose: { [log] in
      log.append($0.label)
    }
    let build = Worker { pod.resolve(whole).description }
    try await blocking {
      started.wait()
      end.apply(to: pod, part: part, whole: whole)
      #expect(!pod.isCached(part) || end == .overrideAgain)
    }
    #expect(log.entries == [])
    finish.open()
    #expect(try await build.value() == "whole(part)")
    #expect(log.entries == ["whole", "part"])
  }

  @Test("R11 R27 a part that the builder itself ends goes after the whole", arguments: End.allCases)
  func byTheBuilder(end: End) {
    let pod = Pod()
    let part = declarePart(in: pod)
    let itself = Locked<Provider<Part>?>(nil)
    let whole = Provider("whole", scope: FlowScope()) { [log] pod in
      let own = pod.resolve(part)
      if let itself = itself.withLock({ $0 }) { end.apply(to: pod, part: part, whole: itself) }
      #expect(log.entries == [])
      return Part("whole", [own])
    } onDispose: { [log] in
      log.append($0.label)
    }
    itself.withLock { $0 = whole }
    #expect(pod.resolve(whole).description == "whole(part)")
    #expect(log.entries == ["whole", "part"])
    itself.withLock { $0 = nil }
  }

  @Test("R11 R13 R27 where the builder fails, its parts go then", arguments: End.allCases)
  func failing(end: End) async throws {
    let pod = Pod()
    let part = declarePart(in: pod)
    let (started, finish) = (Gate(), Gate())
    let whole = ThrowingProvider<Part>("whole", scope: FlowScope()) { pod in
      _ = pod.resolve(part)
      started.open()
      finish.wait()
      throw Stuck("expected")
    } onDispose: { [log] in
      log.append($0.label)
    }
    let build = Worker { try pod.resolve(whole) }
    try await blocking {
      started.wait()
      end.apply(to: pod, part: part, whole: whole)
    }
    #expect(log.entries == [])
    finish.open()
    await #expect(throws: Stuck.self) { try await build.value() }
    #expect(log.entries == ["part"])
  }

  @Test("R11 R27 a part goes after a whole that has it through what is not done or stays")
  func throughOthers() async throws {
    let pod = Pod()
    let part = declarePart(in: pod)
    let (started, finish) = (Gate(), Gate())
    // The first is built for each, the second is one for all and outlives a flow.
    let transient = Provider("transient", scope: .alwaysCreateNew) { Part("transient", [$0.resolve(part)]) }
    let lasting = Provider("lasting") { pod in
      let own = pod.resolve(transient)
      started.open()
      finish.wait()
      return Part("lasting", [own])
    } onDispose: { [log] in
      log.append($0.label)
    }
    let wholes = ["first", "second"].map { label in
      Provider(label, scope: FlowScope()) { pod in
        Part(label, [pod.resolve(lasting)])
      } onDispose: { [log] in
        log.append($0.label)
      }
    }
    let first = Worker { pod.resolve(wholes[0]).label }
    try await blocking { started.wait() }
    let second = Worker { pod.resolve(wholes[1]).label }
    await eventually("the second waits for what the first builds") {
      Engine.locked { _ in pod.ownLayer.records(of: lasting.declaration)?.build?.waiters.count } == 1
    }
    pod.clearCachedInstances(forScope: FlowScope())
    #expect(log.entries == [])
    finish.open()
    _ = (try await first.value(), try await second.value())
    #expect(log.entries.count == 3 && log.entries.last == "part")
    #expect(pod.isCached(lasting))
    pod.dispose()
    #expect(log.entries.last == "lasting")
  }

  @Test("R11 R27 a part that holds a handle of the whole still goes after it")
  func loop() async throws {
    struct Holder: Sendable { let whole: @Sendable () -> Part }
    let pod = Pod()
    let (started, finish) = (Gate(), Gate())
    let known = Locked<Provider<Part>?>(nil)
    let holder = Provider("holder") { pod in
      Holder(whole: pod.factory(known.withLock { $0 }!))
    } onDispose: { [log] _ in
      log.append("holder")
    }
    let whole = Provider("whole") { pod in
      _ = pod.resolve(holder)
      started.open()
      finish.wait()
      return Part("whole")
    } onDispose: { [log] in
      log.append($0.label)
    }
    known.withLock { $0 = whole }
    let build = Worker { pod.resolve(whole).label }
    try await blocking {
      started.wait()
      pod.dispose()
    }
    #expect(log.entries == [])
    finish.open()
    #expect(try await build.value() == "whole")
    #expect(log.entries == ["whole", "holder"])
    known.withLock { $0 = nil }
  }

  @Test("R6 R11 R27 a part goes after what was built from it for the same resolve", arguments: [false, true])
  func graphScoped(fails: Bool) async throws {
    let pod = Pod()
    let (finish, hook) = (AsyncGate(), AsyncGate())
    let part = Provider("part") { _ in
      Part("part")
    } onDispose: { [log] in
      log.append($0.label)
    }
    let between = AsyncProvider("between", scope: .graph) {
      Part("between", [$0.resolve(part)])
    } onDispose: { [log] in
      await hook.wait()
      log.append($0.label)
    }
    let whole = AsyncProvider("whole") { pod in
      let own = try await pod.resolve(between)
      await finish.wait()
      if fails { throw Stuck("expected") }
      return Part("whole", [own])
    } onDispose: { [log] in
      log.append($0.label)
    }
    let build = Task { try await pod.resolve(whole) }
    await eventually("it is being built") { finish.arrived == 1 }
    pod.dispose()
    #expect(log.entries == [])
    finish.open()
    _ = try? await build.value
    await eventually("the one between ends") { hook.arrived == 1 }
    for _ in 0..<100 { await Task.yield() }
    #expect(log.entries == (fails ? [] : ["whole"]))
    hook.open()
    await eventually("the part has gone") { log.entries.last == "part" }
    #expect(log.entries == (fails ? [] : ["whole"]) + ["between", "part"])
  }

  @Test("R25 R27 what is built for one use goes after that, also in a pod that has gone meanwhile")
  func oneUse() async throws {
    let (finish, atBody) = (AsyncGate(), AsyncGate())
    let seen = Log<[String]>()
    let isolated = AsyncProvider("isolated") { _ in
      await finish.wait()
      return Part("isolated")
    } onDispose: { [log] in
      log.append($0.label)
    }
    let whole = AsyncProvider("whole") { [log] pod in
      try await pod.withFreshInstance(of: isolated) { _ in }
      seen.append(log.entries)
      await atBody.wait()
      return Part("whole")
    } onDispose: { [log] in
      log.append($0.label)
    }
    var pod: Pod? = Pod()
    let build = pod.map { pod in Task { _ = try await pod.resolve(whole) } }
    await eventually("it is being built") { finish.arrived == 1 }
    build?.cancel()
    _ = try? await build?.value
    pod = nil
    finish.open()
    await eventually("the use is over") { atBody.arrived == 1 }
    #expect(seen.entries == [["isolated"]])
    atBody.open()
    await eventually("both have gone") { log.count == 2 }
    #expect(log.entries == ["isolated", "whole"])
  }

  @Test("R11 a part alone goes at once under a whole that stays, and where no hook would tell")
  func atOnce() async throws {
    let pod = Pod()
    let census = Census()
    let (started, finish) = (Gate(), Gate())
    let quiet = Provider("quiet", scope: FlowScope()) { _ in Part("quiet", in: census) }
    let part = declarePart(in: pod)
    let whole = Provider("whole", scope: .singleton) { pod in
      _ = (pod.resolve(quiet), pod.resolve(part))
      started.open()
      finish.wait()
      return Part("whole")
    }
    let build = Worker { pod.resolve(whole).label }
    try await blocking {
      started.wait()
      pod.clearCachedInstances(forScope: FlowScope())
    }
    #expect(log.entries == ["part"])
    #expect(census.alive == 0)
    finish.open()
    #expect(try await build.value() == "whole")
    #expect(pod.isCached(whole))
  }
}

/// What `shutdown()` waits for, while builders still use what it disposes.
@Suite(.timeLimit(.minutes(5)))
struct ShutdownInUseTests {
  private struct FlowScope: ProviderScope {}

  private let log = Log<String>()
  /// Lets the builder go on.
  private let finish = AsyncGate()

  private func declarePart(_ name: String = "part") -> AsyncProvider<Part> {
    AsyncProvider(name, scope: FlowScope()) { _ in
      Part(name)
    } onDispose: { [log] in
      await Task.yield()
      log.append($0.label)
    }
  }

  /// A provider whose builder has its part and then does something, and waits to be let go on.
  private func declareWhole(
    of part: AsyncProvider<Part>, meanwhile: @escaping @Sendable (Pod) async -> Void = { _ in }
  ) -> AsyncProvider<Part> {
    AsyncProvider("whole", scope: FlowScope()) { [finish] pod in
      let own = try await pod.resolve(part)
      await meanwhile(pod)
      await finish.wait()
      return Part("whole", [own])
    } onDispose: { [log] in
      await Task.yield()
      log.append($0.label)
    }
  }

  @Test("R11 R27 shutdown waits for the hook of what a builder still uses", arguments: [true, false])
  @MainActor
  func waits(isWhole: Bool) async throws {
    let pod = Pod()
    let whole = declareWhole(of: declarePart())
    let build = await begin { try await pod.resolve(whole).description }
    await eventually("it is being built") { finish.arrived == 1 }
    let end = await begin {
      if isWhole { await pod.shutdown() } else { await pod.shutdown(scope: FlowScope()) }
      log.append("over")
    }
    for _ in 0..<100 { await Task.yield() }
    #expect(log.entries == [])
    finish.open()
    #expect(try await build.value == "whole(part)")
    try await end.value
    #expect(log.entries == ["whole", "part", "over"])
  }

  @Test("R12 R27 a builder that shuts its pod down does not wait for itself", arguments: [false, true])
  func byTheBuilder(isPartDue: Bool) async throws {
    let pod = Pod()
    // The base goes after the part, which may wait for the builder already.
    let base = Provider("base") { _ in
      Part("base")
    } onDispose: { [log] in
      log.append($0.label)
    }
    let part = AsyncProvider("part", scope: FlowScope()) {
      Part("part", [$0.resolve(base)])
    } onDispose: { [log] in
      log.append($0.label)
    }
    let itself = Locked<AsyncProvider<Part>?>(nil)
    let whole = declareWhole(of: part) { [log] pod in
      if isPartDue, let itself = itself.withLock({ $0 }) {
        pod.clearCachedInstance(of: itself)
        pod.clearCachedInstance(of: part)
      }
      await pod.shutdown()
      #expect(log.entries == [])
    }
    itself.withLock { $0 = whole }
    finish.open()
    #expect(try await pod.resolve(whole).description == "whole(part(base))")
    await eventually("all have gone") { log.count == 3 }
    #expect(log.entries == ["whole", "part", "base"])
    itself.withLock { $0 = nil }
  }

  @Test("R9 R12 R27 a hook that a builder waits for may shut the pod down", arguments: [false, true])
  func byAHookOfTheBuilder(isOneUse: Bool) async throws {
    struct OtherScope: ProviderScope {}
    let pod = Pod()
    let part = declarePart()
    let other = AsyncProvider("other", scope: OtherScope()) { _ in
      Part("other")
    } onDispose: { [log] in
      await pod.shutdown()
      log.append($0.label)
    }
    let whole = declareWhole(of: part) { pod in
      if isOneUse {
        try? await pod.withFreshInstance(of: other) { _ in }
      } else {
        _ = try? await pod.resolve(other)
        await pod.shutdown(scope: OtherScope())
      }
    }
    finish.open()
    #expect(try await pod.resolve(whole).description == "whole(part)")
    await eventually("all have gone") { log.count == 3 }
    #expect(log.entries == ["other", "whole", "part"])
  }

  @Test("R18 R20 R27 a block and a child end although a builder that they left behind does not return")
  func leftBehind() async throws {
    let pod = Pod()
    let whole = declareWhole(of: declarePart())
    let builds = Locked<[Task<Part, any Error>]>([])
    await pod.withOverrides({ _ in }) {
      builds.withLock { $0.append(Task { try await pod.resolve(whole) }) }
      await eventually("it is being built") { finish.arrived == 1 }
    }
    await pod.withChild(owning: [FlowScope()]) { child in
      builds.withLock { $0.append(Task { try await child.resolve(whole) }) }
      await eventually("it is being built") { finish.arrived == 2 }
    }
    #expect(log.entries == [])
    finish.open()
    for build in builds.withLock({ $0 }) { _ = try await build.value }
    await eventually("all have gone") { log.count == 4 }
    #expect(log.entries.filter { $0 == "whole" }.count == 2)
    #expect(log.entries.first == "whole" && log.entries.last == "part")
  }

  @Test("R27 shutdown does not wait for what has no hook and is still being used")
  func withoutHook() async throws {
    let pod = Pod()
    let (quiet, other) = (Provider("quiet") { _ in Part("quiet") }, declarePart("other"))
    let whole = AsyncProvider("whole") { [finish] pod in
      let own = pod.resolve(quiet)
      await finish.wait()
      return Part("whole", [own])
    } onDispose: { [log] in
      log.append($0.label)
    }
    _ = try await pod.resolve(other)
    let build = Task { try await pod.resolve(whole).description }
    await eventually("it is being built") { finish.arrived == 1 }
    await pod.shutdown()
    #expect(log.entries == ["other"])
    finish.open()
    #expect(try await build.value == "whole(quiet)")
    await eventually("it has gone") { log.count == 2 }
  }
}
