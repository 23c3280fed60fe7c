import Peapod
import Testing

@Suite("R32: updates")
struct UpdatesTests {
  private struct SessionScope: ProviderScope {}

  @Test("R32 A follower gets the current instance, the override, and then the original, the same instance")
  func overrideAndRemoval() async {
    let provider = Provider { _ in Tracked() }
    let pod = Pod()
    let original = pod.resolve(provider)
    var updates = pod.updates(of: provider).makeAsyncIterator()
    #expect(await updates.next() === original)
    let override = Tracked()
    pod.overrideProvider(provider, withValue: override)
    #expect(await updates.next() === override)
    pod.removeOverrideProvider(provider)
    #expect(await updates.next() === original)
  }

  @Test("R32 An iteration that enters or leaves an override scope gets the answer there")
  func overrideScope() async {
    let pod = Pod()
    let number = Provider { _ in 0 }
    var numbers = pod.updates(of: number).makeAsyncIterator()
    #expect(await numbers.next() == 0)
    await pod.withOverrides {
      $0.overrideProvider(number, withValue: 1)
    } operation: {
      #expect(await numbers.next() == 1)
    }
    #expect(await numbers.next() == 0)
    pod.overrideProvider(number, withValue: 2)
    #expect(await numbers.next() == 2)
  }

  @Test("R32 The first value is built if there is none, and an override before it counts")
  func first() async {
    let provider = Provider { _ in 1 }
    let pod = Pod()
    pod.overrideProvider(provider, withValue: 2)
    var updates = pod.updates(of: provider).makeAsyncIterator()
    pod.overrideProvider(provider, withValue: 3)
    #expect(await updates.next() == 3)
  }

  /// What may change an answer.
  enum Change: String, CaseIterable, Sendable {
    case override, overrideDependency, removal, removeAll, clearScope, clearInstance, refresh, refreshDependency
    case dispose, shutdown

    func apply(_ fixture: Fixture, to pod: Pod) async {
      switch self {
      case .override: pod.overrideProvider(fixture.top) { _ in Tracked() }
      case .overrideDependency: pod.overrideProvider(fixture.base) { _ in Tracked() }
      case .removal: pod.removeOverrideProvider(fixture.setting)
      case .removeAll: pod.removeAllOverrides()
      case .clearScope: pod.clearCachedInstances(forScope: SessionScope())
      case .clearInstance: pod.clearCachedInstance(of: fixture.top)
      case .refresh: pod.refresh(fixture.top)
      case .refreshDependency: pod.refresh(fixture.base)
      case .dispose: pod.dispose()
      case .shutdown: await pod.shutdown()
      }
    }
  }

  struct Fixture: Sendable {
    let setting = Provider { _ in 1 }
    let base: Provider<Tracked>
    let top: Provider<Tracked>

    init() {
      let setting = setting
      let base = Provider { _ in Tracked() }
      self.base = base
      top = Provider(scope: SessionScope()) { pod in
        _ = pod.resolve(setting)
        return Tracked(keeping: [pod.resolve(base)])
      }
    }
  }

  @Test("R32 Every kind of change gives a new instance", arguments: Change.allCases)
  func changes(change: Change) async {
    let fixture = Fixture()
    let pod = Pod()
    pod.overrideProvider(fixture.setting, withValue: 2)
    var updates = pod.updates(of: fixture.top).makeAsyncIterator()
    let first = await updates.next()
    async let second = updates.next()
    await change.apply(fixture, to: pod)
    let new = await second
    #expect(new != nil && new !== first && new === pod.resolve(fixture.top))
  }

  @Test("R32 A change in an ancestor reaches a follower in a descendant", arguments: Change.allCases)
  func ancestor(change: Change) async {
    let fixture = Fixture()
    let pod = Pod()
    pod.overrideProvider(fixture.setting, withValue: 2)
    let grandchild = pod.makeChild().makeChild()
    var updates = grandchild.updates(of: fixture.top).makeAsyncIterator()
    let first = await updates.next()
    async let second = updates.next()
    await change.apply(fixture, to: pod)
    let new = await second
    #expect(new != nil && new !== first && new === grandchild.resolve(fixture.top))
  }

