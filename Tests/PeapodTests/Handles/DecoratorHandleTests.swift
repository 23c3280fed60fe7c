import Peapod
import Testing

/// Rules 17 and 26: a handle that an override's builder makes of what it overrides leads to the original.
@MainActor
struct DecoratorHandleTests {
  private struct Wrapped<Make: Sendable>: Sendable { let make: Make }

  private final class Node: Sendable {
    let name: String
    init(_ name: String) { self.name = name }
  }
  private struct RequestScope: ProviderScope {}

  @Test("R17 R26 a factory that a decorator makes gives the original in another build too, whatever children share")
  func factoryInAnotherBuild() async throws {
    let root = Pod()
    let node = Provider { _ in Node("original") }
    let user = Provider(scope: RequestScope()) { pod in Node("user of " + pod.resolve(node).name) }
    let made = Locked<(@Sendable () -> Node)?>(nil)
    let outer = AsyncProvider { pod in
      root.overrideProvider(node) { _ in
        made.withLock { $0 = pod.factory(node) }
        return Node("decorated")
      }
      for _ in 0..<3 {
        let child = root.makeChild(owning: [RequestScope()])
        #expect(child.resolve(user).name == "user of decorated")
      }
      return made.withLock { $0 }?().name
    }
    #expect(try await root.resolve(outer) == "original")
  }

  @Test("R17 R26 a factory that a decorator makes gives the original, also while the decorated instance is cached")
  func factoryBesideCachedInstance() {
    let pod = Pod()
    let node = Provider { _ in Node("original") }
    let made = Locked<(@Sendable () -> Node)?>(nil)
    pod.overrideProvider(node) { pod in
      made.withLock { $0 = pod.factory(node) }
      return Node("decorated")
    }
    for _ in 0..<3 { #expect(pod.resolve(node).name == "decorated") }
    for _ in 0..<3 { #expect(made.withLock { $0 }?().name == "original") }
  }

  @Test("R17 R26 a factory that a decorator makes of its own provider gives the original, in every kind")
  func factories() async throws {
    let pod = Pod()
    let plain = Provider<@Sendable () -> String> { _ in { "original" } }
    pod.overrideProvider(plain) { pod in
      let original = pod.factory(plain)
      return { "decorated " + original()() }
    }
    #expect(pod.resolve(plain)() == "decorated original")

    let throwing = ThrowingProvider<@Sendable () throws -> String> { _ in { "original" } }
    pod.overrideProvider(throwing) { pod in
      let original = pod.factory(throwing)
      return { try "decorated " + original()() }
    }
    #expect(try pod.resolve(throwing)() == "decorated original")

    let later = AsyncProvider<@Sendable () async throws -> String> { _ in { "original" } }
    pod.overrideProvider(later) { pod in
      let original = pod.factory(later)
      return { try await "decorated " + original()() }
    }
    #expect(try await pod.resolve(later)() == "decorated original")

    let main = MainActorProvider<@MainActor () -> String> { _ in { "original" } }
    pod.overrideProvider(main) { pod in
      let original = pod.factory(main)
      return { "decorated " + original()() }
    }
    #expect(pod.resolve(main)() == "decorated original")
  }

  @Test("R17 R18 a block has the pod's async decorator, around the block's own")
  func block() async throws {
    let pod = Pod()
    let later = AsyncProvider { _ in "original" }
    pod.overrideProvider(later) { try await "outer " + $0.resolve(later) }
    let inside = try await pod.withOverrides({ $0.overrideProvider(later) { try await "inner " + $0.resolve(later) } })
    {
      try await pod.resolve(later)
    }
    #expect(inside == "inner outer original")
    let same = try await pod.withOverrides({ _ in }) { try await pod.resolve(later) }
    #expect(same == "outer original")
    #expect(try await pod.resolve(later) == "outer original")
  }

  @Test("R17 R19 R26 a decorator with a handle of its own provider is shared with a child that decorates it too")
  func sharedBeneathAnotherDecorator() {
    let builds = Counter()
    let node = Provider { _ in Node("original") }
    let root = Pod("root")
    root.overrideProvider(node) { pod in
      let original = pod.lazy(node)
      builds.increment()
      return Node("decorated " + original.value.name)
    }
    let child = root.makeChild("child") { child in
      child.overrideProvider(node) { Node("twice " + $0.resolve(node).name) }
    }
    #expect(root.resolve(node).name == "decorated original")
    #expect(child.resolve(node).name == "twice decorated original")
    #expect(builds.value == 1)
  }

  @Test("R17 R22 R26 a factory of a family that its decorator makes gives the original of the decorated member")
  func factoryOfFamily() {
    let pod = Pod()
    let made = Locked<(@Sendable (Int) -> Node)?>(nil)
    let family = Provider.family { (_, number: Int) in Node("original \(number)") }
    pod.overrideProvider(family) { (pod, number: Int) in
      let make = pod.factory(family)
      if number == 1 { made.withLock { $0 = make } }
      return Node("decorated \(make(number).name)")
    }
    #expect(pod.resolve(family(1)).name == "decorated original 1")
    #expect(made.withLock { $0 }?(1).name == "original 1")
    #expect(made.withLock { $0 }?(2).name == "decorated original 2")
  }

  @Test("R15 R17 a decorator of a family that holds its parent's factory does not depend on the override above")
  func factoryOfParent() {
    let root = Pod("root")
    let builds = Counter()
    let family = Provider.family { (_, number: Int) in Node("original \(number)") }
    let child = root.makeChild("child")
    child.overrideProvider(family) { (_, number: Int) in
      _ = root.factory(family)
      builds.increment()
      return Node("decorated \(number)")
    }
    _ = root.resolve(family(1))
    let first = child.resolve(family(1))
    child.overrideProvider(family(1)) { $0.resolve(family(1)) }
    #expect(child.resolve(family(1)) === first)
    #expect(builds.value == 1)
  }

  @Test("R17 R26 a factory that a decorator made in an override scope gives the original after the scope too")
  func factoryFromOverrideScope() {
    let pod = Pod()
    let made = Locked<(@Sendable () -> Node)?>(nil)
    let (node, other) = (Provider { _ in Node("original") }, Provider { _ in 1 })
    pod.overrideProvider(node) { pod in
      let make = pod.factory(node)
      made.withLock { if $0 == nil { $0 = make } }
      return Node("decorated")
    }
    pod.withOverrides {
      $0.overrideProvider(other, withValue: 2)
    } operation: {
      #expect(pod.resolve(node).name == "decorated")
      #expect(made.withLock { $0 }?().name == "original")
    }
    #expect(made.withLock { $0 }?().name == "original")
    pod.withOverrides {
      $0.overrideProvider(other, withValue: 3)
    } operation: {
      #expect(made.withLock { $0 }?().name == "original")
    }
  }
}
