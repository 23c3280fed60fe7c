import Foundation
import Peapod
import Testing

/// Rule 27 under races, on the main actor, and by the million.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TeardownStressTests {
  /// Where an instance of the main actor was disposed and let go.
  private final class Farewell: Sendable {
    let log: Log<Bool>
    init(_ log: Log<Bool>) { self.log = log }
    deinit { log.append(MainQueueMark.isCurrent) }
  }

  @Test("R27 a main-actor instance is disposed and let go on the main actor, wherever the teardown runs")
  func mainActor() async throws {
    for way in ["dispose", "clear", "drop", "remove", "child"] {
      let hooks = Log<Bool>()
      let ends = Log<Bool>()
      let setting = Provider { _ in 0 }
      let p = MainActorProvider(scope: OwnedScope()) { pod in
        _ = pod.resolve(setting)
        return Farewell(ends)
      } onDispose: { _ in
        MainActor.assertIsolated()
        hooks.append(MainQueueMark.isCurrent)
      }
      let plain = MainActorProvider(scope: OwnedScope()) { pod in
        _ = pod.resolve(setting)
        return Farewell(ends)
      }
      let pod = Locked<Pod?>(Pod("root"))
      if way == "remove" { pod.withLock { $0?.overrideProvider(setting, withValue: 1) } }
      if way == "child" { pod.withLock { $0 = $0?.makeChild { $0.overrideProvider(setting, withValue: 1) } } }
      await MainActor.run {
        let pod = pod.withLock { $0 }
        _ = pod?.resolve(p)
        _ = pod?.resolve(plain)
      }
      try await blocking {
        #expect(!MainQueueMark.isCurrent)
        let last = pod.withLock { pod in
          defer { pod = nil }
          return pod
        }
        switch way {
        case "dispose": last?.dispose()
        case "clear": last?.clearCachedInstances(forScope: OwnedScope())
        case "remove": last?.removeOverrideProvider(setting)
        default: break
        }
      }
      await eventually("both are let go") { ends.count == 2 }
      #expect(ends.entries == [true, true], "\(way)")
      #expect(hooks.entries == [true], "\(way)")
    }
  }

  @Test("R27 threads that resolve, clear, override, dispose and drop at once dispose each instance exactly once")
  func races() async throws {
    let born = Counter()
    let disposed = Log<Int>()
    let census = Census()
    final class Numbered: Sendable {
      let number: Int
      private let token: Part
      init(_ number: Int, in census: Census) {
        self.number = number
        token = Part("", in: census)
      }
    }
    for _ in 0..<rounds(100) {
      let pod = Pod()
      let dep = Provider { _ in 0 }
      let low = Provider(
        "low", scope: OwnedScope(),
        { pod in
          _ = pod.resolve(dep)
          return Numbered(born.increment(), in: census)
        }, onDispose: { disposed.append($0.number) })
      let top = Provider(
        "top",
        { pod in
          _ = pod.resolve(low)
          return Numbered(born.increment(), in: census)
        }, onDispose: { disposed.append($0.number) })
      try await runThreads(6) { thread in
        for turn in 0..<50 {
          switch thread {
          case 0, 1: _ = pod.resolve(top)
          case 2: pod.clearCachedInstances(forScope: OwnedScope())
          case 3:
            pod.overrideProvider(dep, withValue: turn)
            _ = pod.resolve(top)
            pod.removeOverrideProvider(dep)
          case 4:
            let child = pod.makeChild(owning: [OwnedScope()])
            _ = child.resolve(top)
          default:
            if turn.isMultiple(of: 10) { pod.dispose() }
            _ = pod.resolve(low)
          }
        }
      }
    }
    await eventually("every instance is let go") { census.alive == 0 }
    #expect(disposed.count == born.value)
    #expect(Set(disposed.entries).count == born.value)
  }

  @Test("R11 R27 dispose against builds: nothing goes before what was built from it, or was just being built from it")
  func disposeAgainstBuilds() async throws {
    final class Whole: Sendable {
      let parts: [Whole]
      private let isDisposed = Locked(false)
      init(_ parts: [Whole] = []) { self.parts = parts }

      /// Its hook; returns whether all is in order.
      func dispose() -> Bool {
        isDisposed.withLock { $0 = true }
        return parts.allSatisfy { part in part.isDisposed.withLock { !$0 } }
      }
    }
    let orderly = Log<Bool>()
    let hook: @Sendable (Whole) -> Void = { orderly.append($0.dispose()) }
    let asyncHook: @Sendable (Whole) async -> Void = { whole in
      await Task.yield()
      hook(whole)
    }
    let builds = Counter()
    let base = Provider("base", { _ in Whole() }, onDispose: hook)
    let middle = Provider("middle", scope: OwnedScope(), { Whole([$0.resolve(base)]) }, onDispose: hook)
    let transient = Provider("transient", scope: .alwaysCreateNew) { Whole([$0.resolve(middle)]) }
    let failing = ThrowingProvider<Whole>(
      "failing",
      { pod in
        let parts = [pod.resolve(middle), pod.resolve(base)]
        if builds.increment().isMultiple(of: 3) { throw Stuck("expected") }
        return Whole(parts)
      }, onDispose: hook)
    let top = AsyncProvider(
      "top",
      { pod in
        let parts = pod.resolve(transient).parts
        await Task.yield()
        return Whole(parts + [pod.resolve(base)])
      }, onDispose: asyncHook)
    let pod = Pod()
    let turns = rounds(1_000)
    let isOver = Locked(false)
    async let threads: [Void] = runThreads(3) { thread in
      while !isOver.withLock({ $0 }) {
        switch thread {
        case 0: pod.dispose()
        case 1: _ = try? pod.resolve(failing)
        default: _ = pod.makeChild(owning: [OwnedScope()]).resolve(transient)
        }
      }
    }
    for _ in 0..<turns {
      _ = try await pod.resolve(top)
      await pod.shutdown()
    }
    isOver.withLock { $0 = true }
    _ = try await threads
    await pod.shutdown()
    #expect(!orderly.entries.contains(false) && orderly.count > turns)
  }

  @Test("R27 dispose against readers: no instance is lost, none is dead, none stays")
  func disposeAgainstReaders() async throws {
    let census = Census()
    do {
      let pod = Pod()
      let p = Provider { _ in Part("p", in: census) }
      let scoped = Provider(scope: OwnedScope()) { _ in Part("scoped", in: census) }
      let turns = rounds(100_000)
      let isFine = try await runThreads(4) { thread in
        (0..<turns).allSatisfy { turn in
          if thread == 0 {
            if turn.isMultiple(of: 2) { pod.dispose() } else { pod.clearCachedInstances(forScope: OwnedScope()) }
          }
          return pod.resolve(p).label == "p" && pod.resolve(scoped).label == "scoped"
            && pod.withResolved(p) { $0.label == "p" }
        }
      }
      #expect(isFine.allSatisfy { $0 })
    }
    await eventually("all go") { census.alive == 0 }
  }

  @Test(
    "R27 1,000,000 locally declared providers, resolved and dropped, leave memory flat",
    .disabled(if: keepsFreedMemory))
  func million() async {
    // In a process of its own, where no other test uses memory at the same time.
    await #expect(processExitsWith: .success) {
      let census = Census()
      let hooks = Counter()
      let pod = Pod()
      let shared = Provider { _ in Part("shared", in: census) }
      let kept = pod.resolve(shared)
      func declare(_ count: Int) {
        for number in 0..<count {
          let local = Provider {
            Part("local", [$0.resolve(shared)], in: census)
          } onDispose: { _ in
            hooks.increment()
          }
          let scoped = Provider(scope: OwnedScope()) { Part("scoped", [$0.resolve(local)], in: census) }
          if number.isMultiple(of: 2) { _ = pod.resolve(local) } else { _ = pod.resolve(scoped) }
        }
      }
      declare(20_000)
      let before = residentBytes()
      let count = rounds(1_000_000)
      declare(count)
      #expect(residentBytes() - before < 8 << 20)
      // The last ones linger.
      #expect(census.alive < 1_000)
      #expect(hooks.value > 19_000 + count)
      #expect(pod.graph.nodes.count < 1_000)
      #expect(pod.resolve(shared) === kept)
      pod.dispose()
      #expect(census.alive == 1)
      #expect(hooks.value == 20_000 + count)
    }
  }

  @Test("R27 a chain of 20,000 instances that nothing names any longer ends with what was built from it")
  func unnamedChain() {
    let census = Census()
    let pod = Pod()
    let latest = Locked<Provider<Part>?>(nil)
    for number in 0..<20_000 {
      let next = Provider { pod -> Part in
        let previous = latest.withLock { $0 }
        return Part("\(number)", previous.map { [pod.resolve($0)] } ?? [], in: census)
      }
      _ = pod.resolve(next)
      latest.withLock { $0 = next }
    }
    let top = Provider(scope: OwnedScope()) { pod in Part("top", [pod.resolve(latest.withLock { $0 }!)], in: census) }
    _ = pod.resolve(top)
    latest.withLock { $0 = nil }
    // What is left of the last ones goes when as many others have come to that.
    for _ in 0..<300 {
      let other = Provider { _ in 1 }
      _ = pod.resolve(other)
    }
    #expect(census.alive == 20_001)
    pod.clearCachedInstances(forScope: OwnedScope())
    #expect(census.alive == 0)
  }

  @Test("R27 a local provider that something else was built from is kept for that, and goes with it")
  func localDependency() {
    let census = Census()
    let log = Log<String>()
    let pod = Pod()
    func page() -> Provider<Part> {
      let local = Provider("local") { _ in
        Part("local", in: census)
      } onDispose: {
        log.append($0.label)
      }
      return Provider("page", scope: OwnedScope()) {
        Part("page", [$0.resolve(local)], in: census)
      } onDispose: {
        log.append($0.label)
      }
    }
    let provider = page()
    #expect(pod.resolve(provider).recipe == "page(local)")
    #expect(log.entries.isEmpty)
    pod.clearCachedInstances(forScope: OwnedScope())
    #expect(pod.resolve(provider).recipe == "page(local)")
    pod.dispose()
    #expect(census.alive == 0)
    #expect(log.entries.filter { $0 == "page" }.count == 2)
    #expect(log.entries.last == "local")
  }

  @Test(
    "R3 R28 what is recorded of a transient does not grow with its builds", .disabled(if: keepsFreedMemory),
    arguments: [false, true])
  func transientRecords(isInChild: Bool) async {
    await #expect(processExitsWith: .success) { [isInChild] in
      struct Quiet: PodObserver {
        func pod(_ pod: Pod, did event: PodEvent) {}
      }
      let root = Pod("root", observers: isInChild ? [] : [Quiet()])
      let setting = Provider { _ in 1 }
      let pod = isInChild ? root.makeChild { $0.overrideProvider(setting, withValue: 2) } : root
      let shared = Provider(scope: .graph) { Part("\($0.resolve(setting))") }
      let weak = Provider(scope: .weak) { Part("\($0.resolve(setting))") }
      let scoped = Provider(scope: OwnedScope()) { Part("\($0.resolve(setting))") }
      let fresh = Provider(scope: .alwaysCreateNew) { pod in
        Part("fresh", [pod.resolve(shared), pod.resolve(weak), pod.resolve(scoped)])
      }
      func use(_ count: Int) {
        for _ in 0..<count {
          _ = pod.resolve(fresh)
          pod.clearCachedInstances(forScope: OwnedScope())
        }
      }
      use(1_000)
      let before = residentBytes()
      use(5_000)
      #expect(residentBytes() - before < 2 << 20)
      #expect(pod.graph.edges.count >= 6)
    }
  }

  @Test(
    "R10 R18 what a child that overrides something knows of its parent's instances does not grow with those that go",
    .disabled(if: keepsFreedMemory), arguments: [false, true])
  func knowledgeOfTheParent(isSeen: Bool) async {
    await #expect(processExitsWith: .success) { [isSeen] in
      let setting = Provider(scope: OwnedScope()) { _ in 1 }
      let scoped = Provider(scope: OwnedScope()) { Part("\($0.resolve(setting))") }
      let parent = Pod("parent")
      let numbers = (0..<64).map { number in Provider("\(number)") { _ in number } }
      let child = parent.makeChild("child") { child in
        if isSeen {
          // Some of these share a bit with what is asked for, which is looked at then, and seen.
          for number in numbers { child.overrideProvider(number, withValue: 0) }
        } else {
          child.overrideProvider(setting, withValue: 2)
        }
      }
      func use(_ count: Int) -> Int {
        var sharing = 0
        for _ in 0..<count {
          let above = parent.resolve(scoped)
          if child.resolve(scoped) === above { sharing += 1 }
          parent.clearCachedInstances(forScope: OwnedScope())
        }
        return sharing
      }
      #expect(use(20_000) == (isSeen ? 20_000 : 0))
      let before = residentBytes()
      #expect(use(100_000) == (isSeen ? 100_000 : 0))
      #expect(residentBytes() - before < 1 << 20)
    }
  }
}
