import Foundation
import Testing

@testable import Peapod

/// `PodObserver`.
@Suite(.timeLimit(.minutes(20))) struct ObserverTests {
  private struct Boom: Error, CustomStringConvertible { let description = "boom" }

  @Test("R28 an observer hears of builds with their dependencies, failures, overrides, clears and disposals in order")
  func events() throws {
    let log = EventLog()
    let pod = Pod("shop", observers: [log])
    let a = Provider("a", scope: OwnedScope()) { _ in 1 }
    let b = Provider("b", scope: OwnedScope()) { $0.resolve(a) }
    let shaky = ThrowingProvider<Int>("shaky") { _ in throw Boom() }
    _ = pod.resolve(b)
    #expect(log.drain() == ["build a()", "build b(a)"])
    _ = pod.resolve(b)
    #expect(log.drain() == [])
    #expect(throws: Boom.self) { try pod.resolve(shaky) }
    #expect(log.drain() == ["fail shaky: boom"])
    pod.overrideProvider(a, withValue: 2)
    #expect(log.drain() == ["override a"])
    _ = pod.resolve(b)
    #expect(log.drain() == ["build b(a)"])
    pod.removeOverrideProvider(a)
    #expect(log.drain().sorted() == ["dispose b", "remove override a"])
    pod.clearCachedInstances(forScope: OwnedScope())
    let cleared = log.drain()
    #expect(cleared.filter { $0.hasPrefix("dispose") } == ["dispose b", "dispose a"])
    #expect(cleared.filter { $0.hasPrefix("clear") }.count == 1)
    #expect(cleared.contains { $0.hasPrefix("clear") && $0.contains("OwnedScope") && $0.hasSuffix(" 2") })
    pod.removeOverrideProvider(a)
    pod.clearCachedInstances(forScope: AccountScope())
    #expect(log.drain().filter { !$0.hasSuffix(" 0") } == [])
  }

  @Test("R15 R28 what an observer resolves is no dependency of the builder on its thread", arguments: [true, false])
  func resolvesWithinBuilder(isAsync: Bool) async throws {
    let metrics = Provider("metrics") { _ in Part("metrics") }
    let part = Provider("part") { _ in Part("part") }
    let log = EventLog { pod, event in
      if case .build(let info, _, _) = event, info.name == "part" { _ = pod.resolve(metrics) }
    }
    let pod = Pod("shop", observers: [log])
    let page = Provider("page") { Part("page", [$0.resolve(part)]) }
    let asyncPage = AsyncProvider("page") { Part("page", [$0.resolve(part)]) }
    func resolve() async throws -> Part { isAsync ? try await pod.resolve(asyncPage) : pod.resolve(page) }
    let first = try await resolve()
    #expect(log.lines.contains("build metrics()"))
    #expect(
      (isAsync ? pod.graph.dependencies(of: asyncPage) : pod.graph.dependencies(of: page)).map(\.name) == ["part"])
    pod.overrideProvider(metrics) { _ in Part("other") }
    #expect(try await resolve() === first)
  }

  @Test("R12 R15 R28 a task that an observer starts is not part of the async builder on its thread")
  func taskWithinBuilder() async throws {
    let settings = Provider("settings") { _ in Part("settings") }
    let mayEnd = AsyncGate()
    let database = AsyncProvider("database") { pod in
      let settings = pod.resolve(settings)
      await mayEnd.wait()
      return Part("database", [settings])
    }
    let analytics = AsyncProvider("analytics") { Part("analytics", [try await $0.resolve(database)]) }
    let task = Locked<Task<Part, any Error>?>(nil)
    let log = EventLog { pod, event in
      guard case .build(let info, _, _) = event, info.name == "settings" else { return }
      task.withLock { $0 = Task { try await pod.resolve(analytics) } }
    }
    let pod = Pod("shop", observers: [log])
    let build = await begin { try await pod.resolve(database) }
    await eventually("analytics waits too") { pod.waiterCount(of: database) == 2 }
    mayEnd.open()
    let found = try await build.value
    let started = try #require(task.withLock { $0 })
    #expect(try await started.value.parts.first === found)
    #expect(pod.graph.dependencies(of: database).map(\.name) == ["settings"])
  }

  @Test("R15 R27 what a disposal closure resolves is no dependency of the builder on its thread")
  func closureWithinBuilder() {
    let metrics = Provider("metrics") { _ in Part("metrics") }
    let pod = Pod("shop")
    let part = Provider("part", scope: OwnedScope()) { _ in
      Part("part")
    } onDispose: { _ in
      _ = pod.resolve(metrics)
    }
    _ = pod.resolve(part)
    let page = Provider("page") { pod in
      pod.clearCachedInstances(forScope: OwnedScope())
      return Part("page")
    }
    _ = pod.resolve(page)
    #expect(pod.isCached(metrics) && pod.graph.dependencies(of: page).isEmpty)
  }

  @Test("R14 R28 an observer that resolves what is being built on its thread closes a cycle")
  func cycle() throws {
    let names = Locked<[String]>([])
    let part = Provider("part") { _ in 1 }
    let page = ThrowingProvider("page") { $0.resolve(part) }
    let log = EventLog { pod, event in
      guard case .build(let info, _, _) = event, info.name == "part" else { return }
      do { _ = try pod.resolve(page) } catch let error as ProviderCycleError {
        names.withLock { $0 = error.path.map(\.name) }
      } catch {}
    }
    _ = try Pod("shop", observers: [log]).resolve(page)
    #expect(names.withLock { $0 } == ["page", "page"])
  }

  @Test("R15 R28 the event of an override comes before the events of what its disposal closures do")
  func overrideBeforeClosures() {
    let log = EventLog()
    let pod = Pod("shop", observers: [log])
    let part = Provider("part") { _ in Part("part") }
    let user = Provider("user") {
      Part("user", [$0.resolve(part)])
    } onDispose: { _ in
      pod.removeOverrideProvider(part)
    }
    pod.overrideProvider(part) { _ in Part("first") }
    _ = pod.resolve(user)
    _ = log.drain()
    pod.overrideProvider(part) { _ in Part("second") }
    #expect(log.drain().filter { $0.contains("override") } == ["override part", "remove override part"])
    #expect(pod.resolve(part).label == "part")
  }

  @Test("R34 an observation that is canceled ends, and the others go on")
  func canceledObservation() {
    let (first, second) = (EventLog(), EventLog())
    let pod = Pod("shop", observers: [first])
    let a = Provider("a", scope: .alwaysCreateNew) { _ in 1 }
    let observation = pod.addObserver(second)
    _ = pod.resolve(a)
    observation.cancel()
    observation.cancel()
    _ = pod.resolve(a)
    #expect(first.lines == ["build a()", "build a()"])
    #expect(second.lines == ["build a()"])
  }

  @Test("R18 R34 an observation that is canceled ends in open override scopes too")
  func canceledInScope() {
    let log = EventLog()
    let pod = Pod("shop")
    let a = Provider("a", scope: .alwaysCreateNew) { _ in 1 }
    let observation = pod.addObserver(log)
    pod.withOverrides { _ in
    } operation: {
      _ = pod.resolve(a)
      observation.cancel()
      _ = pod.resolve(a)
    }
    _ = pod.resolve(a)
    #expect(log.lines == ["build a()"])
  }

  @Test("R34 an observation that is canceled, twice too, never ends another, which may have the same address")
  func observationsOfOneAddress() {
    let (first, second, third) = (EventLog(), EventLog(), EventLog())
    let pod = Pod("shop")
    let a = Provider("a", scope: .alwaysCreateNew) { _ in 1 }
    pod.addObserver(first)
    for _ in 0..<10 { pod.addObserver(second).cancel() }
    let canceled = pod.addObserver(second)
    canceled.cancel()
    pod.addObserver(third)
    canceled.cancel()
    _ = pod.resolve(a)
    #expect(first.lines == ["build a()"])
    #expect(second.lines == [])
    #expect(third.lines == ["build a()"])
  }

  @Test("R34 an observer is released with its observation")
  func releasedObserver() {
    weak var observer: EventLog?
    let pod = Pod("shop")
    do {
      let log = EventLog()
      observer = log
      pod.addObserver(log).cancel()
    }
    #expect(observer == nil)
  }

  @Test("R28 builds of every kind are told", arguments: ProviderKind.allCases)
  func everyKind(_ kind: ProviderKind) async throws {
    let log = EventLog()
    let pod = Pod("shop", observers: [log])
    let dep = Plant.leaf(kind, "dep")
    let p = dep.dependent("p")
    _ = try await p.resolve(in: pod)
    await eventually("both are told") { log.lines.count == 2 }
    #expect(log.lines == ["build dep()", "build p(dep)"])
    await pod.shutdown()
    await eventually("both are told") { log.lines.count == 4 }
    #expect(log.lines.suffix(2) == ["dispose p", "dispose dep"])
  }

  @Test("R28 a later observer hears from then on, and each hears everything")
  func several() {
    let first = EventLog()
    let second = EventLog()
    let pod = Pod("shop", observers: [first])
    let a = Provider("a", scope: .alwaysCreateNew) { _ in 1 }
    _ = pod.resolve(a)
    pod.addObserver(second)
    _ = pod.resolve(a)
    #expect(first.lines.count == second.lines.count + 1)
    pod.overrideProvider(a) { _ in 2 }
    #expect(first.lines.last == "override a")
    #expect(second.lines.last == "override a")
  }

  @Test("R28 events go to the observers of the pod in which they happen and of its parents")
  func parents() {
    let ofRoot = EventLog()
    let ofChild = EventLog()
    let ofSibling = EventLog()
    let root = Pod("root", observers: [ofRoot])
    let a = Provider("a") { _ in 1 }
    let b = Provider("b") { $0.resolve(a) }
    let shared = Provider("shared") { _ in 1 }
    let child = root.makeChild("child", observers: [ofChild]) { $0.overrideProvider(a) { _ in 2 } }
    _ = root.makeChild("sibling", observers: [ofSibling]).resolve(shared)
    _ = child.resolve(b)
    _ = root.resolve(b)
    #expect(ofChild.placedLines.filter { $0.contains("build") } == ["child: build a()", "child: build b(a)"])
    #expect(
      ofRoot.placedLines.filter { $0.contains("build") } == [
        "root: build shared()", "child: build a()", "child: build b(a)", "root: build a()", "root: build b(a)",
      ])
    #expect(ofSibling.lines.filter { $0.contains("a") && $0.hasPrefix("build ") }.allSatisfy { $0 == "build shared()" })
    child.dispose()
    #expect(ofRoot.lines.suffix(2) == ["dispose b", "dispose a"])
    #expect(ofChild.lines.suffix(2) == ["dispose b", "dispose a"])
  }

  @Test("R9 R28 an observer may resolve, clear, override and use other threads from within an event")
  func callsBack() async throws {
    let setting = Provider("setting") { _ in "setting" }
    let extra = Provider("extra", scope: OwnedScope()) { $0.resolve(setting) }
    let isBusy = Locked(false)
    let log = EventLog { pod, event in
      guard case .build(let info, _, _) = event, info.name == "p" else { return }
      guard
        isBusy.withLock({ old in
          defer { old = true }
          return !old
        })
      else { return }
      // A lock that were held here would keep the other thread from ever ending.
      let elsewhere = Worker { pod.resolve(extra) }
      #expect((try? elsewhere.join()) == "setting")
      pod.overrideProvider(setting, withValue: "override")
      #expect(pod.resolve(extra) == "override")
      pod.clearCachedInstances(forScope: OwnedScope())
      pod.removeAllOverrides()
      pod.addObserver(EventLog())
      _ = pod.graph
    }
    let p = Provider("p") { $0.resolve(setting) }
    let answer = try await blocking {
      let pod = Pod("shop", observers: [log])
      return pod.resolve(p) + pod.resolve(extra)
    }
    #expect(answer == "settingsetting")
    #expect(log.lines.contains("override setting"))
    #expect(log.lines.contains("remove override setting"))
    #expect(log.lines.filter { $0 == "build extra(setting)" }.count == 3)
  }

  @Test("R14 R28 when an async resolve returns, the observers have heard of the build or of the failure")
  func heardBeforeTheReturn() async throws {
    let heard = Log<String>()
    let log = EventLog { _, event in
      // Were the others told by now, they would be faster.
      usleep(20_000)
      if case .build = event { heard.append("build") } else { heard.append("fail") }
    }
    let pod = Pod("shop", observers: [log])
    for event in ["build", "fail"] {
      let waiting = AsyncGate()
      let provider = AsyncProvider(event) { _ in
        await waiting.wait()
        if event == "fail" { throw Boom() }
        return 1
      }
      let tasks = (0..<4).map { _ in Task { _ = try? await pod.resolve(provider) } }
      await eventually("all wait") {
        pod.waiterCount(of: provider) == 4
      }
      waiting.open()
      for task in tasks {
        await task.value
        #expect(heard.entries.contains(event))
      }
    }
    #expect(heard.entries == ["build", "fail"])
  }

  @Test(
    "R9 R14 R28 an observer may wait for what is just being built from what it hears of, by a detached task too",
    arguments: [false, true])
  func waitsForDependents(isDetached: Bool) async throws {
    // In a process of its own, where no other test needs the thread that the observer blocks.
    await #expect(processExitsWith: .success) { [isDetached] in
      let (started, finish) = (AsyncGate(), AsyncGate())
      let base = AsyncProvider("base") { _ in
        started.open()
        await finish.wait()
        return 1
      }
      let whole = AsyncProvider("whole") { pod in
        guard isDetached else { return try await pod.resolve(base) + 1 }
        return try await Task.detached { try await pod.resolve(base) }.value + 1
      }
      let wholes = Log<Int>()
      let pod = Pod("shop")
      pod.addObserver(
        EventLog { _, event in
          guard case .build(let info, _, _) = event, info.name == "base" else { return }
          let isDone = Gate()
          Task.detached {
            if let value = try? await pod.resolve(whole) { wholes.append(value) }
            isDone.open()
          }
          isDone.wait()
        })
      let asked = Task { try await pod.resolve(whole) }
      await started.wait()
      finish.open()
      let answer = try? await asked.value
      #expect(answer == 2)
      await eventually("the observer has its answer") { wholes.entries == [2] }
    }
  }

  private actor Place {
    func label(of provider: AsyncProvider<Part>, in pod: Pod) async throws -> String {
      try await pod.resolve(provider).label
    }

    func visit() {}
  }

  @Test("R14 R28 a task that is cancelled while observers hear of the build leaves, and loses nothing")
  func cancelledMeanwhile() async throws {
    let census = Census()
    let asked = Locked<Task<String, any Error>?>(nil)
    let finish = AsyncGate()
    let pod = Pod(
      "shop",
      observers: [
        EventLog { _, event in
          if case .build = event { asked.withLock { $0?.cancel() } }
        }
      ])
    let provider = AsyncProvider("p") { _ in
      await finish.wait()
      return Part("p", in: census)
    }
    let place = Place()
    let task = Task { try await place.label(of: provider, in: pod) }
    asked.withLock { $0 = task }
    await eventually("the builder runs") { finish.arrived == 1 }
    // Nothing else runs there until the task waits: one that comes to wait later would find the answer.
    await place.visit()
    finish.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    await eventually("it is kept all the same") { pod.isCached(provider) }
    await pod.shutdown()
    await eventually("the instance has gone") { census.alive == 0 }
  }

  @Test("R28 the events of one provider come in their order, from any number of threads")
  func orderPerProvider() async throws {
    let log = EventLog()
    let pod = Pod("shop", observers: [log])
    let providers = (0..<4).map { index in Provider("p\(index)", scope: OwnedScope()) { _ in index } }
    try await runThreads(4) { thread in
      for turn in 0..<rounds(2_000) {
        _ = pod.resolve(providers[(turn + thread) % 4])
        if turn.isMultiple(of: 5) { pod.clearCachedInstances(forScope: OwnedScope()) }
      }
    }
    pod.clearCachedInstances(forScope: OwnedScope())
    func isInOrder() -> Bool {
      (0..<4).allSatisfy { index in
        let own = log.lines.filter { $0 == "build p\(index)()" || $0 == "dispose p\(index)" }
        // A new instance may be built while the hook of the one before is still to come, so more than one may be alive.
        var alive = 0
        return own.allSatisfy { line in
          alive += line.hasPrefix("build") ? 1 : -1
          return alive >= 0
        } && alive == 0
      }
    }
    await eventually("all is told") {
      log.lines.filter { $0.hasPrefix("build") }.count == log.lines.filter { $0.hasPrefix("dispose") }.count
    }
    #expect(isInOrder())
  }

  @Test("R28 a build's duration covers what it resolved")
  func durations() {
    let times = Log<(String, Duration)>()
    let log = EventLog { _, event in
      if case .build(let info, let duration, _) = event { times.append((info.name, duration)) }
    }
    let pod = Pod("shop", observers: [log])
    let a = Provider("a") { _ in (0..<20_000).reduce(0, +) }
    let b = Provider("b") { $0.resolve(a) }
    _ = pod.resolve(b)
    #expect(times.entries.map(\.0) == ["a", "b"])
    #expect(times.entries[0].1 > .zero)
    #expect(times.entries[1].1 >= times.entries[0].1)
  }

  @Test("R27 R28 once the last reference to a pod is gone, no events are sent")
  func afterPod() {
    let log = EventLog()
    let hooks = Counter()
    let kept = Provider("b") { _ in
      1
    } onDispose: { _ in
      hooks.increment()
    }
    do {
      let pod = Pod("shop", observers: [log])
      _ = pod.resolve(
        Provider("a") { _ in
          1
        } onDispose: { _ in
          hooks.increment()
        })
      _ = pod.resolve(kept)
      _ = log.drain()
    }
    withExtendedLifetime(kept) {}
    #expect(hooks.value == 2)
    #expect(log.lines.filter { $0.contains("b") && !$0.hasPrefix("dispose a") } == [])
  }

  @Test("R18 R28 what happens in a block is told to the pod's observers")
  func blocks() {
    let log = EventLog()
    let pod = Pod("shop", observers: [log])
    let a = Provider("a") { _ in 1 }
    pod.withOverrides({ $0.overrideProvider(a) { _ in 2 } }) { _ = pod.resolve(a) }
    #expect(log.lines.contains("build a()"))
    #expect(log.lines.contains("dispose a"))
  }

  @Test("R28 a resolve does not deliver the events of others without end")
  func boundedDelivery() async {
    let transient = Provider("transient", scope: .alwaysCreateNew) { _ in 1 }
    let last = 2_000
    let count = Counter()
    // Each event causes the next while it is delivered, as those of other threads may.
    let pod = Pod(
      "shop", observers: [EventLog { pod, _ in if count.increment() < last { _ = pod.resolve(transient) } }])
    _ = pod.resolve(transient)
    #expect(count.value < last)
    await eventually("all events are delivered") { count.value == last }
  }

  @Test("R28 a resolve hands over the events that others queued while one of its own was delivered")
  func boundedBatch() async {
    let transient = Provider("transient", scope: .alwaysCreateNew) { _ in 1 }
    let (all, own) = (Counter(), Counter())
    // The first event takes so long that many others are queued.
    func resolve() {
      let here = ObjectIdentifier(Thread.current)
      let pod = Pod(
        "shop",
        observers: [
          EventLog { pod, _ in
            if ObjectIdentifier(Thread.current) == here { own.increment() }
            if all.increment() == 1 { for _ in 0..<1_000 { _ = pod.resolve(transient) } }
          }
        ])
      _ = pod.resolve(transient)
    }
    resolve()
    #expect(own.value == 100)
    await eventually("all events are delivered") { all.value == 1_001 }
  }

  @Test("R28 a caller delivers what others queued, as long as no task has begun to")
  func deliveryWithoutTask() {
    let transient = Provider("transient", scope: .alwaysCreateNew) { _ in 1 }
    let family = Provider.family("member", scope: .alwaysCreateNew) { (_, index: Int) in index }
    let here = ObjectIdentifier(Thread.current)
    var isDeliveredHere = false
    // A task may be quicker than the later callers, but not each time.
    for _ in 0..<1_000 where !isDeliveredHere {
      let (all, own, names) = (Counter(), Counter(), Locked<[String]>([]))
      let pod = Pod(
        "shop",
        observers: [
          EventLog { pod, event in
            let number = all.increment()
            if case .build(let provider, _, _) = event { names.withLock { $0.append(provider.name) } }
            if number == 1 { for index in 0..<1_000 { _ = pod.resolve(family(index)) } }
            if (101...1_001).contains(number), ObjectIdentifier(Thread.current) == here { own.increment() }
          }
        ])
      for _ in 0..<20 { _ = pod.resolve(transient) }
      isDeliveredHere = own.value > 0
      let members = names.withLock { Array($0.dropFirst().prefix(200)) }
      #expect(members.count >= 99 && members == members.indices.map { "member(\($0))" })
    }
    #expect(isDeliveredHere)
  }

  @Test("R28 after a call that delivers 100 events, the next call delivers its event itself")
  func fullShare() {
    let transient = Provider("transient", scope: .alwaysCreateNew) { _ in 1 }
    for _ in 0..<20 {
      let count = Counter()
      let pod = Pod(
        "shop",
        observers: [
          EventLog { pod, _ in
            if count.increment() == 1 { for _ in 1..<100 { _ = pod.resolve(transient) } }
          }
        ])
      _ = pod.resolve(transient)
      #expect(count.value == 100)
      _ = pod.resolve(transient)
      #expect(count.value == 101)
    }
  }
}
