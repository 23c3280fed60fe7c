import Testing

@testable import Peapod

/// Rules 11, 19 and 27: a child that goes while a stored pod of it builds leaves nothing of its own to its parent.
@Suite struct StoredPodDuringBuildTests {
  private final class Keeper: Sendable {
    let pod: Pod
    init(_ pod: Pod) { self.pod = pod }
  }

  private let user = Provider<String>("user", scope: AccountScope()) { _ in "nobody" }
  private let keeper: Provider<Keeper>

  init() {
    let user = user
    keeper = Provider("keeper", scope: AccountScope()) { pod in
      _ = pod.resolve(user)
      return Keeper(pod)
    }
  }

  /// A root, a child of a user, the only reference to that, and what stored a pod of it.
  private func start(_ name: String, below root: Pod) -> (child: Locked<Pod?>, stored: Pod) {
    let child = Locked<Pod?>(child(of: name, below: root))
    let stored = child.withLock { $0 }.map { $0.resolve(keeper).pod } ?? root
    return (child, stored)
  }

  private func child(of name: String, below root: Pod) -> Pod {
    root.makeChild(name, owning: [AccountScope()]) { $0.overrideProvider(user, withValue: name) }
  }

  private static func drop(_ child: Locked<Pod?>) {
    let last = child.withLock { child in
      defer { child = nil }
      return child
    }
    withExtendedLifetime(last) {}
  }

  @Test(
    "R11 R19 what was built beside the end of its pod goes to who asked, and is not kept", arguments: [false, true],
    [false, true])
  func synchronous(asksBefore: Bool, isNested: Bool) {
    let root = Pod("root")
    let ada = start("Ada", below: root)
    let user = user
    let name = Provider("name", scope: .graph) { $0.resolve(user) }
    let ended = Counter()
    let greeting = Provider("greeting") { pod in
      if asksBefore { _ = pod.resolve(user) }
      Self.drop(ada.child)
      return "hello \(isNested ? pod.resolve(name) : pod.resolve(user))"
    } onDispose: { _ in
      ended.increment()
    }
    #expect(ada.stored.resolve(greeting) == "hello Ada")
    #expect(ended.value == 1)
    #expect(!root.isCached(greeting))
    #expect(child(of: "Bob", below: root).resolve(greeting) == "hello Bob")
    #expect(!root.isCached(greeting))
  }

  @Test("R11 R19 the same with an asynchronous builder", arguments: [false, true])
  func asynchronous(isDetached: Bool) async throws {
    let root = Pod("root")
    let ada = start("Ada", below: root)
    let user = user
    let greeting = AsyncProvider("greeting") { pod in
      await Task.yield()
      Self.drop(ada.child)
      return isDetached ? await Task.detached { "hello \(pod.resolve(user))" }.value : "hello \(pod.resolve(user))"
    }
    #expect(try await ada.stored.resolve(greeting) == "hello Ada")
    #expect(!root.isCached(greeting))
    #expect(try await child(of: "Bob", below: root).resolve(greeting) == "hello Bob")
  }

  @Test("R11 R19 R26 the same where the builder makes a handle")
  func handles() {
    final class Greeter: Sendable {
      let name: @Sendable () -> String
      init(_ name: @escaping @Sendable () -> String) { self.name = name }
    }
    let root = Pod("root")
    let ada = start("Ada", below: root)
    let user = user
    let greeter = Provider("greeter") { pod in
      Self.drop(ada.child)
      return Greeter(pod.factory(user))
    }
    #expect(ada.stored.resolve(greeter).name() == "Ada")
    #expect(!root.isCached(greeter))
    #expect(child(of: "Bob", below: root).resolve(greeter).name() == "Bob")
  }

  @Test("R19 what is built of what the parent has is kept by that all the same")
  func ofTheParent() {
    let root = Pod("root")
    let ada = start("Ada", below: root)
    let number = Provider("number") { _ in 7 }
    let text = Provider("text") { pod in
      Self.drop(ada.child)
      return "\(pod.resolve(number))"
    }
    #expect(ada.stored.resolve(text) == "7")
    #expect(root.isCached(number))
    #expect(root.isCached(text))
  }

