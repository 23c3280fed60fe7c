import Peapod
import Testing

/// Rule 15: with an override every resolve answers as though it had always been there, without it as though never.
@MainActor
struct OverrideTests {
  private struct FlowScope: ProviderScope {}

  /// Three providers in a row, one beside them, and what became of their instances.
  private struct Row {
    let population = Population()
    let disposed = Log(of: Int.self)
    let bottom, middle, top, beside: TrackedProvider

    init(_ kind: SynchronousKind) {
      let (population, disposed) = (population, disposed)
      let note: @Sendable (Tracked) -> Void = { disposed.append($0.serial) }
      let bottom = kind.declare("bottom", { _ in population.make() }, onDispose: note)
      let middle = kind.declare("middle", { population.make(keeping: [$0.resolve(bottom)]) }, onDispose: note)
      top = kind.declare("top", { population.make(keeping: [$0.resolve(middle)]) }, onDispose: note)
      beside = kind.declare("beside", { _ in population.make() }, onDispose: note)
      (self.bottom, self.middle) = (bottom, middle)
    }

    func resolve(in pod: Pod) -> [Int] { [bottom, middle, top, beside].map { pod.resolve($0).serial } }
    func isCached(in pod: Pod) -> [Bool] { [bottom, middle, top, beside].map { pod.isCached($0) } }
  }

  @Test("R15 an override by builder answers instead", arguments: SynchronousKind.allCases)
  func byBuilder(kind: SynchronousKind) {
    let population = Population()
    let provider = kind.declare { _ in population.make() }
    let pod = Pod()
    #expect(pod.resolve(provider).serial == 1)
    pod.overrideProvider(provider) { _ in population.make() }
    #expect(!pod.isCached(provider))
    #expect(pod.resolve(provider).serial == 2)
    #expect(pod.resolve(provider).serial == 2)
    #expect(pod.isCached(provider))
    pod.removeOverrideProvider(provider)
    #expect(pod.isCached(provider))
    #expect(pod.resolve(provider).serial == 1)
    #expect(Pod().resolve(provider).serial == 3)
  }

  @Test("R15 an override by value answers with it", arguments: SynchronousKind.allCases)
  func byValue(kind: SynchronousKind) {
    let provider = kind.declare { _ in Tracked() }
    let value = Tracked()
    let pod = Pod()
    pod.overrideProvider(provider, withValue: value)
    #expect(pod.resolve(provider) === value)
    pod.clearCachedInstances(forScope: SingletonScope())
    #expect(pod.resolve(provider) === value)
    pod.removeOverrideProvider(provider)
    #expect(pod.resolve(provider) !== value)
  }

  @Test("R15 every dependent is rebuilt, and the very same originals return", arguments: SynchronousKind.allCases)
  func dependentsFollow(kind: SynchronousKind) {
    let row = Row(kind)
    let pod = Pod()
    #expect(row.resolve(in: pod) == [1, 2, 3, 4])
    pod.overrideProvider(row.bottom) { [population = row.population] _ in population.make() }
    #expect(row.isCached(in: pod) == [false, false, false, true])
    #expect(row.disposed.count == 0)
    #expect(pod.resolve(row.top).serial == 7)
    #expect(row.resolve(in: pod) == [5, 6, 7, 4])
    #expect((pod.resolve(row.middle).parts[0] as? Tracked)?.serial == 5)
    #expect(row.population.live == 7)
    pod.removeOverrideProvider(row.bottom)
    #expect(row.disposed.drain() == [7, 6, 5])
    #expect(row.population.liveSerials == [1, 2, 3, 4])
    #expect(row.isCached(in: pod) == [true, true, true, true])
    #expect(row.resolve(in: pod) == [1, 2, 3, 4])
    #expect(row.disposed.count == 0)
  }