  @Test("R32 A clear in a child reaches those who follow the pod that the scope belongs to, and its other children")
  func clearInChild() async {
    let fixture = Fixture()
    let pod = Pod()
    let (first, second) = (pod.makeChild(), pod.makeChild())
    var own = pod.updates(of: fixture.top).makeAsyncIterator()
    var other = second.updates(of: fixture.top).makeAsyncIterator()
    let (before, beforeToo) = (await own.next(), await other.next())
    #expect(before === beforeToo)
    first.clearCachedInstances(forScope: SessionScope())
    let after = await own.next()
    #expect(after !== before && after === pod.resolve(fixture.top))
    #expect(await other.next() === after)
  }

  @Test("R32 An override of a pod without instances reaches a follower")
  func unusedPod() async {
    let transient = Provider(scope: .alwaysCreateNew) { _ in 1 }
    let root = Pod()
    let pod = root.makeChild()
    var updates = pod.updates(of: transient).makeAsyncIterator()
    #expect(await updates.next() == 1)
    pod.overrideProvider(transient) { _ in 2 }
    #expect(await updates.next() == 2)
    pod.removeOverrideProvider(transient)
    #expect(await updates.next() == 1)
  }

  @Test("R32 A change that leaves the answer as it is gives nothing, whatever the scope")
  func untouched() async {
    let base = Provider { _ in Tracked() }
    let builds = Counter()
    let unrelated = Provider { _ in 1 }
    let pod = Pod()
    let singleton = Provider { _ in builds.increment() }
    let transient = Provider(scope: .alwaysCreateNew) { pod in
      _ = pod.resolve(base)
      return builds.increment()
    }
    var (first, second) = (
      pod.updates(of: singleton).makeAsyncIterator(), pod.updates(of: transient).makeAsyncIterator()
    )
    #expect(await first.next() == 1)
    #expect(await second.next() == 2)
    for number in 0..<10 { pod.overrideProvider(unrelated, withValue: number) }
    pod.clearCachedInstances(forScope: SessionScope())
    // The next values are those of the later changes.
    async let next = second.next()
    pod.refresh(base)
    #expect(await next == 3)
    pod.refresh(singleton)
    #expect(await first.next() == 4)
  }

  @Test("R32 A transient is not built again for what its builder used once, tried in vain or made in an inner pod")
  func passingDependencies() async {
    struct Refused: Error {}
    let base = Provider { _ in 1 }
    let once = Provider { pod in pod.resolve(base) + 1 }
    let failing = ThrowingProvider<Int> { pod in
      _ = pod.resolve(base)
      throw Refused()
    }
    let builds = Counter()
    let model = Provider(scope: .alwaysCreateNew) { pod in
      pod.withFreshInstance(of: once) { (_: Int) in }
      _ = try? pod.resolve(failing)
      pod.withChild {
        $0.overrideProvider(base, withValue: 2)
      } operation: {
        _ = $0.resolve(once)
      }
      return builds.increment()
    }
    let unrelated = Provider { _ in 1 }
    let pod = Pod()
    await expectUpdates(of: model, in: pod, [1, 2]) {
      pod.overrideProvider(unrelated, withValue: 1)
    } last: {
      pod.refresh(base)
    }
  }

  /// Looks that a follower receives the first value, nothing after some changes, and the second value after the last change.
  private func expectUpdates(
    of provider: Provider<Int>, in pod: Pod, _ values: [Int], after changes: () -> Void, last: () -> Void
  ) async {
    let log = Log(of: Int.self)
    let task = Task {
      for await value in pod.updates(of: provider) { log.append(value) }
    }
    await eventually("the first value is received") { log.count == 1 }
    changes()
    // A follower that takes the changes for new answers receives a value meanwhile.
    try? await Task.sleep(for: .milliseconds(20))
    #expect(log.count == 1)
    last()
    await eventually("the last value is received") { log.entries == values }
    task.cancel()
  }

