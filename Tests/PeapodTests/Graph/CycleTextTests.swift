import Peapod
import Testing

private let first: Provider<Int> = Provider("first") { $0.resolve(second) }
private let second = Provider("second") { $0.resolve(third) }
private let third = Provider("third") { $0.resolve(first) }
private let selfish: Provider<Int> = Provider { $0.resolve(selfish) }
private let view: MainActorProvider<Int> = MainActorProvider("view") { $0.resolve(model) }
private let model = MainActorProvider("model") { $0.resolve(view) }
private let open: ThrowingProvider<Int> = ThrowingProvider("open") { try $0.resolve(read) }
private let read = ThrowingProvider("read") { try $0.resolve(open) }
private let fetch: AsyncProvider<Int> = AsyncProvider("fetch") { try await $0.resolve(parse) }
private let parse = AsyncProvider("parse") { try await $0.resolve(fetch) }
private let left: Provider<Int> = Provider("left") { meet($0, right) }
private let right = Provider("right") { meet($0, left) }
private let meeting = Barrier(2)

/// Asks for a provider once both threads are building.
private func meet(_ pod: Pod, _ provider: Provider<Int>) -> Int {
  meeting.arrive()
  return pod.resolve(provider)
}

/// Rule 12: the texts of cycles.
// Declared outside of the exit test: within a macro's argument all lines are one.
private let plainFirst = Provider("first") { _ in 1 }
private let secondAbove = Provider("second") { $0.resolve(plainFirst) }

@Suite(.timeLimit(.minutes(20))) struct CycleTextTests {
  /// The text names the providers in their order, beginning anywhere, each with its place, and the remedy.
  private func check(_ text: String, _ names: [String], _ location: SourceLocation = #_sourceLocation) {
    for name in names { #expect(text.contains(name), "\(name)", sourceLocation: location) }
    let places = text.matches(of: /CycleTextTests\.swift:\d+/).map { String($0.0) }
    #expect(Set(places).count == names.count, sourceLocation: location)
    #expect(text.contains("lazy") && text.contains("factory"), sourceLocation: location)
    let ring = names + names
    let order = text.matches(of: /\b(first|second|third|view|model|left|right|open|read|fetch|parse)\b/).map {
      String($0.1)
    }
    let start = ring.firstIndex { $0 == order.first } ?? 0
    #expect(order.starts(with: ring[start..<(start + names.count)]), "\(order)", sourceLocation: location)
  }

  @Test("R12 a cycle of three stops with all names in order, their places and the remedy")
  func three() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Pod().resolve(second)
    }
    check(try #require(result?.errorText), ["second", "third", "first"])
  }

  @Test("R12 a provider that asks for itself stops with its type and place")
  func one() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Pod().resolve(selfish)
    }
    let text = try #require(result?.errorText)
    #expect(text.contains("Int"))
    #expect(text.contains("CycleTextTests.swift:"))
  }

  @Test("R12 a cycle of main-actor providers stops in the same way")
  func mainActor() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { _ = Pod().resolve(view) }
    }
    check(try #require(result?.errorText), ["view", "model"])
  }

  @Test("R12 a cycle between two threads stops and does not hang")
  func twoThreads() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let pod = Pod()
      try await runThreads(2) { index in pod.resolve(index == 0 ? left : right) }
    }
    check(try #require(result?.errorText), ["left", "right"])
  }

  @Test("R12 a cycle through a child pod and through an override is told as well")
  func throughChildAndOverride() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let root = Pod()
      let child = root.makeChild { $0.overrideProvider(plainFirst) { $0.resolve(secondAbove) } }
      _ = child.makeChild().resolve(secondAbove)
    }
    check(try #require(result?.errorText), ["second", "first"])
  }

  @Test("R12 throwing and async kinds throw the path, and the error's text is as full")
  func thrown() async throws {
    let pod = Pod()
    let synchronous = try #require(throws: ProviderCycleError.self) { try pod.resolve(open) }
    #expect(synchronous.path.map(\.name) == ["open", "read", "open"])
    #expect(synchronous.path.first == synchronous.path.last)
    check(synchronous.description, ["open", "read"])
    let asynchronous = await #expect(throws: ProviderCycleError.self) { try await pod.resolve(parse) }
    #expect(asynchronous?.path.map(\.name) == ["parse", "fetch", "parse"])
    check(try #require(asynchronous?.description), ["parse", "fetch"])
  }
}