  @Test("R15 an override in the middle leaves what is below and beside it", arguments: SynchronousKind.allCases)
  func belowAndBesideStay(kind: SynchronousKind) {
    let row = Row(kind)
    let pod = Pod()
    #expect(row.resolve(in: pod) == [1, 2, 3, 4])
    let value = row.population.make()
    pod.overrideProvider(row.middle, withValue: value)
    #expect(row.isCached(in: pod)[0] && row.isCached(in: pod)[3])
    #expect(row.resolve(in: pod) == [1, 5, 6, 4])
    pod.removeOverrideProvider(row.middle)
    #expect(row.resolve(in: pod) == [1, 2, 3, 4])
    #expect(row.disposed.entries == [6])
  }

  @Test("R15 an override that comes before any resolve", arguments: SynchronousKind.allCases)
  func overrideFirst(kind: SynchronousKind) {
    let row = Row(kind)
    let pod = Pod()
    pod.overrideProvider(row.bottom) { [population = row.population] _ in population.make() }
    #expect(pod.resolve(row.top).serial == 3)
    #expect(pod.resolve(row.beside).serial == 4)
    pod.removeOverrideProvider(row.bottom)
    #expect(row.isCached(in: pod) == [false, false, false, true])
    #expect(row.population.liveSerials == [4])
    #expect(row.resolve(in: pod) == [5, 6, 7, 4])
  }

  @Test("R15 an override reaches through instances that are always new")
  func throughFreshInstances() {
    let part = Provider { _ in Tracked() }
    let fresh = Provider(scope: .alwaysCreateNew) { pod in Tracked(keeping: [pod.resolve(part)]) }
    let whole = Provider { pod in Tracked(keeping: [pod.resolve(fresh)]) }
    func innermost(of whole: Tracked) -> Tracked? { (whole.parts[0] as? Tracked)?.parts[0] as? Tracked }
    let pod = Pod()
    let original = pod.resolve(whole)
    let value = Tracked()
    pod.overrideProvider(part, withValue: value)
    #expect(innermost(of: pod.resolve(whole)) === value)
    pod.removeOverrideProvider(part)
    #expect(pod.resolve(whole) === original)
    pod.overrideProvider(fresh) { _ in Tracked() }
    #expect(pod.resolve(whole).parts.count == 1)
    #expect(innermost(of: original) === pod.resolve(part))
    #expect(pod.resolve(whole) !== original)
    pod.removeOverrideProvider(fresh)
    #expect(pod.resolve(whole) === original)
  }

  @Test("R15 what an instance asked for only once, or only perhaps, decides")
  func dynamicDependencies() {
    let usesFirst = Provider { _ in true }
    let first = Provider { _ in 1 }
    let second = Provider { _ in 2 }
    let builds = Counter()
    let chosen = Provider { pod in
      builds.increment()
      return pod.resolve(usesFirst) ? pod.resolve(first) : pod.resolve(second)
    }
    let pod = Pod()
    #expect(pod.resolve(chosen) == 1)
    pod.overrideProvider(second, withValue: 20)
    #expect(pod.resolve(chosen) == 1)
    #expect(builds.value == 1)
    pod.overrideProvider(usesFirst, withValue: false)
    #expect(pod.resolve(chosen) == 20)
    pod.overrideProvider(first, withValue: 10)
    #expect(pod.resolve(chosen) == 20)
    #expect(builds.value == 2)
    pod.removeOverrideProvider(usesFirst)
    #expect(pod.resolve(chosen) == 10)
    pod.removeAllOverrides()
    #expect(pod.resolve(chosen) == 1)
    #expect(builds.value == 3)
  }

  @Test("R15 asking for what is cached counts as a dependency, through withResolved too")
  func cachedPartsCount() {
    let part = Provider { _ in 1 }
    let lent = Provider { _ in 10 }
    let whole = Provider { pod in pod.resolve(part) + pod.withResolved(lent) { copy $0 } }
    let pod = Pod()
    _ = (pod.resolve(part), pod.resolve(lent))
    #expect(pod.resolve(whole) == 11)
    pod.overrideProvider(part, withValue: 2)
    #expect(pod.resolve(whole) == 12)
    pod.overrideProvider(lent, withValue: 20)
    #expect(pod.resolve(whole) == 22)
    pod.removeAllOverrides()
    #expect(pod.resolve(whole) == 11)
  }