  @Test("R32 A constant that was cleared is the answer again, and so is what was built from it")
  func clearedConstant() async {
    let limit = Provider(scope: SessionScope()) { _ in 1 }
    let builds = Counter()
    let model = Provider(scope: .alwaysCreateNew) { pod in
      _ = pod.resolve(limit)
      return builds.increment()
    }
    let pod = Pod()
    for (provider, values) in [(limit, [5, 6]), (model, [1, 2])] {
      pod.overrideProvider(limit, withValue: 5)
      await expectUpdates(of: provider, in: pod, values) {
        pod.clearCachedInstances(forScope: SessionScope())
        pod.dispose()
      } last: {
        pod.overrideProvider(limit, withValue: 6)
      }
    }
  }

  @Test("R32 A class instance that stays the same is not repeated, also by another override")
  func sameObject() async {
    let provider = Provider<Tracked> { _ in Tracked() }
    let value = Tracked()
    let pod = Pod()
    pod.overrideProvider(provider, withValue: value)
    var updates = pod.updates(of: provider).makeAsyncIterator()
    #expect(await updates.next() === value)
    pod.overrideProvider(provider, withValue: value)
    pod.overrideProvider(provider) { _ in value }
    let other = Tracked()
    async let next = updates.next()
    for _ in 0..<20 { await Task.yield() }
    pod.overrideProvider(provider, withValue: other)
    #expect(await next === other)
  }

  @Test("R32 A slow reader gets the newest value alone, and nothing is built for it meanwhile")
  func slowReader() async {
    let builds = Counter()
    let provider = Provider { _ in 0 }
    let pod = Pod()
    var updates = pod.updates(of: provider).makeAsyncIterator()
    #expect(await updates.next() == 0)
    for number in 1...100 {
      pod.overrideProvider(provider) { _ in
        builds.increment()
        return number
      }
    }
    #expect(builds.value == 0)
    #expect(await updates.next() == 100)
    pod.removeOverrideProvider(provider)
    #expect(await updates.next() == 0)
    #expect(builds.value == 1)
  }

  @Test("R32 Each iteration has the whole sequence")
  func independent() async {
    let provider = Provider { _ in 1 }
    let pod = Pod()
    let updates = pod.updates(of: provider)
    var (first, second) = (updates.makeAsyncIterator(), updates.makeAsyncIterator())
    #expect(await first.next() == 1)
    pod.overrideProvider(provider, withValue: 2)
    #expect(await first.next() == 2)
    #expect(await second.next() == 2)
  }

  @MainActor
  @Test("R32 An iteration may begin with the current instance, without suspending")
  func current() async {
    let provider = MainActorProvider(scope: .alwaysCreateNew) { _ in Tracked() }
    let pod = Pod()
    var updates = pod.updates(of: provider).makeAsyncIterator()
    let first = updates.current()
    let override = Tracked()
    pod.overrideProvider(provider, withValue: override)
    let next = await updates.next()
    #expect(first !== override && next === override && updates.current() === override)
  }

  @MainActor
  @Test("R32 A main-actor provider is followed and resolved on the main actor")
  func mainActor() async {
    let provider = MainActorProvider { _ in
      MainActor.assertIsolated()
      return Tracked()
    }
    let pod = Pod()
    let updates = pod.updates(of: provider)
    let first = pod.resolve(provider)
    let reader = Task.detached { () -> [Tracked] in
      var seen: [Tracked] = []
      for await value in updates {
        seen.append(value)
        if seen.count == 1 { await MainActor.run { pod.refresh(provider) } }
        if seen.count == 2 { break }
      }
      return seen
    }
    let seen = await reader.value
    #expect(seen[0] === first && seen[1] === pod.resolve(provider) && seen[1] !== first)
  }

  private actor Reader {
    func read(_ updates: PodUpdates<Int>) async -> [Int?] {
      var iterator = updates.makeAsyncIterator()
      var values = [await iterator.next()]
      for await value in updates {
        values.append(value)
        break
      }
      return values
    }
  }

  @Test("R32 An actor that reads builds in its own isolation")
  func isolation() async {
    let reader = Reader()
    let provider = Provider(scope: .alwaysCreateNew) { _ in
      reader.assertIsolated()
      return 1
    }
    let pod = Pod()
    #expect(await reader.read(pod.updates(of: provider)) == [1, 1])
  }
}
