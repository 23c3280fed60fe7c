import Peapod
import Testing

private final class Chicken: Sendable {
  let egg: Lazy<Egg>
  init(_ egg: Lazy<Egg>) { self.egg = egg }
}

private final class Egg: Sendable {
  let chicken: Chicken
  init(_ chicken: Chicken) { self.chicken = chicken }
}

// A loop is declared by annotating one `let`, which marks the place.
private let chickenProvider: Provider<Chicken> = Provider("chicken") { Chicken($0.lazy(eggProvider)) }
private let eggProvider = Provider("egg") { Egg($0.resolve(chickenProvider)) }

private final class Parent: Sendable {
  let makeChild: @Sendable () -> Child
  init(_ makeChild: @escaping @Sendable () -> Child) { self.makeChild = makeChild }
}

private final class Child: Sendable {
  let parent: Parent
  init(_ parent: Parent) { self.parent = parent }
}

private let parentProvider: Provider<Parent> = Provider("parent") { Parent($0.factory(childProvider)) }
private let childProvider = Provider("child", scope: .alwaysCreateNew) { Child($0.resolve(parentProvider)) }

private let firstProvider: Provider<Part> = Provider("first", scope: OwnedScope()) { pod in
  _ = pod.lazy(secondProvider)
  return Part("first")
}
private let secondProvider = Provider("second", scope: OwnedScope()) { pod in
  Part("second", [pod.resolve(firstProvider)])
}
private let hookedFirstProvider: Provider<Part> = Provider("first", scope: OwnedScope()) { pod in
  _ = pod.lazy(hookedSecondProvider)
  return Part("first")
} onDispose: {
  _ = $0
}
private let hookedSecondProvider: Provider<Part> = Provider("second", scope: OwnedScope()) { pod in
  Part("second", [pod.resolve(hookedFirstProvider)])
} onDispose: {
  _ = $0
}

private let hastyProvider: Provider<Int> = Provider("hasty") { $0.lazy(slowProvider).value + 1 }
private let slowProvider = Provider("slow") { $0.factory(hastyProvider)() + 1 }

private final class Selfmade: Sendable {
  let again: @Sendable () -> Selfmade
  init(_ again: @escaping @Sendable () -> Selfmade) { self.again = again }
}

private let selfmadeProvider: Provider<Selfmade> = Provider("selfmade", scope: .alwaysCreateNew) {
  Selfmade($0.factory(selfmadeProvider))
}

