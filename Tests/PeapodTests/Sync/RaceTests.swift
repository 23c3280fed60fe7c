import Peapod
import Testing

/// Rules 8, 9, 11 and 27 under threads that read while others clear, dispose and override.
@Suite(.serialized)
struct RaceTests {
  private struct FlowScope: ProviderScope {}

  /// What one thread does again and again while the others resolve.
  enum Change: String, CaseIterable, Sendable {
    case clearScope, clearInstance, dispose, override, overrideAgain, overrideWithValue, everything

    func apply(_ round: Int, to pod: Pod, _ part: Provider<Tracked>, _ population: Population) {
      switch self {
      case .clearScope: pod.clearCachedInstances(forScope: FlowScope())
      case .clearInstance: pod.clearCachedInstance(of: part)
      case .dispose: pod.dispose()
      case .override:
        pod.overrideProvider(part) { _ in population.make() }
        pod.removeOverrideProvider(part)
      case .overrideAgain: pod.overrideProvider(part) { pod in population.make(keeping: [pod.resolve(part)]) }
      case .overrideWithValue:
        pod.overrideProvider(part, withValue: Tracked())
        if round % 2 == 0 { pod.removeAllOverrides() }
      case .everything: Self.allCases[round % 6].apply(round / 6, to: pod, part, population)
      }
    }
  }

  /// When, by a clock that ticks at every look, each instance was disposed.
  private final class Obituary: Sendable {
    private let state = Locked((now: 0, disposed: [Int: Int](), repeated: 0))

    var count: Int { state.withLock { $0.disposed.count } }
    var repeated: Int { state.withLock { $0.repeated } }

    func now() -> Int {
      state.withLock {
        $0.now += 1
        return $0.now
      }
    }

    func note(_ serial: Int) {
      state.withLock {
        $0.now += 1
        if $0.disposed.updateValue($0.now, forKey: serial) != nil { $0.repeated += 1 }
      }
    }

    func wasDisposed(_ serial: Int, before time: Int) -> Bool {
      state.withLock { $0.disposed[serial].map { $0 < time } ?? false }
    }
  }

  @Test("R27 every instance is disposed once, and none is handed out after that", arguments: Change.allCases)
  func readersAndChanges(change: Change) async throws {
    let population = Population()
    let obituary = Obituary()
    let note: @Sendable (Tracked) -> Void = { obituary.note($0.serial) }
    let part = Provider("part", scope: FlowScope(), { _ in population.make() }, onDispose: note)
    let whole = Provider(
      "whole", scope: FlowScope(), { population.make(keeping: [$0.resolve(part)]) }, onDispose: note)
    let pod = Pod()
    let isOver = Gate()
    let stale = Counter()
    let rounds = 500
    try await runThreads(4) { thread in
      if thread == 0 {
        for round in 0..<rounds { change.apply(round, to: pod, part, population) }
        isOver.open()
        return
      }
      while !isOver.isOpen {
        let start = obituary.now()
        let serial =
          switch thread {
          case 1: pod.resolve(whole).serial
          case 2: pod.withResolved(part) { $0.serial }
          default: pod.resolve(part).serial
          }
        // Values given by an override are of another population, and are never disposed.
        if change != .overrideWithValue, change != .everything, obituary.wasDisposed(serial, before: start) {
          stale.increment()
        }
      }
    }
    #expect(stale.value == 0)
    pod.removeAllOverrides()
    pod.dispose()
    #expect(obituary.repeated == 0)
    #expect(obituary.count == population.made)
    #expect(population.live == 0)
  }

  @Test("R27 threads that clear and dispose at once dispose everything once", arguments: 0..<20)
  func manyClearers(round: Int) async throws {
    let population = Population()
    let obituary = Obituary()
    let family = Provider.family(scope: FlowScope()) { (_, id: Int) in
      population.make()
    } onDispose: { (instance: Tracked) in
      obituary.note(instance.serial)
    }
    let pod = Pod()
    try await runThreads(6) { thread in
      for step in 0..<60 {
        _ = pod.resolve(family((step + thread) % 10)).serial
        switch (step + thread) % 15 {
        case 0: pod.clearCachedInstances(forScope: FlowScope())
        case 5: pod.clearCachedInstances(of: family)
        case 10: pod.dispose()
        default: pod.clearCachedInstance(of: family(step % 10))
        }
      }
    }
    pod.dispose()
    #expect(obituary.repeated == 0)
    #expect(obituary.count == population.made)
    #expect(population.live == 0)
  }

  @Test("R15 each caller that resolves after an override sees the override everywhere", arguments: 0..<10)
  func overridesAreSeen(round: Int) async throws {
    let part = Provider { _ in 0 }
    let middle = Provider { pod in pod.resolve(part) }
    let whole = Provider { pod in pod.resolve(middle) + pod.resolve(part) }
    let pod = Pod()
    let isOver = Gate()
    let wrong = Counter()
    try await runThreads(4) { thread in
      if thread == 0 {
        for value in 1...300 {
          pod.overrideProvider(part) { _ in value }
          if pod.resolve(whole) != 2 * value { wrong.increment() }
          if value % 3 == 0 {
            pod.removeOverrideProvider(part)
            if pod.resolve(whole) != 0 { wrong.increment() }
          }
        }
        isOver.open()
        return
      }
      while !isOver.isOpen { _ = thread == 1 ? pod.resolve(middle) : pod.resolve(whole) }
    }
    #expect(wrong.value == 0)
    pod.removeAllOverrides()
    #expect(pod.resolve(whole) == 0)
  }
}
