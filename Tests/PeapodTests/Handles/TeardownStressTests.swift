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
      let count = rounds(100_000)
      #expect(use(count / 5) == (isSeen ? count / 5 : 0))
      let before = residentBytes()
      #expect(use(count) == (isSeen ? count : 0))
      #expect(residentBytes() - before < 1 << 20)
    }
  }
}
