import Peapod
import Testing

/// `Pod.shared` and `Pod.current`.
@Suite struct CurrentPodTests {
  @Test("R18 the current pod is the shared one unless something says otherwise")
  func sharedByDefault() async {
    #expect(Pod.shared.parent == nil)
    await Task.detached { #expect(Pod.current === Pod.shared) }.value
  }

  @Test("R18 a bound current pod is seen by child tasks and tasks, and no longer afterwards")
  func bound() async {
    let pod = Pod("bound")
    await Pod.$current.withValue(pod) {
      #expect(Pod.current === pod)
      async let inChild = Pod.current
      #expect(await inChild === pod)
      #expect(await Task { Pod.current }.value === pod)
      #expect(await Task.detached { Pod.current }.value === Pod.shared)
    }
    #expect(Pod.current !== pod)
  }

  @Test("R19 inside withChild the current pod is the child, in both forms")
  func withChild() async {
    let setting = Provider { _ in Part("setting") }
    let root = Pod("root")
    root.withChild("sync", configure: { $0.overrideProvider(setting) { _ in Part("SYNC") } }) { child in
      #expect(Pod.current.name == "sync")
      #expect(Pod.current.resolve(setting) === child.resolve(setting))
      #expect(Pod.current.resolve(setting).recipe == "SYNC")
    }
    await root.withChild("async", configure: { $0.overrideProvider(setting) { _ in Part("ASYNC") } }) { child in
      await Task.yield()
      #expect(Pod.current.name == "async")
      async let inChildTask = Pod.current.resolve(setting)
      #expect(await inChildTask === child.resolve(setting))
      #expect(child.resolve(setting).recipe == "ASYNC")
    }
    #expect(Pod.current.name != "sync" && Pod.current.name != "async")
    #expect(root.resolve(setting).recipe == "setting")
  }

  @Test("R19 withChild nests, returns what its operation returns and throws what it throws")
  func withChildResults() async throws {
    struct Refused: Error, Equatable { var number: Int }
    let root = Pod("root")
    let depth = root.withChild("one") { one in
      one.withChild("two") { two in [Pod.current.name, two.parent?.name, one.parent?.name] }
    }
    #expect(depth == ["two", "one", "root"])
    #expect(throws: Refused(number: 1)) {
      try root.withChild { (_: Pod) throws(Refused) in throw Refused(number: 1) }
    }
    await #expect(throws: Refused(number: 2)) {
      try await root.withChild { (_: Pod) async throws(Refused) in
        await Task.yield()
        throw Refused(number: 2)
      }
    }
  }

  @Test("R19 R20 what a builder resolves from the current child is not another child's, and ends with that child")
  func builderUsesCurrentPod() {
    let user = Provider("user", scope: OwnedScope()) { _ in Part("nobody") }
    let page = Provider("page") { _ in Part("page", [Pod.current.resolve(user)]) }
    let report = Provider("report") { Part("report", [$0.resolve(page)]) }
    let root = Pod("root")
    let ada = root.makeChild("Ada", owning: [OwnedScope()]) { $0.overrideProvider(user, withValue: Part("Ada")) }
    Pod.$current.withValue(ada) { #expect(root.resolve(report).recipe == "report(page(Ada))") }
    for name in ["Bob", "Eve"] {
      root.withChild(owning: [OwnedScope()], configure: { $0.overrideProvider(user, withValue: Part(name)) }) { child in
        #expect(child.resolve(report).recipe == "report(page(\(name)))")
        #expect(child.resolve(report) === child.resolve(report))
      }
    }
    root.withChild("Carl", configure: { $0.overrideProvider(user) { _ in Part("Carl") } }) { child in
      #expect(child.resolve(page).recipe == "page(Carl)")
    }
    #expect(root.resolve(report).recipe == "report(page(Ada))")
    func request(_ name: String) {
      root.withChild(configure: { $0.overrideProvider(user, withValue: Part(name)) }) { _ in
        #expect(root.resolve(report).recipe == "report(page(\(name)))")
      }
    }
    root.clearCachedInstance(of: report)
    root.clearCachedInstance(of: page)
    for name in ["Dan", "Fay"] { request(name) }
  }

  @Test("R19 another child's value does not pass through a provider or a factory between")
  func builderUsesCurrentPodIndirectly() {
    let user = Provider("user") { _ in Part("nobody") }
    let name = Provider("name") { Part("name", [$0.resolve(user)]) }
    final class Holder: Sendable {
      let make: @Sendable () -> Part
      init(_ make: @escaping @Sendable () -> Part) { self.make = make }
    }
    let page = Provider("page") { _ in Part("page", [Pod.current.resolve(name)]) }
    let holder = Provider("holder") { _ in Holder(Pod.current.factory(user)) }
    let deferring = Provider("deferring") { Holder($0.factory(user)) }
    let keeper = Provider("keeper") { _ in Holder(Pod.current.resolve(deferring).make) }
    let late = Provider("late") { _ in Holder(Pod.current.factory(name)) }
    let root = Pod("root")
    let ada = root.makeChild { $0.overrideProvider(user, withValue: Part("Ada")) }
    Pod.$current.withValue(ada) {
      _ = (root.resolve(page), root.resolve(holder), root.resolve(keeper), root.resolve(late).make())
    }
    root.withChild(configure: { $0.overrideProvider(user, withValue: Part("Bob")) }) { bob in
      #expect(bob.resolve(page).recipe == "page(name(Bob))")
      #expect(bob.resolve(holder).make().recipe == "Bob")
      #expect(bob.resolve(keeper).make().recipe == "Bob")
      #expect(bob.resolve(late).make().recipe == "name(Bob)")
      #expect(bob.resolve(keeper) === bob.resolve(keeper) && bob.resolve(late) === bob.resolve(late))
    }
  }
}
