import Peapod
import Testing

@Suite("R32: the end of updates")
struct UpdatesEndTests {
  @Test("R32 The sequence does not retain the pod, and ends when the pod is deallocated")
  func podEnds() async {
    let provider = Provider { _ in Tracked() }
    var pod: Pod? = Pod()
    weak let released = pod
    let updates = pod!.updates(of: provider)
    let count = Counter()
    let reader = Task {
      for await _ in updates { count.increment() }
    }
    await eventually("the reader has the first value") { count.value == 1 }
    pod = nil
    await reader.value
    #expect(released == nil && count.value == 1)
    for await _ in updates { Issue.record("the pod has ended") }
    var iterator = updates.makeAsyncIterator()
    #expect(await iterator.next() == nil)
    #expect(await iterator.next() == nil)
  }

  @Test("R32 A follower of a child ends with the child, not with a sibling")
  func childEnds() async {
    let provider = Provider { _ in Tracked() }
    let pod = Pod()
    var child: Pod? = pod.makeChild()
    var sibling: Pod? = pod.makeChild()
    let count = Counter()
    let updates = child!.updates(of: provider)
    let reader = Task {
      for await _ in updates { count.increment() }
    }
    await eventually("the reader has the first value") { count.value == 1 }
    sibling = nil
    pod.refresh(provider)
    await eventually("the reader has the second value") { count.value == 2 }
    child = nil
    await reader.value
    withExtendedLifetime((child, sibling)) {}
  }

  @Test("R32 Canceling the task ends the iteration, before and during a wait", arguments: [false, true])
  func cancellation(isWaiting: Bool) async {
    let provider = Provider { _ in 1 }
    let pod = Pod()
    let updates = pod.updates(of: provider)
    let (count, gate) = (Counter(), AsyncGate())
    let reader = Task {
      if !isWaiting { await gate.wait() }
      for await _ in updates { count.increment() }
    }
    if isWaiting { await eventually("the reader waits") { count.value == 1 } }
    reader.cancel()
    gate.open()
    await reader.value
    #expect(count.value == (isWaiting ? 1 : 0))
  }

  @Test("R32 An iteration retains neither the instance that it gave nor, after its end, anything")
  func retainsNothing() async {
    let population = Population()
    let provider = Provider { _ in population.make() }
    let pod = Pod()
    do {
      var updates = pod.updates(of: provider).makeAsyncIterator()
      _ = await updates.next()
      pod.dispose()
      #expect(population.live == 0)
      _ = await updates.next()
    }
    pod.dispose()
    #expect(population.live == 0 && population.made == 2)
  }

  @Test("R32 A builder that follows with its pod follows the pod in which its instance lives")
  func builderPod() async {
    final class Model: Sendable {
      let updates: PodUpdates<Int>
      init(_ updates: PodUpdates<Int>) { self.updates = updates }
    }
    let setting = Provider { _ in 1 }
    let model = Provider { pod in Model(pod.updates(of: setting)) }
    let pod = Pod()
    weak var released: Pod?
    let instance = pod.resolve(model)
    var updates = instance.updates.makeAsyncIterator()
    #expect(await updates.next() == 1)
    pod.overrideProvider(setting, withValue: 2)
    #expect(await updates.next() == 2)
    // Following is no dependency: the model that follows stays.
    #expect(pod.resolve(model) === instance)
    do {
      let own = Pod()
      released = own
      _ = own.resolve(model)
    }
    #expect(released == nil)
  }

  @Test("R32 Updates of a pod whose parent is replaced by its successor go on")
  func endedParent() async {
    let provider = Provider { _ in Tracked() }
    let maker = Provider(scope: .alwaysCreateNew) { pod in Captured(pod) }
    var owner: Pod? = Pod()
    let handle = owner!.resolve(maker).pod
    let child = handle.makeChild()
    var updates = child.updates(of: provider).makeAsyncIterator()
    let first = await updates.next()
    owner = nil
    let second = await updates.next()
    #expect(second != nil && second !== first)
    handle.refresh(provider)
    let third = await updates.next()
    #expect(third !== second && third === child.resolve(provider))
  }

  @Test("R32 Stress: followers see the last answer after changes and ends on many threads")
  func stress() async throws {
    let setting = Provider { _ in 0 }
    let value = Provider { pod in Tracked(keeping: [pod.resolve(setting)]) }
    for round in 0..<20 {
      let root = Pod()
      let children = (0..<4).map { _ in root.makeChild() }
      let mark = Tracked()
      let pods = [root] + children
      let readers = pods.flatMap { pod in
        (0..<2).map { _ in
          let updates = pod.updates(of: value)
          return Task { () -> Bool in
            var last: Tracked?
            for await next in updates {
              if next === last { return false }
              last = next
              if next === mark { return true }
            }
            return false
          }
        }
      }
      try await runThreads(4) { thread in
        var random = SplitMix64(seed: UInt64(round * 4 + thread))
        for _ in 0..<100 {
          let pod = pods[Int(random.next() % UInt64(pods.count))]
          switch random.next() % 7 {
          case 0: pod.overrideProvider(setting, withValue: Int(random.next() % 100))
          case 1: pod.removeOverrideProvider(setting)
          case 2: pod.refresh(setting)
          case 3: pod.refresh(value)
          case 4: pod.dispose()
          case 5: pod.clearCachedInstance(of: value)
          default:
            let brief = pod.makeChild()
            let updates = brief.updates(of: value)
            Task { for await _ in updates {} }
          }
        }
      }
      root.overrideProvider(value, withValue: mark)
      for reader in readers { #expect(await reader.value) }
      // An end of the pods would end the updates.
      withExtendedLifetime(pods) {}
    }
  }
}

private final class Captured: Sendable {
  let pod: Pod
  init(_ pod: Pod) { self.pod = pod }
}
