import Peapod
import Testing

/// Rules 8, 11, 15, 19 to 21 and 27, of many requests at once: whatever the interleaving, each gets its own data, shared
/// instances are built once, and all is disposed once.
@Suite(.timeLimit(.minutes(20))) struct RequestStormTests {
  private static let threads = 4

  @Test("R8 R19 R21 requests begin at once while everything is cold")
  func cold() async throws {
    for seed in 0..<UInt64(rounds(300)) {
      let service = StressServer()
      try await runThreads(Self.threads) { thread in
        var generator = SplitMix64(seed: seed &* 31 &+ UInt64(thread))
        for round in 0..<3 {
          let name = "\(thread) \(round)"
          let request = service.request(name)
          if generator.chance(50) { service.handle(request, as: name) }
          _ = request.resolve(service.shared[generator.below(4)])
          service.handle(request, as: name)
        }
      }
      await service.expectCalm(builtOnce: (0..<4).map { "shared \($0)" } + ["cache"], seed: seed)
    }
  }

  @Test("R8 R11 R15 R20 R27 requests override, resolve, clear a scope of their parent, and end")
  func everything() async throws {
    for seed in 0..<UInt64(rounds(60)) {
      let service = StressServer()
      try await runThreads(Self.threads) { thread in
        var generator = SplitMix64(seed: seed &* 31 &+ UInt64(thread))
        for round in 0..<20 {
          var name = "\(thread) \(round)"
          let request = service.request(name)
          let lower = request.makeChild("lower")
          for step in 0..<8 {
            switch generator.below(10) {
            case 0..<4: service.handle(request, as: name)
            case 4: service.handle(lower, as: name)
            case 5:
              name = "\(thread) \(round) \(step)"
              request.overrideProvider(service.user, withValue: name)
            case 6: request.clearCachedInstances(forScope: StressServer.CacheScope())
            case 7: request.clearCachedInstances(forScope: AccountScope())
            case 8: _ = request.resolve(service.shared[generator.below(4)])
            default:
              request.withChild("inner", configure: { $0.overrideProvider(service.user, withValue: "inner") }) {
                service.handle($0, as: "inner")
              }
            }
          }
          service.handle(request, as: name)
        }
      }
      await service.expectCalm(builtOnce: (0..<4).map { "shared \($0)" }, seed: seed)
    }
  }

  @Test("R8 R14 R19 tasks and threads wait for one cold async singleton through many children")
  func asyncCold() async throws {
    for seed in 0..<UInt64(rounds(200)) {
      let service = StressServer()
      async let threads: [Void] = runThreads(2) { thread in
        for round in 0..<3 {
          let name = "\(thread) \(round)"
          service.handle(service.request(name), as: name)
        }
      }
      let serials = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
        for task in 0..<8 {
          group.addTask {
            var generator = SplitMix64(seed: seed &* 31 &+ UInt64(task))
            let name = "task \(task)"
            let request = service.request(name)
            if generator.chance(50) { service.handle(request, as: name) }
            let start = service.ledger.tick()
            let item = try await request.resolve(service.asyncShared)
            item.check(since: start)
            service.handle(request, as: name)
            return ObjectIdentifier(item)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      _ = try await threads
      #expect(Set(serials).count == 1, "seed \(seed)")
      await service.expectCalm(builtOnce: (0..<4).map { "shared \($0)" } + ["async shared"], seed: seed)
    }
  }

  @Test("R18 R19 R21 async requests with override scopes of their own, on one root")
  func scopes() async throws {
    for seed in 0..<UInt64(rounds(100)) {
      let service = StressServer()
      await withTaskGroup { group in
        for task in 0..<8 {
          group.addTask {
            for round in 0..<3 {
              let name = "\(task) \(round)"
              await service.root.withChild(
                name, owning: [AccountScope()], configure: { $0.overrideProvider(service.user, withValue: name) }
              ) { request in
                service.handle(request, as: name)
                await request.withOverrides {
                  $0.overrideProvider(service.user, withValue: "in scope \(name)")
                } operation: {
                  service.handle(request, as: "in scope \(name)")
                  await Task.yield()
                  service.handle(request, as: "in scope \(name)")
                }
                service.handle(request, as: name)
              }
            }
          }
        }
      }
      await service.expectCalm(builtOnce: [], seed: seed)
    }
  }
}
