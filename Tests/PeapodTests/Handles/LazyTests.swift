import Peapod
import Testing

/// Rule 23: `Lazy`.
@Suite(.timeLimit(.minutes(20))) struct LazyTests {
  @Test("R19 R26 a factory that the closure of a lazy makes counts for the builder around the lazy")
  func factoryInClosure() {
    struct Panel: Sendable { let make: @Sendable () -> String }
    let item = Provider { _ in "live" }
    let screen = Provider { pod in Lazy { Panel(make: pod.factory(item)) }.value }
    let root = Pod("root")
    _ = root.resolve(screen)
    let child = root.makeChild { $0.overrideProvider(item, withValue: "mock") }
    #expect(child.resolve(screen).make() == "mock")
    #expect(root.resolve(screen).make() == "live")
  }

  @Test("R23 a lazy resolves at the first value and keeps it")
  func firstValue() {
    let pod = Pod()
    let built = Counter()
    let p = Provider(scope: .alwaysCreateNew) { _ in
      built.increment()
      return Part("p")
    }
    let lazy = pod.lazy(p)
    #expect(!lazy.isResolved)
    #expect(built.value == 0)
    let first = lazy.value
    #expect(lazy.isResolved)
    #expect(lazy.value === first)
    #expect(built.value == 1)
    #expect(pod.lazy(p).value !== first)
  }

  @Test("R15 R23 R26 a hidden holder is also hidden by what its lazy was built from", arguments: [false, true])
  func hiddenTwice(isSameProvider: Bool) {
    let (one, two) = (Provider("one") { _ in 1 }, Provider("two") { _ in 2 })
    let sum = Provider("sum") { $0.resolve(one) + $0.resolve(two) }
    let holder = Provider("holder") { $0.lazy(sum) }
    let pod = Pod()
    let original = pod.resolve(holder)
    #expect(original.value == 3)
    pod.overrideProvider(one, withValue: 10)
    if isSameProvider {
      pod.overrideProvider(one, withValue: 20)
      #expect(pod.resolve(holder).value == 22)
    } else {
      pod.overrideProvider(two, withValue: 20)
      pod.removeOverrideProvider(one)
      #expect(pod.resolve(holder).value == 21)
    }
    pod.removeAllOverrides()
    #expect(pod.resolve(holder) === original)
    #expect(original.value == 3)
  }

  @Test("R23 a lazy needs no pod")
  func withoutPod() {
    let built = Counter()
    let lazy = Lazy { built.increment() }
    #expect(!lazy.isResolved)
    #expect(lazy.value == 1)
    #expect(lazy.value == 1)
    lazy.dispose()
    #expect(!lazy.isResolved)
    #expect(lazy.value == 2)
  }

  @Test("R23 a lazy of nil is resolved")
  func nilValue() {
    let built = Counter()
    let lazy = Lazy<Int?> {
      built.increment()
      return nil
    }
    #expect(lazy.value == nil)
    #expect(lazy.value == nil)
    #expect(lazy.isResolved)
    #expect(built.value == 1)
  }

  @Test("R23 a lazy built by 16 threads at once runs its builder once")
  func sixteenThreads() async throws {
    for _ in 0..<rounds(500) {
      let built = Counter()
      let pod = Pod()
      let p = Provider(scope: .alwaysCreateNew) { _ in
        built.increment()
        return Part("p")
      }
      let ofPod = pod.lazy(p)
      let free = Lazy {
        built.increment()
        return Part("free")
      }
      let seen = try await runThreads(16) { _ in [ofPod.value, free.value] }
      #expect(built.value == 2)
      #expect(seen.allSatisfy { $0[0] === seen[0][0] && $0[1] === seen[0][1] })
    }
  }

  @Test("R23 a lazy survives the clear of its provider's scope, and resolves again after dispose")
  func survivesClear() {
    let pod = Pod()
    let p = Provider(scope: OwnedScope()) { _ in Part("p") }
    let lazy = pod.lazy(p)
    let first = lazy.value
    #expect(pod.resolve(p) === first)
    pod.clearCachedInstances(forScope: OwnedScope())
    #expect(lazy.value === first)
    let second = pod.resolve(p)
    #expect(second !== first)
    lazy.dispose()
    #expect(!lazy.isResolved)
    #expect(lazy.value === second)
  }

  @Test("R23 a disposed lazy lets its value go")
  func disposeReleases() {
    let census = Census()
    let lazy = Lazy { Part("p", in: census) }
    _ = lazy.value
    #expect(census.alive == 1)
    lazy.dispose()
    #expect(census.alive == 0)
    lazy.dispose()
    #expect(census.born == 1)
  }

  @Test("R23 a lazy that is disposed and read by many threads never breaks")
  func disposeRaces() async throws {
    let census = Census()
    do {
      let lazy = Lazy { Part("p", in: census) }
      let labels = try await runThreads(4) { thread in
        (0..<rounds(50_000)).allSatisfy { turn in
          if (turn + thread).isMultiple(of: 7) { lazy.dispose() }
          return lazy.value.label == "p"
        }
      }
      #expect(labels.allSatisfy { $0 })
      lazy.dispose()
    }
    await eventually("all go") { census.alive == 0 }
  }

  @Test("R23 a lazy made outside of builders answers with what counts at its first value")
  func overrideBeforeValue() {
    let pod = Pod()
    let p = Provider { _ in "p" }
    let lazy = pod.lazy(p)
    pod.overrideProvider(p, withValue: "override")
    #expect(lazy.value == "override")
    pod.removeOverrideProvider(p)
    #expect(lazy.value == "override")
    lazy.dispose()
    #expect(lazy.value == "p")
  }

  @Test("R9 R23 a lazy's builder may read other lazies and use pods, on other threads too")
  func builderCallsBack() async throws {
    let pod = Pod()
    let p = Provider { _ in Part("p") }
    let inner = Lazy { pod.resolve(p) }
    let outer = Lazy {
      let elsewhere = Worker { pod.resolve(p) }
      return [inner.value, (try? elsewhere.join()) ?? Part("stuck")]
    }
    let seen = try await blocking { outer.value }
    #expect(seen[0] === seen[1])
  }

  @Test("R12 R23 a lazy whose builder reads it is reported and does not hang")
  func selfReading() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let back = Locked<Lazy<Int>?>(nil)
      let lazy = Lazy { back.withLock { $0 }!.value + 1 }
      back.withLock { $0 = lazy }
      _ = lazy.value
    }
    #expect(result?.errorText.isEmpty == false)
  }

  @Test("R11 R26 what holds a lazy is built again when what the lazy stands for is overridden")
  func followsOverrides() {
    final class Holder: Sendable {
      let lazy: Lazy<Part>
      init(_ lazy: Lazy<Part>) { self.lazy = lazy }
    }
    let pod = Pod()
    let deep = Provider { _ in Part("deep") }
    let dep = Provider { Part("dep", [$0.resolve(deep)]) }
    let holder = Provider { Holder($0.lazy(dep)) }
    for isUsedBefore in [false, true] {
      let before = pod.resolve(holder)
      if isUsedBefore { #expect(before.lazy.value.recipe == "dep(deep)") }
      pod.overrideProvider(dep) { _ in Part("mock") }
      let during = pod.resolve(holder)
      #expect(during !== before)
      #expect(during.lazy.value.recipe == "mock")
      pod.removeOverrideProvider(dep)
      #expect(pod.resolve(holder) === before)
      #expect(before.lazy.value.recipe == "dep(deep)")
    }
  }
}
