import Foundation
import Peapod
import Testing

/// Rule 27: hooks run once, dependents first and else latest first, on every way out.
@Suite(.timeLimit(.minutes(20))) struct TeardownOrderTests {
  enum WayOut: String, CaseIterable, Sendable {
    case clear, clearOfParentScope, clearOfEach, clearOfFamily, removedOverride, removedAllOverrides, overriddenAgain
    case droppedChild, disposedChild, endOfBlock, dispose, shutdown, shutdownOfScope, lastReference
  }

  /// Five providers with hooks, all built from a base without one: `low` below `middle` below `top`, a member of a
  /// family, and one that is built last.
  struct Tower: Sendable {
    let census = Census()
    let log = Log<String>()
    let base = Provider { _ in 0 }
    let providers: [Provider<Part>]
    let family: ProviderFamily<Provider<Part>, Int>

    /// - Parameter hook: Called by each hook after it has been noted.
    init(hook: @escaping @Sendable () -> Void = {}) {
      let (census, log, base) = (census, log, base)
      let note: @Sendable (Part) -> Void = {
        log.append($0.label)
        hook()
      }
      let family = Provider.family(
        "member", scope: OwnedScope(),
        { (pod: Pod, id: Int) in
          _ = pod.resolve(base)
          return Part("member\(id)", in: census)
        }, onDispose: note)
      func floor(_ label: String, on lower: [Provider<Part>]) -> Provider<Part> {
        Provider(
          label, scope: OwnedScope(),
          { pod in
            _ = pod.resolve(base)
            return Part(label, lower.map { pod.resolve($0) }, in: census)
          }, onDispose: note)
      }
      let low = floor("low", on: [])
      let middle = floor("middle", on: [low, family(1)])
      let top = floor("top", on: [low, middle])
      let last = floor("last", on: [low])
      providers = [top, last]
      self.family = family
    }

    func build(in pod: Pod) { for provider in providers { _ = pod.resolve(provider) } }

    /// Builds everything and lets it go in some way.
    func live(_ way: WayOut) async {
      let root = Pod("root")
      switch way {
      case .clear:
        build(in: root)
        root.clearCachedInstances(forScope: OwnedScope())
      case .clearOfParentScope:
        build(in: root)
        root.clearCachedInstances(forScope: OuterScope())
      case .clearOfEach:
        build(in: root)
        for name in ["last", "top", "middle", "member", "low"] { clear(name, in: root) }
      case .clearOfFamily:
        build(in: root)
        root.clearCachedInstances(of: family)
        root.dispose()
      case .removedOverride:
        root.overrideProvider(base) { _ in 1 }
        build(in: root)
        root.removeOverrideProvider(base)
      case .removedAllOverrides:
        root.overrideProvider(base, withValue: 1)
        build(in: root)
        root.removeAllOverrides()
      case .overriddenAgain:
        root.overrideProvider(base) { _ in 1 }
        build(in: root)
        root.overrideProvider(base) { _ in 2 }
      case .droppedChild: build(in: root.makeChild { $0.overrideProvider(base) { _ in 1 } })
      case .disposedChild:
        let child = root.makeChild { $0.overrideProvider(base) { _ in 1 } }
        build(in: child)
        child.dispose()
      case .endOfBlock: root.withOverrides({ _ in }) { build(in: root) }
      case .dispose:
        build(in: root)
        root.dispose()
      case .shutdown:
        build(in: root)
        await root.shutdown()
      case .shutdownOfScope:
        build(in: root)
        await root.shutdown(scope: OuterScope())
      case .lastReference: build(in: root)
      }
      if way != .lastReference && way != .droppedChild {
        #expect(log.count == 5, "\(way)")
        #expect(providers.allSatisfy { !root.isCached($0) }, "\(way)")
        #expect(census.alive == 0, "\(way)")
      }
    }

    private func clear(_ name: String, in pod: Pod) {
      switch name {
      case "top": pod.clearCachedInstance(of: providers[0])
      case "last": pod.clearCachedInstance(of: providers[1])
      case "member": pod.clearCachedInstance(of: family(1))
      default: pod.clearCachedInstances(forScope: OwnedScope())
      }
    }
  }

  @Test("R27 hooks run exactly once, dependents first, else latest first, on every way out", arguments: WayOut.allCases)
  func order(_ way: WayOut) async {
    let tower = Tower()
    await tower.live(way)
    #expect(tower.census.born == 5)
    #expect(tower.census.alive == 0)
    switch way {
    case .clearOfEach: #expect(tower.log.entries == ["last", "top", "middle", "member1", "low"])
    case .clearOfFamily: #expect(tower.log.entries == ["member1", "last", "top", "middle", "low"])
    default: #expect(tower.log.entries == ["last", "top", "middle", "member1", "low"])
    }
  }

  @Test(
    "R9 R27 a hook may resolve, clear, override and wait for other threads, on every way out",
    arguments: WayOut.allCases)
  func hooksCallBack(_ way: WayOut) async throws {
    let bystander = Pod("bystander")
    let outer = Tower()
    let other = Provider(scope: OwnedScope()) { _ in Part("other") }
    let calls = Counter()
    let acting = Locked(false)
    let tower = Tower {
      calls.increment()
      // A lock that were held here would keep the other thread from ever ending.
      let elsewhere = Worker {
        outer.build(in: bystander)
        bystander.clearCachedInstances(forScope: OwnedScope())
        return bystander.resolve(other)
      }
      #expect((try? elsewhere.join())?.label == "other")
      let isFirst = acting.withLock { isActing in
        defer { isActing = true }
        return !isActing
      }
      guard isFirst else { return }
      bystander.overrideProvider(other) { _ in Part("override") }
      _ = bystander.resolve(other)
      bystander.withOverrides({ _ in }) { outer.build(in: bystander) }
      bystander.removeOverrideProvider(other)
      bystander.dispose()
    }
    await tower.live(way)
    #expect(calls.value == 5)
    #expect(tower.log.count == 5)
    await eventually("all go") { tower.census.alive == 0 }
  }

  @Test("R27 a hook that resolves, clears and overrides in its own pod leaves everything disposed once")
  func hookUsesOwnPod() {
    let log = Log<String>()
    let census = Census()
    do {
      let pod = Pod()
      let setting = Provider { _ in Part("setting", in: census) }
      let other = Provider("other", scope: OwnedScope()) {
        Part("other", [$0.resolve(setting)], in: census)
      } onDispose: {
        log.append($0.recipe)
      }
      let p = Provider("p", scope: OwnedScope()) {
        Part("p", [$0.resolve(other)], in: census)
      } onDispose: {
        [unowned pod] in
        log.append($0.recipe)
        // The other one is being let go already, so this is a new one.
        log.append("sees \(pod.resolve(other).recipe)")
        pod.overrideProvider(setting) { _ in Part("mock", in: census) }
        log.append("sees \(pod.resolve(other).recipe)")
        pod.clearCachedInstances(forScope: OwnedScope())
        pod.removeAllOverrides()
      }
      _ = pod.resolve(p)
      pod.clearCachedInstances(forScope: OwnedScope())
      #expect(!pod.isCached(p) && !pod.isCached(other))
    }
    let entries = log.entries
    #expect(entries.first == "p(other(setting))")
    #expect(entries.filter { $0.hasPrefix("sees") } == ["sees other(setting)", "sees other(mock)"])
    #expect(entries.count { $0 == "other(setting)" } == 2)
    #expect(entries.count { $0 == "other(mock)" } == 1)
    #expect(entries.count == 6)
    #expect(census.alive == 0)
  }

  @Test("R27 what was given by value is not disposed, what an override built is")
  func givenValues() {
    let log = Log<String>()
    let pod = Pod()
    let p = Provider("p") { _ in
      "original"
    } onDispose: {
      log.append($0)
    }
    pod.overrideProvider(p, withValue: "given")
    _ = pod.resolve(p)
    pod.overrideProvider(p) { _ in "built" }
    _ = pod.resolve(p)
    pod.removeOverrideProvider(p)
    #expect(log.drain() == ["built"])
    pod.overrideProvider(p, withValue: "given again")
    _ = pod.resolve(p)
    pod.dispose()
    #expect(log.entries.isEmpty)
  }

  @Test("R15 R27 set-aside originals are disposed with the pod, once, and when their scope is cleared")
  func setAsideOriginals() {
    let log = Log<String>()
    let census = Census()
    let dep = Provider { _ in "dep" }
    let p = Provider("p", scope: OwnedScope()) {
      Part($0.resolve(dep), in: census)
    } onDispose: {
      log.append($0.label)
    }
    for way in ["dispose", "last reference", "clear"] {
      do {
        let pod = Pod()
        _ = pod.resolve(p)
        pod.overrideProvider(dep, withValue: "mock")
        _ = pod.resolve(p)
        #expect(log.entries.isEmpty)
        if way == "dispose" { pod.dispose() }
        if way == "clear" {
          pod.clearCachedInstances(forScope: OwnedScope())
          pod.removeAllOverrides()
          #expect(!pod.isCached(p))
        }
      }
      #expect(log.drain().sorted() == ["dep", "mock"], "\(way)")
      #expect(census.alive == 0)
    }
  }

  @Test("R27 a pod is usable after dispose: it starts afresh, with its overrides")
  func usableAfterDispose() {
    let log = Log<String>()
    let pod = Pod()
    let p = Provider("p") { _ in
      Part("p")
    } onDispose: {
      log.append($0.label)
    }
    let first = pod.resolve(p)
    for count in 1...3 {
      pod.dispose()
      #expect(log.count == count)
      #expect(!pod.isCached(p))
      #expect(pod.resolve(p) !== first)
    }
  }

  @Test("R26 R27 a holder that was built again is disposed before what its handle leads to", arguments: [false, true])
  func holderAfterClear(clearsTargetAlone: Bool) {
    final class Holder: Sendable {
      let target: @Sendable () -> String
      init(_ target: @escaping @Sendable () -> String) { self.target = target }
    }
    let order = Log(of: String.self)
    let pod = Pod()
    let target = Provider(scope: OwnedScope()) { _ in
      "target"
    } onDispose: {
      order.append($0)
    }
    let holder = Provider(scope: OuterScope()) {
      Holder($0.factory(target))
    } onDispose: { _ in
      order.append("holder")
    }
    // Keeps the record of the first holder, as anything that was built from it does.
    let other = Provider { pod in
      _ = pod.resolve(holder)
      return 1
    }
    _ = pod.resolve(other)
    for _ in 0..<3 {
      _ = pod.resolve(holder).target()
      if clearsTargetAlone {
        pod.clearCachedInstances(forScope: OwnedScope())
        #expect(order.drain() == ["target"])
        _ = pod.resolve(holder).target()
      }
      pod.clearCachedInstances(forScope: OuterScope())
      #expect(order.drain() == ["holder", "target"])
    }
    withExtendedLifetime(other) {}
  }

  @Test("R27 a dispose returns after all synchronous closures, although an asynchronous one ends meanwhile")
  func allSynchronousClosures() async throws {
    let log = Log<String>()
    let begun = AsyncGate()
    let first = Provider { _ in
      Part("first")
    } onDispose: { _ in
      Thread.sleep(forTimeInterval: 0.05)
      log.append("first")
    }
    let second = Provider { _ in
      Part("second")
    } onDispose: { _ in
      begun.open()
      Thread.sleep(forTimeInterval: 0.05)
      log.append("second")
    }
    let third = AsyncProvider { _ in
      Part("third")
    } onDispose: { _ in
      await begun.wait()
    }
    let pod = Pod()
    _ = pod.resolve(first)
    _ = pod.resolve(second)
    _ = try await pod.resolve(third)
    let seen = try await blocking {
      pod.dispose()
      return log.entries
    }
    #expect(seen == ["second", "first"])
  }

  @Test("R27 what another pod answers for an instance of the root is disposed after the dependents of that instance")
  func answeredByOtherPod() {
    let log = Log<String>()
    let (ofFirst, ofSecond) = (Provider { _ in 0 }, Provider { _ in 0 })
    let root = Pod("root")
    let first = root.makeChild("first") { $0.overrideProvider(ofFirst, withValue: 1) }
    let second = root.makeChild("second") { $0.overrideProvider(ofSecond, withValue: 1) }
    let part = Provider(
      "part", scope: OwnedScope(), { $0.resolve(ofSecond) }, onDispose: { _ in log.append("part") })
    let shared = Provider("shared") { _ in second.lazy(part) }
    let user = Provider(
      "user", scope: OwnedScope(), { pod in (pod.resolve(ofFirst), pod.resolve(shared)) },
      onDispose: { _ in log.append("user") })
    _ = root.resolve(shared)
    _ = first.resolve(user)
    _ = second.resolve(part)
    root.clearCachedInstances(forScope: OwnedScope())
    #expect(log.entries == ["user", "part"])
  }
}