  @Test("R19 R27 the pod of its builder stands for the parent, also when that has gone")
  func standsForTheParent() {
    let stored = Locked<Pod?>(nil)
    var root: Pod? = Pod("root")
    let ada = start("Ada", below: root!)
    let (number, other) = (Provider("number") { _ in 7 }, Provider("other") { _ in 1 })
    ada.child.withLock { $0 }?.overrideProvider(number, withValue: 8)
    let text = Provider("text") { pod in
      Self.drop(ada.child)
      // The pod that the builder received gets a successor, since the child has gone.
      _ = pod.resolve(other)
      stored.withLock { $0 = pod }
      return "text"
    }
    _ = ada.stored.resolve(text)
    #expect(root?.isCached(text) == true)
    let pod = stored.withLock { $0 }
    #expect(pod?.resolve(number) == 7)
    root = nil
    #expect(pod?.resolve(number) == 7)
  }

  @Test("R15 R19 a stored pod does not share what the root built from an override of its own before it ended")
  func instanceOfEndedRoot() {
    let user = Provider("user") { _ in "nobody" }
    let page = Provider("page") { "page of \($0.resolve(user))" }
    let keeper = Provider("keeper") { pod in
      _ = pod.resolve(user)
      return Keeper(pod)
    }
    func start() -> (stored: Pod, pageOfRoot: Instance) {
      let root = Pod("root")
      root.overrideProvider(user) { _ in "root" }
      let (value, instance): (String, Instance) = Engine.valueAndInstance(page.declaration, in: root)
      #expect(value == "page of root")
      let child = root.makeChild { $0.overrideProvider(user, withValue: "Ada") }
      return (child.resolve(keeper).pod, instance)
    }
    let (stored, pageOfRoot) = start()
    // A search that found the instance just before the root ended decides now.
    #expect(!stored.currentState.shares(pageOfRoot))
    #expect(stored.resolve(page) == "page of Ada")
  }

  @Test("R11 R27 the same where the pod above goes too: each layer goes once", arguments: [false, true])
  func withThePodAbove(isNested: Bool) {
    weak var above: AnyObject?
    weak var below: AnyObject?
    do {
      let root = Locked<Pod?>(Pod("root"))
      let ada = start("Ada", below: root.withLock { $0 } ?? Pod())
      above = root.withLock { $0?.state }
      below = ada.child.withLock { $0?.state }
      let user = user
      let name = Provider("name") { $0.resolve(user) }
      // The provider retains what its builder captures, and its instance retains the provider.
      let adasChild = ada.child
      let greeting = Provider("greeting") { pod in
        Self.drop(adasChild)
        Self.drop(root)
        return "hello \(isNested ? pod.resolve(name) : pod.resolve(user))"
      }
      #expect(ada.stored.resolve(greeting) == "hello Ada")
      #expect(above != nil && below != nil)
      #expect(ada.stored.resolve(greeting) == "hello Ada")
    }
    #expect(above == nil)
    #expect(below == nil)
  }

  @Test("R25 R27 what is built for one use ends well though all pods go meanwhile, one after the other")
  func oneUse() async throws {
    weak var above: AnyObject?
    let ended = Counter()
    do {
      let user = user
      let plain = Provider("plain") { Keeper($0) }
      let root = Locked<Pod?>(Pod("root"))
      above = root.withLock { $0?.state }
      let storedAbove = Locked<Pod?>(root.withLock { $0 }?.resolve(plain).pod)
      let child = Locked<Pod?>(storedAbove.withLock { $0 }.map { self.child(of: "Ada", below: $0) })
      Self.drop(storedAbove)
      let stored = try #require(child.withLock { $0 }).resolve(keeper).pod
      let greeting = Provider("greeting") { pod in
        Self.drop(root)
        // The child goes on below what goes on for the root, which nothing but the child keeps.
        _ = pod.resolve(plain)
        Self.drop(child)
        return "hello \(pod.resolve(user))"
      } onDispose: { _ in
        ended.increment()
      }
      stored.withFreshInstance(of: greeting) { #expect($0 == "hello Ada") }
    }
    #expect(ended.value == 1)
    #expect(above == nil)
  }

  @Test("R25 R27 what is built for one use in a child lets each layer go once")
  func oneUseInChild() {
    weak var above: AnyObject?
    weak var below: AnyObject?
    do {
      let user = user
      let greeting = Provider("greeting") { "hello \($0.resolve(user))" }
      let root = Pod("root")
      let child = child(of: "Ada", below: root)
      (above, below) = (root.state, child.state)
      for _ in 0..<3 { child.withFreshInstance(of: greeting) { #expect($0 == "hello Ada") } }
      #expect(above != nil && below != nil)
    }
    #expect(above == nil)
    #expect(below == nil)
  }
}
