import Testing

@testable import Peapod

/// A builder that waits for a build of a child, which an override in the child then outdates.
@Suite(.timeLimit(.minutes(5))) @MainActor struct BuildOfChangedChildTests {
  private final class Instance: Sendable {
    let part: Instance?
    init(_ part: Instance? = nil) { self.part = part }
  }

  enum Way: CaseIterable, Sendable { case direct, current, transient }

  @Test("R3 R8 R11 an instance of the parent has a part that the parent caches", arguments: Way.allCases)
  func parent(way: Way) async throws {
    let gate = AsyncGate()
    let (part, other) = (Provider("part") { _ in Instance() }, Provider("other") { _ in 0 })
    let middle = AsyncProvider("middle") { pod in
      let part = pod.resolve(part)
      await gate.wait()
      return Instance(part)
    }
    let between = AsyncProvider("between", scope: .alwaysCreateNew) { pod in try await pod.resolve(middle) }
    let top = AsyncProvider("top") { pod in
      switch way {
      case .direct: Instance(try await pod.resolve(middle))
      case .current: Instance(try await Pod.current.resolve(middle))
      case .transient: Instance(try await pod.resolve(between))
      }
    }
    let root = Pod("root")
    let child = root.makeChild { $0.overrideProvider(other, withValue: 1) }
    let first = await begin { try await child.resolve(middle) }
    await eventually("it builds") { gate.arrived == 1 }
    let second = await Pod.$current.withValue(root) { await begin { try await root.resolve(top) } }
    // The caller in the child waits too.
    await eventually("a builder of the root waits") { root.waiterCount(of: middle) == 2 }
    child.overrideProvider(part) { _ in Instance() }
    let late = await begin { try await child.resolve(middle) }
    gate.open()
    let former = try await first.value
    let whole = try await second.value
    let cached = try await root.resolve(middle)
    #expect(whole.part === cached)
    #expect(cached !== former)
    #expect(try await root.resolve(top) === whole)
    let own = try await late.value
    #expect(own !== former)
    #expect(own.part === child.resolve(part))
    #expect(try await child.resolve(middle) === own)
  }
}
