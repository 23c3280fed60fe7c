import Peapod
import Testing

/// Rule 2: one instance for each pod, for as long as the pod is not disposed.
@MainActor
struct SingletonScopeTests {
  private struct EverythingScope: ProviderScope {
    var children: [any ProviderScope] { [SingletonScope(), AlwaysCreateNewScope(), OtherScope()] }
  }

  private struct OtherScope: ProviderScope {}

  @Test("R2 a provider without a scope is built once for each pod", arguments: SynchronousKind.allCases)
  func builtOncePerPod(kind: SynchronousKind) {
    let population = Population()
    let provider = kind.declare { _ in population.make() }
    let (first, second) = (Pod("first"), Pod("second"))
    #expect(!first.isCached(provider))
    let instance = first.resolve(provider)
    #expect(first.isCached(provider))
    #expect(!second.isCached(provider))
    for _ in 0..<5 { #expect(first.resolve(provider) === instance) }
    #expect(second.resolve(provider) !== instance)
    #expect(population.made == 2)
  }

  @Test("R2 the default scope and the shorthand are the same")
  func shorthand() {
    let pod = Pod()
    let provider = Provider(scope: .singleton) { _ in Tracked() }
    let instance = pod.resolve(provider)
    pod.clearCachedInstances(forScope: .singleton)
    #expect(pod.resolve(provider) === instance)
  }

  @Test("R2 clearing any scope leaves singletons alone", arguments: SynchronousKind.allCases)
  func clearingNeverTouchesSingletons(kind: SynchronousKind) {
    let disposed = Counter()
    let provider = kind.declare { _ in
      Tracked()
    } onDispose: { _ in
      disposed.increment()
    }
    let pod = Pod()
    let instance = pod.resolve(provider)
    pod.clearCachedInstances(forScope: SingletonScope())
    pod.clearCachedInstances(forScope: EverythingScope())
    pod.clearCachedInstances(forScope: AlwaysCreateNewScope())
    #expect(pod.resolve(provider) === instance)
    #expect(disposed.value == 0)
  }

  @Test("R2 a disposed pod starts afresh", arguments: SynchronousKind.allCases)
  func disposeEndsSingletons(kind: SynchronousKind) {
    let population = Population()
    let provider = kind.declare { _ in population.make() }
    let pod = Pod()
    #expect(pod.resolve(provider).serial == 1)
    pod.dispose()
    #expect(population.live == 0)
    #expect(!pod.isCached(provider))
    #expect(pod.resolve(provider).serial == 2)
    #expect(pod.resolve(provider).serial == 2)
  }

  @Test("R2 clearing one instance by name drops a singleton too", arguments: SynchronousKind.allCases)
  func clearingByName(kind: SynchronousKind) {
    let population = Population()
    let provider = kind.declare { _ in population.make() }
    let other = kind.declare { _ in population.make() }
    let pod = Pod()
    #expect(pod.resolve(provider).serial == 1)
    #expect(pod.resolve(other).serial == 2)
    pod.clearCachedInstance(of: provider)
    #expect(population.liveSerials == [2])
    #expect(!pod.isCached(provider))
    #expect(pod.isCached(other))
    #expect(pod.resolve(provider).serial == 3)
    #expect(pod.resolve(other).serial == 2)
  }

  @Test("R2 clearing one instance by name leaves those that hold it as they are")
  func clearingByNameLeavesDependents() {
    let population = Population()
    let part = Provider { _ in population.make() }
    let whole = Provider { pod in population.make(keeping: [pod.resolve(part)]) }
    let pod = Pod()
    let before = pod.resolve(whole)
    pod.clearCachedInstance(of: part)
    #expect(pod.resolve(whole) === before)
    #expect(pod.resolve(part) !== before.parts[0] as? Tracked)
  }

  @Test("R2 asking whether something is cached never builds it", arguments: SynchronousKind.allCases)
  func isCachedNeverBuilds(kind: SynchronousKind) {
    let population = Population()
    let provider = kind.declare { _ in population.make() }
    let pod = Pod()
    #expect(!pod.isCached(provider))
    #expect(population.made == 0)
  }

  @Test("R2 the shared pod is a pod like any other")
  func sharedPod() {
    let provider = Provider { _ in Tracked() }
    #expect(Pod.shared.resolve(provider) === Pod.shared.resolve(provider))
    #expect(Pod.current.resolve(provider) === Pod.shared.resolve(provider))
    #expect(Pod().resolve(provider) !== Pod.shared.resolve(provider))
    Pod.shared.clearCachedInstance(of: provider)
    #expect(!Pod.shared.isCached(provider))
  }
}
