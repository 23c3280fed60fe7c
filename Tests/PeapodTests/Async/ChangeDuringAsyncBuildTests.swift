import Testing

@testable import Peapod

/// Rules 6, 11, 14, 15 and 19: what changes while an async builder waits.
@Suite(.timeLimit(.minutes(20))) struct ChangeDuringAsyncBuildTests {
  private struct FlowScope: ProviderScope {}

  private let pod = Pod("root")
  private let gate = AsyncGate()

  /// A provider whose builder waits at the gate.
  private func declare(_ label: String) -> AsyncProvider<Part> {
    let gate = gate
    return AsyncProvider(label) { _ in
      await gate.wait()
      return Part(label)
    }
  }

  /// How many callers wait for the build of a provider.
  private func waiterCount(for declaration: Declaration) -> Int {
    let build = pod.state.withLock { pod.state.firstInstance(of: declaration, $0)?.build }
    return WaitGraph.withLock { build?.waiters.count ?? 0 }
  }

  @Test(
    "R11 R15 what an override found being built is not cached, also when the override is gone before the build ends")
  func overriddenForAMoment() async throws {
    let (pod, part) = (pod, declare("part"))
    let whole = AsyncProvider("whole") { Part("whole", [try await $0.resolve(part)]) }
    async let early = pod.resolve(whole)
    await eventually("the part is being built") { gate.arrived == 1 }
    pod.overrideProvider(part) { _ in Part("mock") }
    pod.removeOverrideProvider(part)
    gate.open()
    #expect(try await early.recipe == "whole(part)")
    #expect(!pod.isCached(part))
    #expect(!pod.isCached(whole))
    #expect(try await pod.resolve(whole).parts[0] === pod.resolve(part))
  }

  @Test("R11 R15 R17 an original that a decorator may have is outdated where another dependent has it")
  func originalBesideDecorator() async throws {
    let (pod, gate) = (pod, gate)
    let part = AsyncProvider("part") { _ in Part("part") }
    let whole = AsyncProvider("whole") { Part("whole", [try await $0.resolve(part)]) }
    _ = try await pod.resolve(whole)
    pod.overrideProvider(whole) { pod in
      let original = try await pod.resolve(whole)
      await gate.wait()
      return Part("decorated", [original, try await pod.resolve(part)])
    }
    // The override of the child does not find this build in the root.
    let child = pod.makeChild { $0.overrideProvider(Provider { _ in 0 }, withValue: 1) }
    async let early = child.resolve(whole)
    await eventually("the decorator waits") { gate.arrived == 1 }
    child.overrideProvider(part) { Part("mock", [try await $0.resolve(part)]) }
    gate.open()
    #expect(try await early.recipe == "decorated(whole(part),mock(part))")
    #expect(!child.isCached(whole))
    #expect(try await child.resolve(whole).recipe == "decorated(whole(mock(part)),mock(part))")
  }

  @Test("R11 R15 what is built from a provider that is overridden for a time meanwhile is not cached")
  func overrideForATime() async throws {
    let (pod, gate) = (pod, gate)
    let part = Provider("part") { _ in Part("part") }
    let whole = AsyncProvider("whole") { pod in
      let part = pod.resolve(part)
      await gate.wait()
      return Part("whole", [part])
    }
    async let early = pod.resolve(whole)
    await eventually("the whole waits") { gate.arrived == 1 }
    pod.overrideProvider(part, withValue: Part("mock"))
    pod.removeOverrideProvider(part)
    gate.open()
    #expect(try await early.recipe == "whole(part)")
    #expect(!pod.isCached(whole))
  }

  @Test("R11 R15 an override of another provider does not matter to the callers that wait for a build")
  func unrelatedOverride() async throws {
    let (pod, gate, part, other) = (pod, gate, declare("part"), Provider { _ in 0 })
    pod.overrideProvider(part) { _ in
      await gate.wait()
      return Part("mock")
    }
    async let first = pod.resolve(part)
    await eventually("the part is being built") { gate.arrived == 1 }
    pod.overrideProvider(other, withValue: 1)
    async let second = pod.resolve(part)
    await eventually("both wait") { waiterCount(for: part.declaration) == 2 }
    pod.clearCachedInstance(of: part)
    gate.open()
    let (one, two) = try await (first, second)
    #expect(one.label == "mock")
    #expect(one === two)
  }

  @Test("R11 R15 a caller after an override is given nothing that was built from before, recorded or not")
  func unrecordedAnswer() async throws {
    struct Meanwhile: PodObserver {
      let act: @Sendable (ProviderInfo) -> Void
      func pod(_ pod: Pod, did event: PodEvent) {
        if case .build(let info, _, _) = event { act(info) }
      }
    }
    let (pod, gate, part, late) = (pod, gate, Provider("part") { _ in Part("part") }, Log(of: Part.self))
    let whole = AsyncProvider("whole") { pod in
      let part = pod.resolve(part)
      await gate.wait()
      return Part("whole", [part])
    }
    let isWholeAwaitedTwice: @Sendable () -> Bool = { [self] in waiterCount(for: whole.declaration) == 2 }
    // Observers hear of the part before its caller gets it.
    pod.addObserver(
      Meanwhile { info in
        guard info.name == "part" else { return }
        pod.overrideProvider(part, withValue: Part("mock"))
        Task.detached { late.append(try await pod.resolve(whole)) }
        spin(until: isWholeAwaitedTwice)
      })
    async let early = pod.resolve(whole)
    await eventually("the builder has its part") { gate.arrived == 1 }
    gate.open()
    #expect(try await early.recipe == "whole(part)")
    await eventually("the later caller has its answer") { late.entries.count == 1 }
    #expect(late.entries.map(\.recipe) == ["whole(mock)"])
  }

  @Test("R11 R17 what was built beneath an override that is replaced meanwhile is not cached")
  func beneathReplaced() async throws {
    let (pod, part) = (pod, declare("part"))
    let child = pod.makeChild { $0.overrideProvider(part) { Part("first", [try await $0.resolve(part)]) } }
    async let early = child.resolve(part)
    await eventually("the original is being built") { gate.arrived == 1 }
    child.overrideProvider(part) { _ in Part("second") }
    gate.open()
    #expect(try await early.recipe == "first(part)")
    #expect(!pod.isCached(part))
    #expect(try await child.resolve(part).recipe == "second")
  }

  @Test("R4 R19 a clear through a child leaves a build alone that waits for what the child overrides")
  func clearThroughChild() async throws {
    let (pod, part) = (pod, declare("part"))
    let whole = AsyncProvider("whole") { Part("whole", [try await $0.resolve(part)]) }
    let child = pod.makeChild { $0.overrideProvider(part) { _ in Part("mock") } }
    async let early = pod.resolve(whole)
    await eventually("the part is being built") { gate.arrived == 1 }
    child.clearCachedInstance(of: whole)
    gate.open()
    let first = try await early
    #expect(pod.cachedInstance(of: whole) === first)
  }

  @Test("R6 R15 R27 a graph-scoped instance that an override has outdated is disposed when its build ends")
  func graphScope() async throws {
    let (pod, gate, last, log) = (pod, gate, AsyncGate(), Log(of: String.self))
    let part = AsyncProvider("part", scope: .graph) { _ in
      await gate.wait()
      return Part("part")
    } onDispose: {
      log.append($0.label)
    }
    let whole = AsyncProvider("whole") { pod in
      let part = try await pod.resolve(part)
      await last.wait()
      return Part("whole", [part])
    }
    async let early = pod.resolve(whole)
    await eventually("the part is being built") { gate.arrived == 1 }
    pod.overrideProvider(part) { _ in Part("mock") }
    gate.open()
    await eventually("the part is disposed") { log.entries == ["part"] }
    #expect(!pod.isCached(whole))
    last.open()
    #expect(try await early.recipe == "whole(part)")
    #expect(log.entries == ["part"])
  }

  @Test("R14 a canceled task begins no build")
  func canceledTask() async throws {
    let (pod, builds) = (pod, Counter())
    let part = AsyncProvider { _ in builds.increment() }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await pod.resolve(part)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    // Once the cached instance is there, a build that was begun would have run.
    #expect(try await pod.resolve(part) == 1)
  }

  @Test("R14 R15 a canceled task receives the value of a constant override, which needs no build")
  func canceledTaskWithConstant() async throws {
    for scope: any ProviderScope in [.singleton, .alwaysCreateNew] as [any ProviderScope] {
      let pod = pod
      let part = AsyncProvider(scope: scope) { _ in Part("part") }
      pod.overrideProvider(part, withValue: Part("constant"))
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await pod.resolve(part)
      }
      #expect(try await task.value.recipe == "constant")
    }
  }

  @Test("R14 R15 a canceled task begins no build of a constant override that a task builds")
  func canceledTaskWithWeakConstant() async throws {
    struct Builds: PodObserver {
      let count = Counter()

      func pod(_ pod: Pod, did event: PodEvent) { if case .build = event { count.increment() } }
    }
    for scope: any ProviderScope in [.weak, .graph] as [any ProviderScope] {
      let builds = Builds()
      let pod = Pod(observers: [builds])
      let part = AsyncProvider(scope: scope) { _ in Part("part") }
      pod.overrideProvider(part, withValue: Part("constant"))
      for _ in 0..<2 {
        let task = Task {
          withUnsafeCurrentTask { $0?.cancel() }
          return try await pod.resolve(part)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
      }
      // Once this build is reported, those of the canceled tasks would be too.
      #expect(try await pod.resolve(part).recipe == "constant")
      #expect(builds.count.value == 1)
    }
  }

  @Test("R14 a caller that found a build just before its last waiter was canceled does not wait for it")
  func abandoned() async throws {
    let (pod, part) = (pod, declare("part"))
    let task = Task { try await pod.resolve(part) }
    await eventually("the part is being built") { gate.arrived == 1 && waiterCount(for: part.declaration) == 1 }
    let request = Request(part.declaration, of: pod)
    guard case .wait(let build) = request.answer() else {
      Issue.record("there is no build")
      return
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await eventually("the build is abandoned") { WaitGraph.withLock { build.isAbandoned } }
    #expect(try request.beginWait(for: build, blocksThread: false) == nil)
    gate.open()
    #expect(try await pod.resolve(part).label == "part")
  }

  @Test("R14 a build whose first caller is about to wait is not abandoned by the cancellation of another")
  func notYetStarted() async throws {
    let (pod, part) = (pod, AsyncProvider("part") { _ in Part("part") })
    guard case .build(let build) = Request(part.declaration, of: pod).answer() else {
      Issue.record("no build begins")
      return
    }
    let task = Task { try await pod.resolve(part) }
    await eventually("the task waits") { waiterCount(for: part.declaration) == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!WaitGraph.withLock { build.isAbandoned })
    build.finish(.failure(CancellationError()))
  }

  @Test("R6 R8 of two tasks that look for a graph-scoped instance at the same time, one begins the build")
  func oneBegins() {
    let (pod, shared) = (pod, AsyncProvider(scope: .graph) { _ in Part("shared") })
    let request = Request(shared.declaration, of: pod)
    func makeBuild() -> Build { request.newBuild(in: pod.state) }
    let graph = GraphInstances()
    // Both have seen no build.
    #expect(graph.add(of: shared.declaration, known: [], makeBuild) != nil)
    #expect(graph.add(of: shared.declaration, known: [], makeBuild) == nil)
    #expect(graph.builds(of: shared.declaration).count == 1)
  }

  @Test("R6 R27 the graph-scoped instances of a resolve are disposed before the caller goes on")
  func disposedBefore() async throws {
    let (pod, log) = (pod, Log(of: String.self))
    let part = AsyncProvider("part", scope: .graph) { _ in
      Part("part")
    } onDispose: {
      log.append($0.label)
    }
    let hooked = Provider("hooked", scope: .graph) { _ in
      Part("hooked")
    } onDispose: {
      log.append($0.label)
    }
    let whole = AsyncProvider("whole") { Part("whole", [try await $0.resolve(part), $0.resolve(hooked)]) }
    for round in 1...100 {
      _ = try await pod.resolve(whole)
      #expect(log.entries.filter { $0 == "hooked" }.count == round)
      pod.clearCachedInstance(of: whole)
      pod.dispose()
    }
  }
}
