import Synchronization
import Testing

@testable import Peapod

/// Whether a child shares what holds a deferred dependency whose answer comes, changes or goes.
@Suite struct DeferredAnswersOfRootTests {
  private final class Holder: Sendable {
    let make: @Sendable () -> Part
    init(_ make: @escaping @Sendable () -> Part) { self.make = make }
  }

  private let user = Provider("user") { _ in Part("nobody") }
  private let root = Pod("root")
  private let child: Pod

  init() {
    let user = user
    child = root.makeChild { $0.overrideProvider(user, withValue: Part("Ada")) }
  }

  @Test("R10 R19 R26 a later answer to a deferred dependency counts", arguments: [false, true])
  func laterAnswer(isMember: Bool) {
    let user = user
    let page = Provider("page") { Part("page", [$0.resolve(user)]) }
    let pages = Provider.family("pages") { (pod, _: Int) in Part("page", [pod.resolve(user)]) }
    let holder = Provider("holder") { pod in
      guard isMember else { return Holder(pod.factory(page)) }
      let make = pod.factory(pages)
      return Holder { make(1) }
    }
    let top = Provider("top") { Holder($0.resolve(holder).make) }
    let first = root.resolve(top)
    #expect(child.resolve(holder) === root.resolve(holder))
    #expect(child.resolve(top) === first)
    #expect(child.resolve(top) === first)
    #expect(first.make().recipe == "page(nobody)")
    #expect(child.resolve(top) !== first)
    #expect(child.resolve(top).make().recipe == "page(Ada)")
    #expect(child.resolve(top) === child.resolve(top))
    let other = root.makeChild { $0.overrideProvider(Provider("flag") { _ in 0 }, withValue: 1) }
    #expect(other.resolve(top) === first)
  }