/// Rules 12 and 26: handles break construction cycles.
@Suite struct LoopTests {
  @Test("R26 a lazy breaks a construction cycle, whichever end comes first, and is drawn as a deferred edge")
  func lazyBreaksCycle() {
    for eggFirst in [false, true] {
      let pod = Pod()
      let egg = eggFirst ? pod.resolve(eggProvider) : pod.resolve(chickenProvider).egg.value
      #expect(egg.chicken.egg.value === egg)
      #expect(pod.resolve(chickenProvider) === egg.chicken)
      let edges = pod.graph.edges
      #expect(edges.count == 2)
      #expect(edges.contains { $0.dependent == chickenProvider.id && $0.dependency == eggProvider.id && $0.isDeferred })
      #expect(
        edges.contains { $0.dependent == eggProvider.id && $0.dependency == chickenProvider.id && !$0.isDeferred })
    }
  }

  @Test(
    "R26 R27 a pod that goes leaves nothing of a loop behind", .disabled(if: keepsFreedMemory),
    arguments: [false, true],
    [false, true])
  func loopsGo(isHooked: Bool, isDisposed: Bool) async {
    await #expect(processExitsWith: .success) { [isHooked, isDisposed] in
      let root = Pod()
      func use(_ count: Int) {
        for _ in 0..<count {
          let child = root.makeChild(owning: [OwnedScope()])
          _ = child.resolve(isHooked ? hookedSecondProvider : secondProvider)
          if isDisposed { child.dispose() }
        }
      }
      use(1_000)
      let before = residentBytes()
      use(3_000)
      #expect(residentBytes() - before < 1 << 19)
    }
  }

  @Test("R26 a factory breaks a construction cycle and is drawn as a deferred edge")
  func factoryBreaksCycle() {
    let pod = Pod()
    let child = pod.resolve(childProvider)
    #expect(child.parent.makeChild().parent === child.parent)
    #expect(child.parent.makeChild() !== child)
    let deferred = pod.graph.edges.filter(\.isDeferred)
    #expect(deferred.map(\.dependent) == [parentProvider.id])
    #expect(deferred.map(\.dependency) == [childProvider.id])
  }

  @Test("R12 a factory stored in a transient that makes itself again and again is no cycle")
  func selfmade() {
    var last = Pod().resolve(selfmadeProvider)
    for _ in 0..<1_000 {
      let next = last.again()
      #expect(next !== last)
      last = next
    }
  }

  @Test("R12 handles used during construction are a cycle, told with every name, place and the remedy")
  func usedTooEarly() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Pod().resolve(hastyProvider)
    }
    let text = try #require(result?.errorText)
    for part in ["hasty", "slow", "LoopTests.swift:", "lazy", "factory"] { #expect(text.contains(part), "\(part)") }
  }

  @Test("R15 R26 a loop through a lazy follows overrides on both sides")
  func overriddenLoop() {
    let pod = Pod()
    let before = pod.resolve(eggProvider)
    #expect(before.chicken.egg.value === before)
    pod.overrideProvider(eggProvider) { Egg($0.resolve(chickenProvider)) }
    let during = pod.resolve(eggProvider)
    #expect(during !== before)
    #expect(during.chicken !== before.chicken)
    #expect(during.chicken.egg.value === during)
    pod.removeOverrideProvider(eggProvider)
    #expect(pod.resolve(eggProvider) === before)
    #expect(pod.resolve(chickenProvider) === before.chicken)
  }

  @Test("R27 a loop through a lazy leaves nothing behind, and every hook runs once")
  func loopGoes() {
    final class Node: Sendable {
      let next: Lazy<Node>
      let token: Part
      init(_ next: Lazy<Node>, in census: Census) {
        self.next = next
        token = Part("node", in: census)
      }
    }
    let census = Census()
    let log = Log<String>()
    do {
      let pod = Pod()
      let back = Locked<Provider<Node>?>(nil)
      let first = Provider("first") {
        Node($0.lazy(back.withLock { $0! }), in: census)
      } onDispose: { _ in
        log.append("first")
      }
      let second = Provider("second") {
        Node($0.lazy(first), in: census)
      } onDispose: { _ in
        log.append("second")
      }
      back.withLock { $0 = second }
      // Disposal, not the pod alone, has to end the values that the lazies keep for each other.
      let one = pod.resolve(first)
      #expect(one.next.value.next.value === one)
      one.next.value.next.dispose()
      pod.dispose()
      #expect(log.entries.sorted() == ["first", "second"])
      back.withLock { $0 = nil }
    }
    #expect(census.alive == 0)
  }

  @Test("R26 R27 a legal loop of which one part was cleared is disposed with its pod")
  func loopAfterClear() {
    let disposed = Log(of: String.self)
    let late = Locked<Provider<Int>?>(nil)
    let first = Provider(scope: OwnedScope()) { pod in pod.factory(late.withLock { $0! }) }
    let middle = Provider { pod in
      _ = pod.resolve(first)
      return 1
    } onDispose: { _ in
      disposed.append("middle")
    }
    let last = Provider {
      $0.resolve(middle)
    } onDispose: { _ in
      disposed.append("last")
    }
    late.withLock { $0 = last }
    do {
      let pod = Pod()
      _ = pod.resolve(first)()
      pod.clearCachedInstances(forScope: OwnedScope())
    }
    #expect(disposed.entries == ["last", "middle"])
    late.withLock { $0 = nil }
  }
}