  @Test("R15 an override keeps the scope of its provider", arguments: SynchronousKind.allCases)
  func keepsTheScope(kind: SynchronousKind) {
    let population = Population()
    let scoped = kind.declare(scope: FlowScope()) { _ in Tracked() }
    let fresh = kind.declare(scope: .alwaysCreateNew) { _ in Tracked() }
    let pod = Pod()
    pod.overrideProvider(scoped) { _ in population.make() }
    pod.overrideProvider(fresh) { _ in population.make() }
    #expect([pod.resolve(scoped).serial, pod.resolve(scoped).serial] == [1, 1])
    pod.clearCachedInstances(forScope: FlowScope())
    #expect(pod.resolve(scoped).serial == 2)
    #expect([pod.resolve(fresh).serial, pod.resolve(fresh).serial] == [3, 4])
  }

  @Test("R15 an override with a scope is kept by that one", arguments: SynchronousKind.allCases)
  func withScope(kind: SynchronousKind) {
    let population = Population()
    let provider = kind.declare { _ in population.make() }
    let pod = Pod()
    #expect(pod.resolve(provider).serial == 1)
    pod.overrideProvider(provider, scope: FlowScope()) { _ in population.make() }
    #expect([pod.resolve(provider).serial, pod.resolve(provider).serial] == [2, 2])
    pod.clearCachedInstances(forScope: FlowScope())
    #expect(!pod.isCached(provider))
    #expect(pod.resolve(provider).serial == 3)
    pod.removeOverrideProvider(provider)
    #expect(pod.resolve(provider).serial == 1)
  }

  @Test("R15 a clear reaches the originals that an override set aside", arguments: SynchronousKind.allCases)
  func clearReachesOriginals(kind: SynchronousKind) {
    let population = Population()
    let disposed = Log(of: Int.self)
    let part = kind.declare(scope: FlowScope()) { _ in
      population.make()
    } onDispose: {
      disposed.append($0.serial)
    }
    let whole = kind.declare(scope: FlowScope()) { pod in
      population.make(keeping: [pod.resolve(part)])
    } onDispose: {
      disposed.append($0.serial)
    }
    let pod = Pod()
    _ = pod.resolve(whole)
    pod.overrideProvider(part, scope: .singleton) { _ in population.make() }
    _ = pod.resolve(whole)
    #expect(population.liveSerials == [1, 2, 3, 4])
    pod.clearCachedInstances(forScope: FlowScope())
    #expect(disposed.drain() == [4, 2, 1])
    #expect(population.liveSerials == [3])
    pod.removeOverrideProvider(part)
    #expect(disposed.drain() == [3])
    #expect(!pod.isCached(part))
    #expect(pod.resolve(whole).serial == 6)
  }

  @Test("R15 disposing the pod disposes the originals that an override set aside, once")
  func disposeReachesOriginals() {
    let row = Row(.plain)
    let pod = Pod()
    _ = row.resolve(in: pod)
    pod.overrideProvider(row.bottom) { [population = row.population] _ in population.make() }
    _ = row.resolve(in: pod)
    pod.dispose()
    #expect(row.disposed.entries.sorted() == [1, 2, 3, 4, 5, 6, 7])
    #expect(row.population.live == 0)
    pod.removeAllOverrides()
    #expect(row.isCached(in: pod) == [false, false, false, false])
    #expect(row.disposed.count == 7)
  }

  @Test("R15 a value given by withValue is not disposed, and is let go")
  func valuesAreNotDisposed() {
    let population = Population()
    let disposed = Log(of: Int.self)
    let provider = Provider { _ in
      population.make()
    } onDispose: {
      disposed.append($0.serial)
    }
    let pod = Pod()
    pod.overrideProvider(provider, withValue: population.make())
    #expect(pod.resolve(provider).serial == 1)
    pod.removeOverrideProvider(provider)
    #expect(population.live == 0)
    pod.overrideProvider(provider, withValue: population.make())
    pod.overrideProvider(provider) { _ in population.make() }
    #expect(pod.resolve(provider).serial == 3)
    #expect(population.liveSerials == [3])
    pod.removeAllOverrides()
    #expect(disposed.entries == [3])
    #expect(population.live == 0)
  }
}
