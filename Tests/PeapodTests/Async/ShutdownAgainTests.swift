import Foundation
import Testing

@testable import Peapod

/// Rules 9 and 27: `shutdown()` beside hooks that run already, and from hooks.
@Suite(.timeLimit(.minutes(20)))
struct ShutdownAgainTests {
  private struct OtherScope: ProviderScope {}

  /// What starts a hook and does not wait for it.
  enum Start: CaseIterable, Sendable {
    case clear, clearInstance, dispose, removeOverride, dropChild, shutdown, shutdownScope
  }

  private let log = Log<String>()
  private let finish = AsyncGate()

  /// A provider whose hook waits to be let go on.
  private func declareSlow(scope: some ProviderScope = OwnedScope()) -> AsyncProvider<Part> {
    AsyncProvider("slow", scope: scope) { _ in
      Part("slow")
    } onDispose: { [log, finish] in
      await finish.wait()
      log.append($0.label)
    }
  }

  @Test("R27 two pods that end at one moment, each with a handle of what the other built, dispose both instances")
  func handlesOfEachOther() {
    let (log, root) = (log, Pod("root"))
    let pods = (0...1).map { _ in root.makeChild(owning: [OwnedScope()]) }
    let late = Locked<ProviderFamily<Provider<Part>, Int>?>(nil)
    let part = Provider.family(scope: OwnedScope()) { (_: Pod, number: Int) in
      if let other = late.withLock({ $0 }) { _ = pods[1 - number].factory(other(1 - number)) }
      return Part("\(number)")
    } onDispose: {
      log.append($0.label)
    }
    late.withLock { $0 = part }
    for number in 0...1 { _ = pods[number].resolve(part(number)) }
    // Both have emptied their tables before either decides the order.
    let ended = pods.map { pod in pod.state.end(RetainedObjects(), endsPod: true) }
    for instances in ended { Teardown.run(instances) }
    #expect(log.entries == ["0", "1"])
    late.withLock { $0 = nil }
  }

  @Test("R27 shutdown waits for the hooks of a child that ends at the same moment", arguments: [true, false])
  func endingChild(isWhole: Bool) async throws {
    final class Holder: @unchecked Sendable {
      // Safe: the worker alone has the child, once the pod has made it.
      var child: Pod?
    }
    let pod = Pod()
    let changed = Provider { _ in 0 }
    // So many instances that their teardown takes as long as the start of a thread.
    let parts = Provider.family(scope: OwnedScope()) { (pod, number: Int) in
      _ = pod.resolve(changed)
      return Part("\(number)")
    }
    let done = Log<String>()
    let slow = AsyncProvider(scope: OwnedScope()) { pod in
      Part("\(pod.resolve(changed))")
    } onDispose: {
      try? await Task.sleep(for: .milliseconds(1))
      done.append($0.label)
    }
    for number in 0..<12 {
      let holder = Holder()
      holder.child = pod.makeChild { $0.overrideProvider(changed, withValue: number) }
      for part in 0..<500 { _ = holder.child?.resolve(parts(part)) }
      _ = try await holder.child?.resolve(slow)
      let hasBegun = Gate()
      let end = Worker {
        hasBegun.open()
        holder.child = nil
      }
      await hasBegun.pass()
      usleep(UInt32(number * 50))
      if isWhole { await pod.shutdown() } else { await pod.shutdown(scope: OwnedScope()) }
      #expect(done.entries.contains("\(number)"))
      try await end.value()
    }
  }

  @Test("R27 shutdown waits for hooks that were started before it", arguments: Start.allCases, [true, false])
  @MainActor
  func started(start: Start, isWhole: Bool) async throws {
    let pod = Pod()
    let slow = declareSlow()
    var child: Pod? = pod.makeChild(owning: start == .dropChild ? [OwnedScope()] : [])
    if start == .removeOverride { pod.overrideProvider(slow) { _ in Part("slow") } }
    _ = try await child?.resolve(slow)
    var earlier: Task<Void, any Error>?
    switch start {
    case .clear: pod.clearCachedInstances(forScope: OwnedScope())
    case .clearInstance: pod.clearCachedInstance(of: slow)
    case .dispose: pod.dispose()
    case .removeOverride: pod.removeOverrideProvider(slow)
    case .dropChild: child = nil
    case .shutdown: earlier = await begin { await pod.shutdown() }
    case .shutdownScope: earlier = await begin { await pod.shutdown(scope: OwnedScope()) }
    }
    await eventually("the hook has begun") { finish.arrived == 1 }
    // The child's scope is no concern of the pod's own.
    let ends = isWhole || start != .dropChild
    let later = await begin {
      if isWhole { await pod.shutdown() } else { await pod.shutdown(scope: OwnedScope()) }
      log.append("over")
    }
    for _ in 0..<100 { await Task.yield() }
    #expect(log.entries == (ends ? [] : ["over"]))
    finish.open()
    try await later.value
    try await earlier?.value
    await eventually("the hook is done") { log.count == 2 }
    #expect(log.entries == (ends ? ["slow", "over"] : ["over", "slow"]))
    _ = child
  }

  @Test("R27 what an instance of another pod needs is disposed after the hook of that instance")
  func dependentOfOtherPod() async throws {
    let (pod, other) = (Pod("pod"), Pod("other"))
    let part = Provider(
      "part", scope: OwnedScope(), { _ in Part("part") }, onDispose: { [log] in log.append($0.label) })
    let user = AsyncProvider("user", scope: OwnedScope()) { _ in
      Part("user", [pod.resolve(part)])
    } onDispose: { [log, finish] in
      await finish.wait()
      log.append($0.label)
    }
    _ = try await other.resolve(user)
    other.clearCachedInstances(forScope: OwnedScope())
    await eventually("the hook has begun") { finish.arrived == 1 }
    pod.clearCachedInstances(forScope: OwnedScope())
    #expect(log.entries == [])
    finish.open()
    await eventually("both are disposed") { log.count == 2 }
    #expect(log.entries == ["user", "part"])
  }

