import Peapod
import Testing

/// A business type that knows nothing of the library.
@MainActor private final class ListModel {
  let makeDetail: @MainActor (Int) -> DetailModel
  init(makeDetail: @escaping @MainActor (Int) -> DetailModel) { self.makeDetail = makeDetail }
}

/// Another one.
@MainActor private final class DetailModel {
  let id: Int
  let source: String
  init(id: Int, source: String) {
    self.id = id
    self.source = source
  }
}

private let sourceProvider = Provider { _ in "live" }
private let detailProvider = MainActorProvider.family(scope: .alwaysCreateNew) { (pod: Pod, id: Int) in
  DetailModel(id: id, source: pod.resolve(sourceProvider))
}
private let listProvider = MainActorProvider { pod in ListModel(makeDetail: pod.factory(detailProvider)) }

/// Rule 24: `factory`.
@Suite(.timeLimit(.minutes(20))) struct FactoryTests {
  private struct Boom: Error {}

  @Test("R24 a factory for a main-actor family makes detail models from a list model that imports nothing") @MainActor
  func detailModels() {
    let pod = Pod()
    let list = pod.resolve(listProvider)
    let details = [list.makeDetail(1), list.makeDetail(2), list.makeDetail(1)]
    #expect(details.map(\.id) == [1, 2, 1])
    #expect(details[0] !== details[2])
    #expect(details[0].source == "live")
    pod.overrideProvider(sourceProvider, withValue: "mock")
    #expect(pod.resolve(listProvider).makeDetail(3).source == "mock")
  }

  @Test("R24 a factory resolves at each call by its provider's own scope")
  func byScope() {
    let pod = Pod()
    let single = pod.factory(Provider { _ in Part("single") })
    #expect(single() === single())
    let fresh = pod.factory(Provider(scope: .alwaysCreateNew) { _ in Part("fresh") })
    #expect(fresh() !== fresh())
    let scoped = pod.factory(Provider(scope: OwnedScope()) { _ in Part("scoped") })
    let before = scoped()
    #expect(scoped() === before)
    pod.clearCachedInstances(forScope: OwnedScope())
    #expect(scoped() !== before)
  }

  @Test("R24 factories exist for every kind, with its effects and isolation")
  func everyKind() async throws {
    let pod = Pod()
    let fails = Locked(true)
    let plain: @Sendable () -> String = pod.factory(Provider { _ in "plain" })
    let throwing: @Sendable () throws -> String = pod.factory(
      ThrowingProvider {
        _ in
        if fails.withLock({ $0 }) { throw Boom() }
        return "throwing"
      })
    let async: @Sendable () async throws -> String = pod.factory(
      AsyncProvider { _ in
        await Task.yield()
        return "async"
      })
    let main: @MainActor @Sendable () -> String = pod.factory(
      MainActorProvider { _ in
        MainActor.assertIsolated()
        return "main"
      })
    #expect(throws: Boom.self) { try throwing() }
    fails.withLock { $0 = false }
    let seen = [plain(), try throwing(), try await async(), await main()]
    #expect(seen == ["plain", "throwing", "async", "main"])
  }

  @Test("R24 factories exist for the families of every kind, and share members by their scope")
  func families() async throws {
    let pod = Pod()
    let plain = pod.factory(Provider.family { (_: Pod, id: Int, name: String) in Part("\(name)\(id)") })
    let throwing = pod.factory(
      ThrowingProvider.family { (_: Pod, id: Int) in
        if id < 0 { throw Boom() }
        return Part("\(id)")
      })
    let async = pod.factory(AsyncProvider.family { (_: Pod, id: Int) in Part("\(id)") })
    let main = pod.factory(MainActorProvider.family { (_: Pod, id: Int) in Part("\(id)") })
    #expect(plain(1, "a") === plain(1, "a"))
    #expect(plain(1, "a") !== plain(1, "b"))
    #expect(try throwing(1) === throwing(1))
    #expect(throws: Boom.self) { try throwing(-1) }
    let (first, second) = (try await async(1), try await async(1))
    #expect(first === second)
    await MainActor.run { #expect(main(1) === main(1)) }
  }

  @Test("R24 a factory of a value that cannot be shared makes a new one for each caller")
  func notSendable() {
    final class Notes { var lines: [String] = [] }
    let pod = Pod()
    let make = pod.factory(Provider(scope: .alwaysCreateNew) { _ in Notes() })
    let notes = make()
    notes.lines.append("one")
    #expect(make().lines.isEmpty)
  }

  @Test("R26 a factory made in a builder follows overrides and child pods")
  func followsOverrides() {
    final class Maker: Sendable {
      let make: @Sendable (Int) -> Part
      init(_ make: @escaping @Sendable (Int) -> Part) { self.make = make }
    }
    let pod = Pod()
    let setting = Provider { _ in Part("setting") }
    let item = Provider.family(scope: .alwaysCreateNew) { (pod: Pod, id: Int) in Part("\(id)", [pod.resolve(setting)]) }
    let maker = Provider { Maker($0.factory(item)) }
    let before = pod.resolve(maker)
    #expect(before.make(1).recipe == "1(setting)")
    pod.overrideProvider(item) { _, id in Part("mock\(id)") }
    let during = pod.resolve(maker)
    #expect(during !== before)
    #expect(during.make(2).recipe == "mock2")
    pod.removeOverrideProvider(item)
    #expect(pod.resolve(maker) === before)
    let child = pod.makeChild { $0.overrideProvider(setting) { _ in Part("CHILD") } }
    #expect(child.resolve(maker).make(3).recipe == "3(CHILD)")
    #expect(pod.resolve(maker).make(3).recipe == "3(setting)")
  }

  @Test("R15 R26 R27 the original holder returns, although a holder that was built meanwhile did not use its handle")
  func unusedHandle() {
    final class Holder: Sendable {
      let make: @Sendable () -> String
      init(_ make: @escaping @Sendable () -> String) { self.make = make }
    }
    final class Keeper: Sendable {
      let holder: Holder
      init(_ holder: Holder) { self.holder = holder }
    }
    let ended = Counter()
    let base = Provider("base") { _ in "original" }
    let answer = Provider("answer") { "answer of \($0.resolve(base))" }
    let holder = Provider("holder") { pod in
      Holder(pod.factory(answer))
    } onDispose: { _ in
      ended.increment()
    }
    let keeper = Provider("keeper") { Keeper($0.resolve(holder)) }
    let late = Provider("late") { Keeper($0.resolve(holder)) }
    let pod = Pod()
    let original = pod.resolve(keeper)
    #expect(original.holder.make() == "answer of original")
    for round in 1...3 {
      pod.overrideProvider(base, withValue: "override")
      let other = pod.resolve(late)
      #expect(other.holder !== original.holder)
      #expect(pod.resolve(keeper).holder === other.holder)
      pod.removeOverrideProvider(base)
      #expect(ended.value == round)
      #expect(pod.resolve(keeper) === original)
      #expect(pod.resolve(holder) === original.holder)
      #expect(pod.resolve(late).holder === original.holder)
      pod.clearCachedInstance(of: late)
    }
    #expect(original.holder.make() == "answer of original")
  }
}
