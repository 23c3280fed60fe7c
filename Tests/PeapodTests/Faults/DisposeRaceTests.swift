import Peapod
import Testing

/// `dispose` beside everything else that a pod can do.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct DisposeRaceTests {
  /// What other threads do meanwhile.
  enum Rival: String, CaseIterable, Sendable {
    case resolve, lend, throwing, member, fresh, weak, graphScoped
    case overrideAndRemove, decorate, clearScope, clearInstance, clearFamily
    case child, grandchild, block, lazy, factory, perUse, snapshot, observe, look, everything
  }

  /// Providers of all synchronous kinds that count what they make and what is disposed.
  private struct Works: Sendable {
    let population = Population()
    let disposed = Log<Int>()
    /// Instances without a hook.
    let unhooked = Population()
    let part: Provider<Tracked>
    let whole: Provider<Tracked>
    let throwing: ThrowingProvider<Tracked>
    let family: ProviderFamily<Provider<Tracked>, Int>
    let fresh: Provider<Tracked>
    let weak: Provider<Tracked>
    let graphScoped: Provider<Tracked>
    let later: AsyncProvider<Tracked>

    init() {
      let (population, disposed, unhooked) = (population, disposed, unhooked)
      let note: @Sendable (Tracked) -> Void = { disposed.append($0.serial) }
      let part = Provider("part", scope: OwnedScope(), { _ in population.make() }, onDispose: note)
      let whole = Provider("whole", { population.make(keeping: [$0.resolve(part)]) }, onDispose: note)
      self.part = part
      self.whole = whole
      throwing = ThrowingProvider(
        "throwing",
        { pod in
          let whole = pod.resolve(whole)
          if whole.serial % 3 == 0 { throw CancellationError() }
          return population.make(keeping: [whole])
        }, onDispose: note)
      family = Provider.family("member", scope: OwnedScope()) { (pod, number: Int) in
        population.make(keeping: [pod.resolve(part), number])
      } onDispose: { (instance: Tracked) in
        note(instance)
      }
      fresh = Provider("fresh", scope: AlwaysCreateNewScope()) { unhooked.make(keeping: [$0.resolve(whole)]) }
      weak = Provider("weak", scope: WeakScope()) { unhooked.make(keeping: [$0.resolve(part)]) }
      graphScoped = Provider(
        "graph", scope: GraphScope(), { population.make(keeping: [$0.resolve(part)]) }, onDispose: note)
      later = AsyncProvider(
        "later",
        { pod in
          let whole = pod.resolve(whole)
          await Task.yield()
          return population.make(keeping: [whole, pod.resolve(part)])
        }, onDispose: { note($0) })
    }

    /// Does one thing to a pod.
    func play(_ rival: Rival, _ turn: Int, on pod: Pod) {
      switch rival {
      case .resolve: use(pod.resolve(turn % 2 == 0 ? whole : part))
      case .lend: _ = pod.withResolved(whole) { $0.serial }
      case .throwing: _ = try? pod.resolve(throwing).serial
      case .member: use(pod.resolve(family(turn % 8)))
      case .fresh: use(pod.resolve(fresh))
      case .weak: use(pod.resolve(weak))
      case .graphScoped: use(pod.resolve(graphScoped))
      case .overrideAndRemove:
        pod.overrideProvider(part) { [population] _ in population.make() }
        use(pod.resolve(whole))
        pod.removeOverrideProvider(part)
      case .decorate:
        pod.overrideProvider(part) { [population, part] in population.make(keeping: [$0.resolve(part)]) }
        use(pod.resolve(family(turn % 8)))
        pod.removeAllOverrides()
      case .clearScope:
        use(pod.resolve(part))
        pod.clearCachedInstances(forScope: OwnedScope())
      case .clearInstance:
        use(pod.resolve(whole))
        pod.clearCachedInstance(of: whole)
      case .clearFamily:
        use(pod.resolve(family(turn % 8)))
        pod.clearCachedInstances(of: family)
      case .child:
        let child = pod.makeChild(owning: turn % 2 == 0 ? [OwnedScope()] : [])
        use(child.resolve(whole))
        if turn % 3 == 0 { child.dispose() }
      case .grandchild:
        let child = pod.makeChild { [population] in $0.overrideProvider(part) { _ in population.make() } }
        use(child.makeChild(owning: [OwnedScope()]).resolve(family(turn % 8)))
      case .block:
        pod.withOverrides({ [population] in $0.overrideProvider(part) { _ in population.make() } }) {
          use(pod.resolve(whole))
        }
      case .lazy:
        let lazy = pod.lazy(whole)
        use(lazy.value)
        lazy.dispose()
        use(lazy.value)
      case .factory: use(pod.factory(turn % 2 == 0 ? whole : fresh)())
      case .perUse: pod.perUse(whole).use { use($0) }
      case .snapshot: _ = pod.graph.edges.count
      case .observe: pod.addObserver(EventLog())
      case .look:
        _ = pod.isCached(whole)
        if let whole = pod.cachedInstance(of: whole) { use(whole) }
      case .everything: play(Rival.allCases[turn % (Rival.allCases.count - 1)], turn, on: pod)
      }
    }

    /// Reads an instance, which must be alive.
    private func use(_ instance: Tracked) { #expect(instance.serial > 0) }

    func expectAllDisposedOnce() {
      #expect(disposed.entries.sorted() == Array(1..<(population.made + 1)))
      #expect(population.live == 0)
      #expect(unhooked.live == 0)
    }
  }

  @Test("R27 a pod disposed again and again beside its use disposes everything once", arguments: Rival.allCases)
  func rivals(rival: Rival) async throws {
    let works = Works()
    let pod = Pod("disposed")
    let isOver = Gate()
    let turns = rounds(3_000)
    try await runThreads(3) { thread in
      if thread == 0 {
        for _ in 0..<turns { pod.dispose() }
        return isOver.open()
      }
      var turn = thread
      while !isOver.isOpen || turn < 50 {
        works.play(rival, turn, on: pod)
        turn += 1
      }
    }
    pod.removeAllOverrides()
    pod.dispose()
    works.expectAllDisposedOnce()
  }

  @Test("R27 a pod whose last reference goes beside its use leaves nothing", arguments: [1, 2])
  func dropped(users: Int) async throws {
    let works = Works()
    for round in 0..<rounds(1_000) {
      let pod = Locked<Pod?>(Pod("dropped"))
      try await runThreads(users + 1) { thread in
        guard thread > 0 else {
          let last = pod.withLock { pod in
            defer { pod = nil }
            return pod
          }
          return withExtendedLifetime(last) {}
        }
        guard let mine = pod.withLock({ $0 }) else { return }
        for turn in 0..<20 { works.play(.everything, turn + round + 7 * thread, on: mine) }
        mine.removeAllOverrides()
      }
    }
    works.expectAllDisposedOnce()
  }

  @Test("R14 R27 async resolves, cancellations, shutdowns and disposals at once end, each instance disposed once")
  func tasks() async throws {
    let works = Works()
    let pod = Pod("shut down")
    let turns = rounds(2_000)
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<6 {
        group.addTask {
          for turn in 0..<turns {
            switch (index, turn % 3) {
            case (0, 0): await pod.shutdown()
            case (0, 1): pod.dispose()
            case (0, _): await pod.shutdown(scope: OwnedScope())
            case (1, _):
              let task = Task { try await pod.resolve(works.later).serial }
              task.cancel()
              _ = try? await task.value
            case (2, _):
              try? await pod.withOverrides({ $0.overrideProvider(works.whole) { _ in works.population.make() } }) {
                _ = try await pod.resolve(works.later).serial
              }
            case (3, _): _ = try? await pod.withFreshInstance(of: works.later) { $0.serial }
            case (4, _):
              _ = try? await pod.withChild(owning: [OwnedScope()]) { try await $0.resolve(works.later).serial }
            default: _ = try? await pod.resolve(works.later).serial
            }
          }
        }
      }
    }
    await pod.shutdown()
    await eventually("what was cancelled is disposed") { works.disposed.count == works.population.made }
    await eventually("all is let go") { works.population.live == 0 }
    works.expectAllDisposedOnce()
  }
}
