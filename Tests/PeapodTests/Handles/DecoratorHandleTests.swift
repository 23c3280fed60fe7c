import Peapod
import Testing

/// Rules 17 and 26: a handle that an override's builder makes of what it overrides leads to the original.
@MainActor
struct DecoratorHandleTests {
  private struct Wrapped<Make: Sendable>: Sendable { let make: Make }

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
}