  @Test("R27 what a child built for its first override is disposed after the hook of the instance that needs it")
  func dependentOfLaterOverride() async throws {
    let setting = Provider("setting", { _ in Part("plain") }, onDispose: { [log] in log.append($0.label) })
    let root = Pod("root")
    let child = root.makeChild("child")
    let page = AsyncProvider("page") { _ in
      child.overrideProvider(setting) { _ in Part("setting") }
      return Part("page", [child.resolve(setting)])
    } onDispose: { [log, finish] in
      await finish.wait()
      log.append($0.label)
    }
    _ = try await child.resolve(page)
    await eventually("the hook has begun") { finish.arrived == 1 }
    child.dispose()
    #expect(log.entries == [])
    finish.open()
    await eventually("both are disposed") { log.count == 2 }
    #expect(log.entries == ["page", "setting"])
  }

  @Test("R27 shutdown waits neither for hooks of another scope nor for those of another pod")
  func others() async throws {
    let (above, other) = (Pod(), Pod())
    let pod = above.makeChild(owning: [OwnedScope()])
    let slow = (own: declareSlow(scope: OtherScope()), foreign: declareSlow(scope: OtherScope()))
    _ = (try await above.resolve(slow.own), try await other.resolve(slow.foreign))
    above.dispose()
    other.dispose()
    await eventually("the hooks have begun") { finish.arrived == 2 }
    await above.shutdown(scope: OwnedScope())
    await pod.shutdown()
    #expect(log.entries == [])
    finish.open()
    await above.shutdown()
    await other.shutdown()
    #expect(log.count == 2)
  }

  @Test("R9 R27 hooks may shut their pod down, each of several, whatever goes after them")
  func fromHooks() async throws {
    let pod = Pod()
    let base = Provider("base") { _ in
      Part("base")
    } onDispose: { [log] in
      log.append($0.label)
    }
    let providers = ["first", "second", "third"].map { name in
      AsyncProvider(name, scope: OwnedScope()) {
        Part(name, [$0.resolve(base)])
      } onDispose: { [log] in
        await pod.shutdown()
        await pod.shutdown(scope: OwnedScope())
        await Task { await pod.shutdown() }.value
        log.append($0.label)
      }
    }
    for provider in providers { _ = try await pod.resolve(provider) }
    await pod.shutdown(scope: OwnedScope())
    #expect(Set(log.entries.prefix(3)) == ["first", "second", "third"])
    await pod.shutdown()
    #expect(log.entries.last == "base" && log.count == 4)
  }

  @Test("R9 R27 a hook may resolve what shuts the pod down while it is built")
  func fromBuilders() async throws {
    let pod = Pod()
    let last = AsyncProvider("last") { pod in
      await pod.shutdown()
      return Part("last")
    }
    let first = AsyncProvider("first", scope: OwnedScope()) { _ in
      Part("first")
    } onDispose: { [log] _ in
      log.append((try? await pod.resolve(last).label) ?? "none")
    }
    _ = try await pod.resolve(first)
    await pod.shutdown(scope: OwnedScope())
    #expect(log.entries == ["last"])
  }

  @Test("R27 a task that a hook left behind waits as any other when the hook is over")
  func leftBehind() async throws {
    let pod = Pod()
    let hookIsOver = AsyncGate()
    let tasks = Locked<[Task<Void, Never>]>([])
    let quick = AsyncProvider("quick", scope: OwnedScope()) { _ in
      Part("quick")
    } onDispose: { [log] _ in
      let task = Task {
        await hookIsOver.wait()
        await pod.shutdown()
        log.append("over")
      }
      tasks.withLock { $0.append(task) }
    }
    let slow = declareSlow()
    _ = (try await pod.resolve(quick), try await pod.resolve(slow))
    pod.clearCachedInstance(of: quick)
    await pod.shutdown(scope: OtherScope())
    await eventually("the task waits") { hookIsOver.arrived == 1 }
    pod.clearCachedInstance(of: slow)
    await eventually("the hook has begun") { finish.arrived == 1 }
    hookIsOver.open()
    for _ in 0..<100 { await Task.yield() }
    #expect(log.entries == [])
    finish.open()
    for task in tasks.withLock({ $0 }) { await task.value }
    #expect(log.entries == ["slow", "over"])
  }

  @Test("R27 all who shut down at once wait until what is the main actor's has been let go there")
  func mainActorInstance() async throws {
    let census = Census()
    let pod = Pod()
    let own = MainActorProvider { _ in
      Part("main", in: census)
    } onDispose: { [log] in
      log.append($0.label)
    }
    let tasks = await MainActor.run {
      _ = pod.resolve(own)
      let tasks = (0..<4).map { _ in
        Task.detached {
          await pod.shutdown()
          #expect(census.alive == 0)
        }
      }
      // The hook needs the main actor, and so comes after all have begun.
      let end = ContinuousClock.now + .seconds(30)
      while RunningDisposals.waiterCount(for: own.declaration) != tasks.count - 1,
        ContinuousClock.now < end
      {
        sched_yield()
      }
      return tasks
    }
    for task in tasks { await task.value }
    #expect(log.entries == ["main"])
  }
}
