import Peapod
import Testing

/// A caller that begins to wait after a change receives nothing from before the change.
@Suite(.timeLimit(.minutes(5))) @MainActor struct LateCallerTests {
  private struct Down: Error {}

  @Test("R13 R15 a caller after the removal of an override does not receive the override's error")
  func errorOfRemovedOverride() async throws {
    let (gate, pod) = (AsyncGate(), Pod())
    let api = AsyncProvider("api") { _ in "real" }
    let page = AsyncProvider("page") { pod in
      try await pod.withOverrides({ _ in }) {
        await gate.wait()
        return try await pod.resolve(api)
      }
    }
    pod.overrideProvider(api) { _ in throw Down() }
    let first = await begin { try await pod.resolve(page) }
    await eventually("it builds") { gate.arrived == 1 }
    pod.removeOverrideProvider(api)
    let second = await begin { try await pod.resolve(page) }
    gate.open()
    await #expect(throws: Down.self) { try await first.value }
    #expect(try await second.value == "real")
  }

  @Test(
    "R15 R19 a caller after an override in another pod does not receive what was built before",
    arguments: [false, true])
  func overrideInOtherPod(isIndirect: Bool) async throws {
    let (gate, other, pod) = (AsyncGate(), Pod("other"), Pod("pod"))
    let user = Provider("user") { _ in "old" }
    let name = Provider("name") { _ in other.resolve(user) }
    let page = AsyncProvider("page") { pod in
      let name = isIndirect ? pod.resolve(name) : other.resolve(user)
      await gate.wait()
      return "page of \(name)"
    }
    let first = await begin { try await pod.resolve(page) }
    await eventually("it builds") { gate.arrived == 1 }
    other.overrideProvider(user, withValue: "new")
    let second = await begin { try await pod.resolve(page) }
    await eventually("it builds again") { gate.arrived == 2 }
    gate.open()
    #expect(["page of old", "page of new"].contains(try await first.value))
    #expect(try await second.value == "page of new")
    #expect(try await pod.resolve(page) == "page of new")
  }

  @Test("R13 the error of an attempt reaches a caller that began after an unrelated override")
  func unrelatedOverride() async throws {
    let (gate, pod, count) = (AsyncGate(), Pod(), Counter())
    let unrelated = Provider("unrelated") { _ in 0 }
    let flaky = AsyncProvider<Int>("flaky") { _ in
      count.increment()
      await gate.wait()
      throw Down()
    }
    let first = await begin { try await pod.resolve(flaky) }
    await eventually("it builds") { gate.arrived == 1 }
    pod.overrideProvider(unrelated, withValue: 1)
    let second = await begin { try await pod.resolve(flaky) }
    gate.open()
    await #expect(throws: Down.self) { try await first.value }
    await #expect(throws: Down.self) { try await second.value }
    #expect(count.value == 1)
  }

  @Test("R18 R19 a caller outside an override scope does not receive what the build reads there while the caller waits")
  func overrideScopeOfFirstCaller() async throws {
    let (gate, other, pod) = (AsyncGate(), Pod("other"), Pod("pod"))
    let user = Provider("user") { _ in "nobody" }
    let page = AsyncProvider("page") { _ in
      await gate.wait()
      return "page of \(other.resolve(user))"
    }
    let first = await begin {
      try await other.withOverrides({ $0.overrideProvider(user, withValue: "mock") }) { try await pod.resolve(page) }
    }
    await eventually("it builds") { gate.arrived == 1 }
    let second = await begin { try await pod.resolve(page) }
    gate.open()
    #expect(try await first.value == "page of mock")
    #expect(try await second.value == "page of nobody")
  }
}
