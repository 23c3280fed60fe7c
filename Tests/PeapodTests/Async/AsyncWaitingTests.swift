import Peapod
import Testing

@Suite struct AsyncWaitingTests {
  @Test("R8 R14 R19 many who wait for each other by many ways are told apart once")
  func manyWays() async throws {
    struct Level: Sendable { let left, right: AsyncProvider<Int> }
    let gate = AsyncGate()
    let setting = Provider { _ in 1 }
    let bottom = AsyncProvider { pod in
      await gate.wait()
      return pod.resolve(setting)
    }
    var level = Level(left: bottom, right: bottom)
    for _ in 0..<40 {
      let below = level
      let build: @Sendable (Pod) async throws -> Int = { pod in
        async let left = pod.resolve(below.left)
        async let right = pod.resolve(below.right)
        return try await left + right & 1
      }
      level = Level(left: AsyncProvider { try await build($0) }, right: AsyncProvider { try await build($0) })
    }
    let top = level.left
    let pod = Pod()
    let child = pod.makeChild { $0.overrideProvider(setting, withValue: 3) }
    let outer = await begin { try await pod.resolve(top) }
    await eventually("the bottom is reached") { gate.arrived >= 1 }
    // It waits for what it would have built in the same way, until it turns out otherwise.
    let inner = await begin { try await child.resolve(top) }
    let urgent = await begin(priority: .high) { try await pod.resolve(top) }
    gate.open()
    #expect(try await outer.value == urgent.value)
    #expect(try await inner.value >= 1)
  }
}
