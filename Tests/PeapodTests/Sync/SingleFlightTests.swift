import Foundation
import Peapod
import Testing

/// Rule 8: a cached provider is built exactly once, and nobody waits for anything else.
struct SingleFlightTests {
  private struct FlowScope: ProviderScope {}

  @Test("R8 16 threads on a cold provider build it once, 1,000 times over", arguments: SynchronousKind.offMainActor)
  func coldProvider(kind: SynchronousKind) async throws {
    let rounds = 1_000
    let population = Population()
    let providers = (0..<rounds).map { _ in kind.declare { _ in population.make() } }
    let pod = Pod()
    let barrier = Barrier(16)
    let serials = try await runThreads(16) { _ in
      providers.map { provider in
        barrier.arrive()
        return pod.resolve(provider).serial
      }
    }
    #expect(population.made == rounds)
    #expect(Set(serials).count == 1)
  }

  @Test("R8 16 threads on a cold scoped member, cleared between rounds, build it once a round")
  func coldMember() async throws {
    let rounds = 300
    let population = Population()
    let family = Provider.family(scope: FlowScope()) { (_, id: Int) in population.make() }
    let pod = Pod()
    let barrier = Barrier(16)
    let serials = try await runThreads(16) { index in
      (0..<rounds).map { round in
        barrier.arrive()
        let serial = pod.resolve(family(round % 3)).serial
        barrier.arrive()
        if index == 0 { pod.clearCachedInstances(forScope: FlowScope()) }
        barrier.arrive()
        return serial
      }
    }
    #expect(population.made == rounds)
    #expect(Set(serials).count == 1)
    #expect(population.live == 0)
  }

  @Test("R8 many tasks on a cold main-actor provider build it once")
  @MainActor
  func coldMainActorProvider() async {
    let population = Population()
    let provider = MainActorProvider { _ in population.make() }
    let pod = Pod()
    let serials = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<200 { group.addTask { await pod.resolve(provider).serial } }
      var serials: Set<Int> = []
      for await serial in group { serials.insert(serial) }
      return serials
    }
    #expect(serials == [1])
  }

  @Test("R8 threads that enter one graph at different nodes build each node once", arguments: 0..<20)
  func sharedGraph(round: Int) async throws {
    let count = 40
    let built = (0..<count).map { _ in Counter() }
    var providers: [Provider<Tracked>] = []
    for index in 0..<count {
      let parts = Set([index / 2, index / 3, index - 1]).filter { $0 >= 0 && $0 < index }.sorted()
      providers.append(
        Provider("\(index)") { [providers] pod in
          built[index].increment()
          return Tracked(keeping: parts.map { pod.resolve(providers[$0]) })
        })
    }
    let pod = Pod()
    let seen = try await runThreads(16) { [providers] thread in
      (0..<count).map { step in
        let index = (count - 1 - step + thread * 7 + round) % count
        return (index, ObjectIdentifier(pod.resolve(providers[index])))
      }.sorted { $0.0 < $1.0 }.map(\.1)
    }
    #expect(built.map(\.value) == Array(repeating: 1, count: count))
    #expect(Set(seen).count == 1)
  }

  @Test("R8 two unrelated builders that wait for each other's start both finish", arguments: 0..<50)
  func unrelatedBuilders(round: Int) async throws {
    let (firstStarted, secondStarted) = (Gate(), Gate())
    let first = Provider("first") { _ in
      firstStarted.open()
      secondStarted.wait()
      return 1
    }
    let second = ThrowingProvider("second") { _ in
      secondStarted.open()
      firstStarted.wait()
      return 2
    }
    let pod = Pod()
    let results = try await runThreads(2) { $0 == 0 ? pod.resolve(first) : try pod.resolve(second) }
    #expect(results == [1, 2])
  }

  @Test("R8 two members of one family are built at the same time")
  func unrelatedMembers() async throws {
    let started = [Gate(), Gate()]
    let family = Provider.family { (_, index: Int) in
      started[index].open()
      started[1 - index].wait()
      return index
    }
    let pod = Pod()
    #expect(try await runThreads(2) { pod.resolve(family($0)) } == [0, 1])
  }

  @Test("R8 reading, clearing and overriding others waits for no build")
  func nothingElseWaits() async throws {
    let (started, finish) = (Gate(), Gate())
    let slow = Provider { _ in
      started.open()
      finish.wait()
      return Tracked()
    }
    let cached = Provider(scope: FlowScope()) { _ in Tracked() }
    let other = Provider { _ in Tracked() }
    let pod = Pod()
    let kept = pod.resolve(cached)
    let build = Worker { pod.resolve(slow) }
    try await blocking {
      started.wait()
      #expect(pod.resolve(cached) === kept)
      #expect(pod.withResolved(cached) { (copy $0) === kept })
      #expect(pod.isCached(cached))
      #expect(!pod.isCached(slow))
      #expect(pod.resolve(other) === pod.resolve(other))
      pod.overrideProvider(other) { _ in Tracked() }
      #expect(pod.resolve(other) === pod.resolve(other))
      pod.removeOverrideProvider(other)
      pod.clearCachedInstances(forScope: FlowScope())
      #expect(pod.resolve(cached) !== kept)
    }
    finish.open()
    let built = try await build.value()
    #expect(pod.resolve(slow) === built)
  }

  @Test("R8 a builder may wait on a lock that a thread holds while it resolves another provider", arguments: 0..<20)
  func builderWaitsOnLock(round: Int) async throws {
    let lock = NSLock()
    let (held, started) = (Gate(), Gate())
    let waiting = Provider { _ in
      started.open()
      lock.lock()
      defer { lock.unlock() }
      return 1
    }
    let other = Provider { _ in 2 }
    let pod = Pod()
    let holder = Worker {
      lock.lock()
      defer { lock.unlock() }
      held.open()
      started.wait()
      return pod.resolve(other)
    }
    let builder = Worker {
      held.wait()
      return pod.resolve(waiting)
    }
    #expect(try await holder.value() == 2)
    #expect(try await builder.value() == 1)
  }

  @Test("R8 those who come during a build wait for it and share its instance", arguments: 0..<20)
  func waitersShare(round: Int) async throws {
    let population = Population()
    let coming = Counter()
    let provider = Provider { _ in
      spin { coming.value == 8 }
      return population.make()
    }
    let pod = Pod()
    let serials = try await runThreads(8) { _ in
      coming.increment()
      return pod.resolve(provider).serial
    }
    #expect(serials == Array(repeating: 1, count: 8))
    #expect(population.made == 1)
  }

  @Test("R8 pods build apart from each other")
  func podsAreApart() async throws {
    let population = Population()
    let barrier = Barrier(4)
    let provider = Provider { _ in
      barrier.arrive()
      return population.make()
    }
    let pods = (0..<4).map { Pod("\($0)") }
    let serials = try await runThreads(4) { pods[$0].resolve(provider).serial }
    #expect(Set(serials) == [1, 2, 3, 4])
  }
}

extension SynchronousKind {
  /// The kinds that any thread may resolve.
  static let offMainActor: [SynchronousKind] = [.plain, .throwing]
}
