import Testing

@testable import Peapod

/// A caller that begins to wait after an override in another pod receives nothing from before the override, however the build got it.
@Suite(.timeLimit(.minutes(5))) @MainActor struct LateCallerNestedTests {
  enum Way: CaseIterable, Sendable { case ofOtherPod, dependency, transient, fresh }

  @Test(
    "R15 R19 a caller after an override in another pod receives nothing that a nested build got before",
    arguments: Way.allCases)
  func overrideInOtherPod(way: Way) async throws {
    let (gate, other, pod) = (AsyncGate(), Pod("other"), Pod("pod"))
    let user = Provider("user") { _ in "old" }
    @Sendable func name(_ userPod: Pod) async -> String {
      let name = userPod.resolve(user)
      await gate.wait()
      return name
    }
    let ofOtherPod = AsyncProvider("name of other") { pod in await name(pod) }
    let dependency = AsyncProvider("name") { _ in await name(other) }
    let transient = AsyncProvider("transient name", scope: .alwaysCreateNew) { _ in await name(other) }
    let page = AsyncProvider("page") { pod in
      switch way {
      case .ofOtherPod: try await other.resolve(ofOtherPod)
      case .dependency: try await pod.resolve(dependency)
      case .transient: try await pod.resolve(transient)
      case .fresh: try await pod.withFreshInstance(of: dependency) { $0 }
      }
    }
    let first = await begin { try await pod.resolve(page) }
    await eventually("it builds") { gate.arrived == 1 }
    other.overrideProvider(user, withValue: "new")
    let second = await begin { try await pod.resolve(page) }
    gate.open()
    #expect(["old", "new"].contains(try await first.value))
    #expect(try await second.value == "new")
    #expect(try await pod.resolve(page) == "new")
  }

  @Test("R11 R13 a caller after an override in another pod does not receive the error of what was built before")
  func errorOfOtherPod() async throws {
    let (gate, other, pod) = (AsyncGate(), Pod("other"), Pod("pod"))
    let user = Provider("user") { _ in "old" }
    let name = AsyncProvider("name") { _ in
      let name = other.resolve(user)
      await gate.wait()
      if name == "old" { throw Stuck("expected") }
      return name
    }
    let page = AsyncProvider("page") { pod in try await pod.resolve(name) }
    let first = await begin { try await pod.resolve(page) }
    await eventually("it builds") { gate.arrived == 1 }
    other.overrideProvider(user, withValue: "new")
    let second = await begin { try await pod.resolve(page) }
    gate.open()
    await #expect(throws: Stuck.self) { try await first.value }
    #expect(try await second.value == "new")
  }

  @Test("R13 each caller receives an error although every attempt overrides what it resolved from another pod")
  func errorOfEveryAttempt() async throws {
    let (gate, other, pod, attempts) = (AsyncGate(), Pod("other"), Pod("pod"), Counter())
    let user = Provider("user") { _ in 0 }
    let page = AsyncProvider<Int>("page") { _ in
      _ = other.resolve(user)
      let attempt = attempts.increment()
      await gate.wait()
      other.overrideProvider(user, withValue: attempt)
      throw Stuck("expected")
    }
    var callers: [Task<Int, any Error>] = []
    for _ in 0..<3 { callers.append(await begin { try await pod.resolve(page) }) }
    await eventually("it builds") { gate.arrived == 1 }
    gate.open()
    for caller in callers { await #expect(throws: Stuck.self) { try await caller.value } }
    #expect((1...3).contains(attempts.value))
  }

  @Test("R15 R19 a thread after an override in another pod receives nothing that a nested transient got before")
  func thread() async throws {
    let (gate, arrived, other, pod) = (Gate(), Gate(), Pod("other"), Pod("pod"))
    let user = Provider("user") { _ in "old" }
    let name = Provider("name", scope: .alwaysCreateNew) { _ in
      let name = other.resolve(user)
      arrived.open()
      gate.wait()
      return name
    }
    let page = Provider("page") { pod in pod.resolve(name) }
    let first = Worker { pod.resolve(page) }
    await arrived.pass()
    other.overrideProvider(user, withValue: "new")
    let second = Worker { pod.resolve(page) }
    await eventually("the second thread waits") { pod.waiterCount(of: page) == 1 }
    gate.open()
    _ = try await first.value()
    #expect(try await second.value() == "new")
  }
}