  @Test("R10 R19 R26 the next instance of a cleared holder may defer something else")
  func nextHolder() {
    struct HolderScope: ProviderScope {}
    let user = user
    let page = Provider("page") { Part("page", [$0.resolve(user)]) }
    let other = Provider("other") { _ in Part("other") }
    let isChanged = Locked(false)
    let holder = Provider("holder", scope: HolderScope()) { pod in
      Holder(pod.factory(isChanged.withLock { $0 } ? page : other))
    }
    // Before any deferred dependency leads to the page.
    _ = root.resolve(page)
    let first = root.resolve(holder)
    for _ in 0..<2 { #expect(child.resolve(holder) === first) }
    root.clearCachedInstances(forScope: HolderScope())
    isChanged.withLock { $0 = true }
    let second = root.resolve(holder)
    #expect(second.make().recipe == "page(nobody)")
    #expect(child.resolve(holder) !== second)
    #expect(child.resolve(holder).make().recipe == "page(Ada)")
  }

  @Test(
    "R10 R19 R26 the first deferral of a provider counts, also that of a transient between", arguments: [false, true])
  func laterQuestion(isThroughTransient: Bool) {
    let user = user
    let part = Provider("part", scope: .alwaysCreateNew) { pod in Holder(pod.factory(user)) }
    let holder = Provider("holder") { pod in isThroughTransient ? pod.resolve(part) : Holder(pod.factory(user)) }
    let top = Provider("top") { Holder($0.resolve(holder).make) }
    #expect(root.resolve(top).make().recipe == "nobody")
    #expect(child.resolve(top).make().recipe == "Ada")
    #expect(child.resolve(top) === child.resolve(top))
  }

  @Test("R10 R19 R26 a question that another pod answers counts")
  func questionOfOtherPod() {
    let user = user
    let name = Provider("name") { Part("name", [$0.resolve(user)]) }
    let other = root.makeChild { $0.overrideProvider(user, withValue: Part("Bob")) }
    let late = Provider("late") { _ in Holder(other.factory(name)) }
    let top = Provider("top") { Holder($0.resolve(late).make) }
    // So the provider has its bit.
    _ = root.makeChild { $0.overrideProvider(name, withValue: Part("another")) }
    let first = root.resolve(top)
    let unconcerned = root.makeChild { $0.overrideProvider(Provider("flag") { _ in 0 }, withValue: 1) }
    for _ in 0..<3 { #expect(unconcerned.resolve(top) === first) }
    #expect(first.make().recipe == "name(Bob)")
    #expect(unconcerned.resolve(top) === first)
    #expect(child.resolve(top) !== root.resolve(top))
    #expect(child.resolve(top) === child.resolve(top))
  }

  @Test("R10 R23 R26 the value of a Lazy counts after its instance was cleared")
  func valueOfLazy() {
    let user = user
    let page = Provider("page") { Part("page", [$0.resolve(user)]) }
    let holder = Provider("holder") { pod in
      let lazy = pod.lazy(page)
      return Holder { lazy.value }
    }
    let top = Provider("top") { Holder($0.resolve(holder).make) }
    #expect(root.resolve(top).make().recipe == "page(nobody)")
    root.clearCachedInstance(of: page)
    let flag = Provider("flag") { _ in 0 }
    let other = root.makeChild { $0.overrideProvider(flag, withValue: 1) }
    #expect(other.resolve(top) === root.resolve(top))
    #expect(other.resolve(top) === root.resolve(top))
    #expect(child.resolve(top) !== root.resolve(top))
    #expect(child.resolve(top).make().recipe == "page(Ada)")
  }

  @Test("R10 R23 R26 what the value of a Lazy itself defers counts after its instance was cleared")
  func deferredByValueOfLazy() {
    let user = user
    let page = Provider("page") { Holder($0.factory(user)) }
    let holder = Provider("holder") { pod in
      let lazy = pod.lazy(page)
      return Holder { lazy.value.make() }
    }
    let top = Provider("top") { Holder($0.resolve(holder).make) }
    #expect(root.resolve(top).make().recipe == "nobody")
    root.clearCachedInstance(of: page)
    #expect(child.resolve(top) !== root.resolve(top))
    #expect(child.resolve(top).make().recipe == "Ada")
  }

  @Test("R19 R20 R26 the scope of an override counts for holders that were built after it")
  func scopeOfOverride() {
    struct RequestScope: ProviderScope {}
    let part = Provider("part") { _ in Part("plain") }
    let one = Provider("one") { Holder($0.factory(part)) }
    let two = Provider("two") { Holder($0.factory(part)) }
    let owner = root.makeChild(owning: [RequestScope()])
    #expect(owner.resolve(one) === root.resolve(one))
    root.overrideProvider(part, scope: RequestScope()) { _ in Part("request") }
    let shared = root.resolve(two)
    #expect(owner.resolve(two) !== shared)
  }

  @Test("R10 R23 R26 the value of a Lazy counts that no pod caches itself")
  func valueOfLazyAlone() {
    struct FlowScope: ProviderScope {}
    let (root, user) = (root, user)
    let page = Provider("page", scope: FlowScope()) { pod in
      // So no pod caches the instance.
      root.clearCachedInstances(forScope: FlowScope())
      return Part("page", [pod.resolve(user)])
    }
    let holder = Provider("holder") { pod in
      let lazy = pod.lazy(page)
      return Holder { lazy.value }
    }
    let top = Provider("top") { Holder($0.resolve(holder).make) }
    _ = root.resolve(user)
    let first = root.resolve(top)
    for _ in 0..<3 { #expect(child.resolve(top) === first) }
    #expect(first.make().recipe == "page(nobody)")
    #expect(child.resolve(top) !== first)
    #expect(child.resolve(top).make().recipe == "page(Ada)")
  }

  @Test("R15 R19 R26 an answer counts that returns with the removal of an override")
  func returnedAnswer() {
    let user = user
    let part = Provider("part") { Part("part", [$0.resolve(user)]) }
    let page = Provider("page") { Part("page", [$0.resolve(part)]) }
    let holder = Provider("holder") { Holder($0.factory(page)) }
    let first = root.resolve(holder)
    #expect(first.make().recipe == "page(part(nobody))")
    root.overrideProvider(part, withValue: Part("mock"))
    let mocked = root.resolve(holder)
    #expect(mocked.make().recipe == "page(mock)")
    for _ in 0..<3 { #expect(child.resolve(holder) === mocked) }
    root.removeOverrideProvider(part)
    #expect(root.resolve(holder) === first)
    #expect(child.resolve(holder) !== first)
    #expect(child.resolve(holder).make().recipe == "page(part(Ada))")
  }

  @Test("R15 R19 R26 an answer counts that returns to a holder from the time of the override")
  func returnedAnswerOfLaterHolder() {
    let user = user
    let part = Provider("part") { Part("part", [$0.resolve(user)]) }
    let page = Provider("page") { Part("page", [$0.resolve(part)]) }
    let holder = Provider("holder") { Holder($0.factory(page)) }
    _ = root.resolve(page)
    root.overrideProvider(part, withValue: Part("mock"))
    // The page is hidden, so nothing answers, and the removal does not concern the holder.
    let first = root.resolve(holder)
    for _ in 0..<3 { #expect(child.resolve(holder) === first) }
    root.removeOverrideProvider(part)
    #expect(root.resolve(holder) === first)
    #expect(child.resolve(holder) !== first)
    #expect(child.resolve(holder).make().recipe == "page(part(Ada))")
  }

  @Test("R10 R19 R26 a provider counts that a child overrides for the first time")
  func firstOverride() {
    let name = Provider("name") { _ in Part("name") }
    let page = Provider("page") { Part("page", [$0.resolve(name)]) }
    let holder = Provider("holder") { Holder($0.factory(page)) }
    let first = root.resolve(holder)
    _ = first.make()
    for _ in 0..<3 { #expect(child.resolve(holder) === first) }
    let other = root.makeChild { $0.overrideProvider(name, withValue: Part("Bob")) }
    for _ in 0..<2 { #expect(other.resolve(holder) !== first) }
    #expect(other.resolve(holder).make().recipe == "page(Bob)")
  }

  @Test("R10 R18 R26 the value of a Lazy counts that a task resolves in the scope of the builder, after the builder")
  func valueOfLazyOfScope() async {
    let (user, flag, gate) = (user, Provider("flag") { _ in 0 }, AsyncGate())
    let task = Locked<Task<Void, Never>?>(nil)
    let page = Provider("page") { Part("page", [$0.resolve(user)]) }
    let holder = Provider("holder") { pod in
      pod.withOverrides {
        $0.overrideProvider(flag, withValue: 2)
      } operation: {
        let lazy = pod.lazy(page)
        task.withLock { task in
          task = Task {
            await gate.wait()
            _ = lazy.value
          }
        }
        return Holder { lazy.value }
      }
    }
    let first = root.resolve(holder)
    for _ in 0..<2 { _ = child.resolve(holder) }
    gate.open()
    await task.withLock { $0 }?.value
    #expect(child.resolve(holder) !== first)
    #expect(child.resolve(holder).make().recipe == "page(Ada)")
  }

  @Test("R10 R19 R26 an answer counts that an inner pod builds later")
  func laterAnswerOfInnerPod() {
    let (user, flag, number) = (user, Provider("flag") { _ in 0 }, Provider("number") { _ in 0 })
    let page = Provider("page") { pod in
      _ = pod.resolve(flag)
      return Part("page", [pod.resolve(user)])
    }
    let holder = Provider("holder") { pod in
      Holder(pod.makeChild { $0.overrideProvider(flag, withValue: 1) }.factory(page))
    }
    let top = Provider("top") { Holder($0.resolve(holder).make) }
    // So the provider has its bit.
    _ = root.makeChild { $0.overrideProvider(page, withValue: Part("another")) }
    _ = root.resolve(user)
    let first = root.resolve(top)
    let other = root.makeChild { $0.overrideProvider(number, withValue: 1) }
    for _ in 0..<2 { #expect(other.resolve(top) === first) }
    // Lives in the inner pod.
    #expect(first.make().recipe == "page(nobody)")
    #expect(child.resolve(top) !== first)
    #expect(child.resolve(top).make().recipe == "page(Ada)")
  }

  @Test("R10 R19 R26 the value of a Lazy counts that a builder made with the pod of the caller")
  func valueOfLazyOfCaller() {
    let last = Provider("last") { _ in "last" }
    let middle = Provider("middle") { _ in "middle" }
    let first = Provider("first") { $0.resolve(middle) }
    let holder = Provider("holder") { _ in
      let lazy = Pod.current.lazy(first)
      return Holder { Part(lazy.value) }
    }
    let root = Pod("root")
    let caller = root.makeChild("caller")
    _ = root.resolve(last)
    func resolve(_ pod: Pod) -> Holder { Pod.$current.withValue(pod) { pod.resolve(holder) } }
    let shared = resolve(caller)
    let before = root.makeChild("before") {
      // So both providers have their bits.
      $0.overrideProvider(last, withValue: "LAST")
      $0.overrideProvider(middle, withValue: "MIDDLE")
    }
    #expect(resolve(before) === shared)
    caller.overrideProvider(middle) { $0.resolve(last) }
    #expect(shared.make().label == "last")
    let after = root.makeChild("after") { $0.overrideProvider(last, withValue: "LAST") }
    #expect(resolve(after) !== shared)
  }

  #if DEBUG
    @Test("R8 a child reads what holds a deferred dependency without a lock of the root")
    func takesNoLock() async {
      // In a process of its own, as in `SharedLinesTests`.
      await #expect(processExitsWith: .success) {
        let root = Pod("root")
        let page = Provider("page") { _ in Part("page") }
        let holder = Provider("holder") { Holder($0.factory(page)) }
        let lazy = Provider("lazy") { pod in
          let value = pod.lazy(page)
          return Holder { value.value }
        }
        let top = Provider("top") { pod in Holder([pod.resolve(holder), pod.resolve(lazy)][0].make) }
        _ = root.resolve(top).make()
        let child = root.makeChild { $0.overrideProvider(Provider("flag") { _ in 0 }, withValue: 1) }
        _ = child.resolve(top)
        let locks = root.state.lockAcquisitions
        for _ in 0..<100 { _ = child.resolve(top) }
        #expect(root.state.lockAcquisitions == locks)
      }
    }
  #endif
}
