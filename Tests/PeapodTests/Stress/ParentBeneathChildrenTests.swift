import Peapod
import Synchronization
import Testing

/// Rules 11, 15, 19 and 27: a parent that is cleared, overridden and disposed while its children resolve.
@Suite(.timeLimit(.minutes(20))) struct ParentBeneathChildrenTests {
  private enum Change: CaseIterable, Sendable {
    case override, overrideWithBuilder, clear, clearInstance, dispose, removeAndOverride
  }

  @Test("R11 R15 R19 R27 requests see an override of their root as soon as it is there, and keep their own user")
  func changes() async throws {
    for seed in 0..<UInt64(rounds(60)) {
      let service = StressServer()
      let isOver = Locked(false)
      try await runThreads(4) { thread in
        var generator = SplitMix64(seed: seed &* 31 &+ UInt64(thread))
        if thread == 0 {
          for _ in 0..<60 { Self.change(service, &generator) }
          isOver.withLock { $0 = true }
          return
        }
        var round = 0
        while !isOver.withLock({ $0 }) || round < 3 {
          round += 1
          let name = "\(thread) \(round)"
          let request = service.request(name)
          for _ in 0...generator.below(4) { service.handle(request, as: name) }
        }
      }
      // Afterwards all is as the last change left it.
      let request = service.request("last")
      let last = service.done.load(ordering: .sequentiallyConsistent)
      #expect(request.resolve(service.page).revision == last, "seed \(seed)")
      #expect(request.resolve(service.handler).shared.map(\.name) == (0..<4).map { "shared \($0)" })
      request.dispose()
      await service.expectCalm(seed: seed)
    }
  }

  private static func change(_ service: StressServer, _ generator: inout SplitMix64) {
    let root = service.root
    switch Change.allCases[generator.below(Change.allCases.count)] {
    case .override: service.advance()
    case .overrideWithBuilder:
      let next = service.begun.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
      root.overrideProvider(service.revision) { _ in next }
      service.done.store(next, ordering: .sequentiallyConsistent)
    case .removeAndOverride:
      // Another override, of something that all requests use.
      root.overrideProvider(service.shared[0]) { _ in StressItem("shared 0", in: service.ledger) }
      root.removeOverrideProvider(service.shared[0])
    case .clear: root.clearCachedInstances(forScope: StressServer.CacheScope())
    case .clearInstance: root.clearCachedInstance(of: service.shared[generator.below(4)])
    case .dispose: root.dispose()
    }
  }

  @Test("R11 R21 R27 the last outside reference to the parent goes while children resolve")
  func released() async throws {
    for seed in 0..<UInt64(rounds(200)) {
      let service = StressServer()
      let parent = Locked<Pod?>(service.root.makeChild("parent", owning: [StressServer.CacheScope()]))
      try await runThreads(4) { thread in
        guard let pod = parent.withLock({ $0 }) else { return }
        let name = "\(thread)"
        let request = pod.makeChild(name, owning: [AccountScope()]) {
          $0.overrideProvider(service.user, withValue: name)
        }
        service.handle(request, as: name)
        let gone = parent.withLock { pod in
          defer { pod = nil }
          return pod
        }
        _ = consume gone
        service.handle(request, as: name)
      }
      await service.expectCalm(seed: seed)
    }
  }

  @Test("R11 R14 R15 async children resolve while the root is overridden and shut down")
  func asyncChildren() async throws {
    for seed in 0..<UInt64(rounds(60)) {
      let service = StressServer()
      let isOver = Locked(false)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          var generator = SplitMix64(seed: seed)
          for _ in 0..<40 {
            if generator.chance(25) { await service.root.shutdown() } else { Self.change(service, &generator) }
            await Task.yield()
          }
          isOver.withLock { $0 = true }
        }
        for task in 0..<4 {
          group.addTask {
            var round = 0
            while !isOver.withLock({ $0 }) || round < 3 {
              round += 1
              let name = "\(task) \(round)"
              let request = service.request(name)
              service.handle(request, as: name)
              let start = service.ledger.tick()
              try await request.resolve(service.asyncShared).check(since: start)
              service.handle(request, as: name)
              await request.shutdown()
              // Where nothing suspends, the task that makes the changes would never get a thread.
              await Task.yield()
            }
          }
        }
        try await group.waitForAll()
      }
      await service.expectCalm(seed: seed)
    }
  }
}
