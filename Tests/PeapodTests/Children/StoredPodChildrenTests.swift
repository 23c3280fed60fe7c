import Foundation
import Testing

@testable import Peapod

/// Rules 20 and 27: pods below a stored pod whose own pod has gone.
@Suite(.timeLimit(.minutes(20))) struct StoredPodChildrenTests {
  private struct PageScope: ProviderScope {}

  /// Stores the pod that its builder was given.
  private final class Keeper: Sendable {
    let pod: Pod
    init(_ pod: Pod) { self.pod = pod }
  }

  /// A pod that a builder was given, and that outlives the pod for which the builder ran.
  private static func storedPod(_ use: (Pod) -> Void = { _ in }) -> Pod {
    let pod = Pod()
    let stored = pod.resolve(Provider { Keeper($0) }).pod
    use(stored)
    return stored
  }

  @Test("R27 what a child made before its pod went keeps is disposed when the stored pod is")
  func disposeReachesEarlierChild() {
    let disposed = Log(of: String.self)
    let page = Provider(scope: PageScope(), { _ in "page" }, onDispose: { disposed.append($0) })
    var children: [Pod] = []
    let stored = Self.storedPod { children.append($0.makeChild(owning: [PageScope()])) }
    #expect(children[0].resolve(page) == "page")
    stored.dispose()
    #expect(disposed.entries == ["page"])
    #expect(!children[0].isCached(page))
    withExtendedLifetime(children) {}
  }

  /// The builder of the holder depends on nothing that the request changes, so the root shares the holder.
  @Test("R10 R19 what a thread built in an inner child from the request's override stays with the request")
  func builtByThread() {
    let disposed = Log(of: String.self)
    let user = Provider("user") { _ in "nobody" }
    let theme = Provider("theme") { _ in "light" }
    let elsewhere = Pod("elsewhere")
    let page = Provider("page", { "\($0.resolve(user)) in \($0.resolve(theme))" }, onDispose: { disposed.append($0) })
    let part = Provider("part") { pod in
      let (theme, make) = (pod.resolve(theme), elsewhere.factory(user))
      return Lazy { theme + make() }
    } onDispose: { _ in
      disposed.append("part")
    }
    let holder = Provider("holder") { pod in
      let inner = pod.makeChild("inner") { $0.overrideProvider(theme, withValue: "dark") }
      _ = inner.resolve(part)
      Self.onThread { _ = inner.resolve(page) }
      return Keeper(inner)
    }
    _ = elsewhere.resolve(user)
    let root = Pod("root")
    let request = root.makeChild("request") { $0.overrideProvider(user, withValue: "Ada") }
    let inner = request.resolve(holder).pod
    #expect(root.resolve(holder).pod === inner)
    #expect(inner.resolve(page) == "nobody in dark")
    #expect(inner.isCached(part))
    #expect(disposed.entries == ["Ada in dark"])
  }

  @Test(
    "R10 R19 what a thread builds in an inner child until after the builder stays with the request's scope",
    arguments: [false, true])
  func builtByThreadLater(isNested: Bool) {
    let theme = Provider("theme") { _ in "light" }
    let other = Provider("other") { _ in 1 }
    let session = Provider("session", scope: PageScope()) { _ in Counter() }
    let (hasResolved, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let page = Provider("page", scope: .singleton) { pod in
      _ = pod.resolve(theme)
      let session = pod.resolve(session)
      hasResolved.signal()
      mayEnd.wait()
      return session
    }
    let hasEnded = DispatchSemaphore(value: 0)
    let holder = Provider("holder") { pod in
      let inner = pod.makeChild("inner") { $0.overrideProvider(theme, withValue: "dark") }
      Thread.detachNewThread {
        _ = (isNested ? inner.makeChild { $0.overrideProvider(other, withValue: 2) } : inner).resolve(page)
        hasEnded.signal()
      }
      hasResolved.wait()
      return Keeper(inner)
    }
    let root = Pod("root")
    let request = root.makeChild("request", owning: [PageScope()])
    let inner = request.resolve(holder).pod
    mayEnd.signal()
    hasEnded.wait()
    mayEnd.signal()
    #expect(root.resolve(holder).pod === inner)
    #expect(inner.resolve(page) === root.resolve(session))
  }

  private static func onThread(_ body: @escaping @Sendable () -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      body()
      isDone.signal()
    }
    isDone.wait()
  }

  @Test("R27 the end of a child made before its pod went leaves those made after it below the stored pod")
  func endOfEarlierChild() {
    let disposed = Log(of: String.self)
    let page = Provider(scope: PageScope(), { _ in "page" }, onDispose: { disposed.append($0) })
    let one = Provider { _ in 1 }
    var earlier: [Pod] = []
    let stored = Self.storedPod { earlier.append($0.makeChild()) }
    #expect(earlier[0].resolve(one) == 1)
    let later = stored.makeChild(owning: [PageScope()])
    #expect(later.resolve(page) == "page")
    earlier = []
    stored.dispose()
    #expect(disposed.entries == ["page"])
    withExtendedLifetime(later) {}
  }

  @Test("R27 children made before their pod went end, and the stored pod is used on (AddressSanitizer)")
  func endOfSeveralEarlierChildren() {
    let one = Provider { _ in 1 }
    var children: [Pod] = []
    let stored = Self.storedPod { stored in children = (0..<4).map { stored.makeChild("\($0)") } }
    #expect(children[3].resolve(one) == 1)
    children.removeLast()
    children = []
    stored.dispose()
    #expect(stored.resolve(one) == 1)
  }

  @Test("R19 R26 R27 an override that an ended parent had counts for a child's holder of a factory")
  func questionOfEndedParent() {
    final class Holder: Sendable {
      let make: @Sendable () -> Int
      init(_ make: @escaping @Sendable () -> Int) { self.make = make }
    }
    let number = Provider { _ in 0 }
    let holder = Provider(scope: PageScope()) { Holder($0.factory(number)) }
    func makeChild() -> (Pod, Pod) {
      let root = Pod()
      root.overrideProvider(number, withValue: 1)
      let stored = root.resolve(Provider { Keeper($0) }).pod
      let child = stored.makeChild(owning: [PageScope()])
      #expect(child.resolve(holder).make() == 1)
      return (stored, child)
    }
    let (stored, child) = makeChild()
    let inner = child.makeChild { $0.overrideProvider(number, withValue: 2) }
    #expect(inner.resolve(holder).make() == 2)
    #expect(child.resolve(holder).make() == 1)
    withExtendedLifetime(stored) {}
  }

  @Test("R15 R27 an override that an ended pod had is removed through a stored pod")
  func removalThroughStoredPod() {
    let disposed = Log(of: String.self)
    let setting = Provider(scope: OwnedScope()) { _ in "plain" }
    let page = Provider(scope: PageScope(), { $0.resolve(setting) }, onDispose: { disposed.append($0) })
    func makeChild() -> (Pod, Pod) {
      let root = Pod("root")
      root.overrideProvider(setting, withValue: "changed")
      let stored = root.resolve(Provider { Keeper($0) }).pod
      let child = stored.makeChild(owning: [PageScope(), OwnedScope()])
      #expect(child.resolve(page) == "changed")
      return (stored, child)
    }
    let (stored, child) = makeChild()
    #expect(child.resolve(page) == "changed")
    #expect(disposed.entries.isEmpty)
    stored.removeOverrideProvider(setting)
    #expect(disposed.entries == ["changed"])
    #expect(child.resolve(page) == "plain")
  }

  @Test("R15 R27 what an override of an ended pod hid in a child returns when a stored pod removes the override")
  func hiddenInstanceReturns() {
    final class Page: Sendable {
      let setting: String
      init(_ setting: String) { self.setting = setting }
    }
    let setting = Provider { _ in "plain" }
    let page = Provider(scope: PageScope()) { Page($0.resolve(setting)) }
    func makeChild() -> (Pod, Pod, Page) {
      let root = Pod("root")
      let stored = root.resolve(Provider { Keeper($0) }).pod
      let child = stored.makeChild(owning: [PageScope()])
      let first = child.resolve(page)
      root.overrideProvider(setting, withValue: "changed")
      #expect(child.resolve(page).setting == "changed")
      return (stored, child, first)
    }
    let (stored, child, first) = makeChild()
    stored.removeOverrideProvider(setting)
    #expect(child.resolve(page) === first)
  }

  @Test("R20 R27 a child's own instance of an override stays when the pod with the override has ended")
  func ownInstanceOfOverrideStays() {
    let builds = Counter()
    let page = Provider(scope: PageScope()) { _ in 0 }
    func makeChild() -> (Pod, Pod) {
      let root = Pod("root")
      root.overrideProvider(page) { _ in builds.increment() }
      let stored = root.resolve(Provider { Keeper($0) }).pod
      let child = stored.makeChild(owning: [PageScope()])
      #expect(child.resolve(page) == 1)
      return (stored, child)
    }
    let (stored, child) = makeChild()
    #expect(child.resolve(page) == 1)
    withExtendedLifetime(stored) {}
  }

  @Test("R17 R27 a pod is not taken for an ended pod that had the same address")
  func addressOfEndedPod() throws {
    let base = ThrowingProvider { _ in "original" }
    let unrelated = Provider { _ in 0 }
    let keeper = Provider(scope: .alwaysCreateNew) { Keeper($0) }
    func makeStored() -> Pod {
      let pod = Pod()
      pod.overrideProvider(base) { "decorated(\(try $0.resolve(base)))" }
      // The pod that continues after the end has the override. It is of the first pod, which nothing retains then.
      let first = { pod.resolve(keeper).pod }()
      return first
    }
    let stored = { makeStored().resolve(keeper).pod }()
    for _ in 0..<100 {
      let child = stored.makeChild { $0.overrideProvider(unrelated, withValue: 1) }
      #expect(try child.resolve(base) == "decorated(original)")
    }
  }

  @Test("R15 R27 a stored child does not get another parent while a change visits the pods")
  func childStaysDuringChange() async throws {
    let root = Pod("root")
    let request = root.makeChild("request") { $0.overrideProvider(Provider { _ in 0 }, withValue: 1) }
    let (hasChild, mayEnd) = (Gate(), Gate())
    // The instance lives in the root, although the builder runs for the request.
    let keeper = Provider { pod in
      let child = Keeper(pod.makeChild("child"))
      hasChild.open()
      mayEnd.wait()
      return child
    }
    let worker = Worker { request.resolve(keeper).pod.parent?.name }
    await hasChild.pass()
    func isListed(in pod: Pod) -> Bool { pod.state.children.all.contains { $0.name == "child" } }
    let isSteady = root.state.changing { _ in
      mayEnd.open()
      // The builder ends meanwhile.
      for _ in 0..<100 where isListed(in: request) { usleep(1_000) }
      return isListed(in: request)
    }
    #expect(isSteady)
    #expect(try await worker.value() == "root")
    #expect(isListed(in: root) && !isListed(in: request))
  }

  enum Change: CaseIterable, Sendable { case override, removeOverride, dispose, shutdown, clear }

  @Test(
    "R15 R20 R27 changes of the root reach the child of a stored pod whose own pod has gone",
    arguments: Change.allCases,
    [1, 2])
  func changeOfRoot(change: Change, levels: Int) async {
    let disposed = Log(of: String.self)
    let setting = Provider(scope: OwnedScope()) { _ in "plain" }
    let mark = Provider { _ in 0 }
    let page = Provider(
      scope: PageScope(), { pod in "\(pod.resolve(mark)) \(pod.resolve(setting))" },
      onDispose: { disposed.append($0) })
    let part = Provider(scope: OwnedScope(), { _ in "part" }, onDispose: { disposed.append($0) })
    let root = Pod("root")
    if change == .removeOverride { root.overrideProvider(setting, withValue: "changed") }
    /// Makes the child of a stored pod; the pods between the root and the child end.
    func makeChild() -> Pod {
      var pod = root
      for level in 0..<levels { pod = pod.makeChild("\(level)") { $0.overrideProvider(mark, withValue: level + 1) } }
      let keeper = Provider { pod in (pod.resolve(mark), Keeper(pod)).1 }
      let child = pod.resolve(keeper).pod.makeChild("child", owning: [PageScope()]) {
        $0.overrideProvider(Provider { _ in 0 }, withValue: 1)
      }
      _ = (child.resolve(page), child.resolve(part))
      return child
    }
    let child = makeChild()
    let (plain, changed) = ("\(levels) plain", "\(levels) changed")
    switch change {
    case .override:
      root.overrideProvider(setting, withValue: "changed")
      #expect(child.resolve(page) == changed)
      root.removeOverrideProvider(setting)
      #expect(child.resolve(page) == plain)
      #expect(disposed.entries == [changed])
    case .removeOverride:
      root.removeOverrideProvider(setting)
      #expect(disposed.entries == [changed])
      #expect(child.resolve(page) == plain)
    case .dispose, .shutdown:
      if change == .dispose { root.dispose() } else { await root.shutdown() }
      #expect(Set(disposed.entries) == [plain, "part"])
    case .clear:
      root.clearCachedInstances(forScope: PageScope())
      #expect(disposed.entries == [])
      root.clearCachedInstances(forScope: OwnedScope())
      #expect(disposed.entries == ["part"])
    }
    withExtendedLifetime(child) {}
  }

  @Test("R15 R20 R27 overrides of a stored pod reach the child from before its own pod went", arguments: [false, true])
  func changeOfStoredPod(isUsed: Bool) {
    let disposed = Log(of: String.self)
    let setting = Provider { _ in "plain" }
    let page = Provider(scope: PageScope(), { $0.resolve(setting) }, onDispose: { disposed.append($0) })
    var children: [Pod] = []
    let stored = Self.storedPod { stored in
      children = [stored.makeChild(owning: [PageScope()])]
      #expect(children[0].resolve(page) == "plain")
    }
    if isUsed { #expect(stored.resolve(page) == "plain") }
    stored.overrideProvider(setting, withValue: "changed")
    #expect(children[0].resolve(page) == "changed")
    stored.removeOverrideProvider(setting)
    #expect(disposed.entries == ["changed"])
    #expect(children[0].resolve(page) == "plain")
    stored.overrideProvider(page) { _ in "page" }
    #expect(children[0].resolve(page) == "page" && stored.resolve(page) == "page")
    stored.removeOverrideProvider(page)
    #expect(disposed.entries == ["changed", "page", "page"])
    #expect(children[0].resolve(page) == "plain")
  }

  @Test("R27 the shutdown of a stored pod waits for closures that the child from before was running") @MainActor
  func shutdownOfStoredPod() async throws {
    let (finish, log) = (AsyncGate(), Log(of: String.self))
    let page = AsyncProvider(scope: PageScope()) { _ in
      "page"
    } onDispose: { page in
      await finish.wait()
      log.append(page)
    }
    var pod: Pod? = Pod()
    let stored = try #require(pod).resolve(Provider { Keeper($0) }).pod
    let child = stored.makeChild(owning: [PageScope()])
    _ = try await child.resolve(page)
    child.clearCachedInstances(forScope: PageScope())
    await eventually("the closure runs") { finish.arrived == 1 }
    pod = nil
    let shutdown = await begin {
      await stored.shutdown()
      log.append("over")
    }
    for _ in 0..<100 { await Task.yield() }
    #expect(log.entries == [])
    finish.open()
    try await shutdown.value
    #expect(log.entries == ["page", "over"])
    withExtendedLifetime(child) {}
  }

  @Test("R27 a builder that outlives its pod gets its instance disposed before what it resolved after the end")
  func endDuringBuild() {
    final class Owner: @unchecked Sendable { var pod: Pod? }
    let (disposed, owner, root) = (Log(of: String.self), Owner(), Pod("root"))
    let mark = Provider { _ in 0 }
    let setting = Provider("setting", { _ in "plain" }, onDispose: { disposed.append($0) })
    let keeper = Provider { pod in (pod.resolve(mark), Keeper(pod)).1 }
    let page = Provider(
      "page",
      { pod in
        owner.pod = nil
        return "page of \(pod.resolve(setting))"
      }, onDispose: { disposed.append($0) })
    owner.pod = root.makeChild {
      $0.overrideProvider(mark, withValue: 1)
      $0.overrideProvider(setting) { _ in "setting" }
    }
    let stored = owner.pod!.resolve(keeper).pod
    #expect(stored.resolve(page) == "page of setting")
    #expect(disposed.entries == ["page of setting", "setting"])
  }

  @Test("R20 a pod that acts for a stored pod's own does not retain those before it, once their children have ended")
  func generations() {
    let keeper = Provider { Keeper($0) }
    weak var first: PodState?
    var stored = Pod().resolve(keeper).pod
    first = stored.state
    #expect(first != nil)
    for _ in 0..<3 { stored = stored.resolve(keeper).pod }
    #expect(first == nil)
    stored.overrideProvider(keeper) { Keeper($0) }
    #expect(stored.resolve(keeper).pod !== stored)
  }

  @Test("R28 a diagram shows the child of a stored pod once, below the pod that acts for the ended pod")
  func graph() {
    let root = Pod("root")
    let mark = Provider { _ in 0 }
    func makeChild() -> (Pod, Pod) {
      let gone = root.makeChild("gone") { $0.overrideProvider(mark, withValue: 1) }
      let stored = gone.resolve(Provider { pod in (pod.resolve(mark), Keeper(pod)).1 }).pod
      return (stored, stored.makeChild("child"))
    }
    let (stored, child) = makeChild()
    for isUsed in [false, true] {
      if isUsed { #expect(stored.resolve(mark) == 1) }
      let children = root.graph.children
      #expect(children.map(\.name) == ["gone"])
      #expect(children.first?.children.map(\.name) == ["child"])
    }
    #expect(stored.graph.children.map(\.name) == ["child"])
    withExtendedLifetime(child) {}
  }

  @Test("R20 when the last child of a stored pod ends, the pods that have gone above it leave the list of the root")
  func lastChildEnds() {
    let root = Pod("root")
    var children: [Pod] = []
    func makeChildren() {
      let mark = Provider { _ in 0 }
      let gone = root.makeChild("upper").makeChild("lower") { $0.overrideProvider(mark, withValue: 1) }
      let stored = gone.resolve(Provider { pod in (pod.resolve(mark), Keeper(pod)).1 }).pod
      children = [stored.makeChild(), stored.makeChild()]
    }
    makeChildren()
    #expect(root.state.children.all.map(\.name) == ["upper"])
    children.removeLast()
    #expect(root.state.children.all.count == 1)
    children.removeLast()
    #expect(root.state.children.all.isEmpty)
  }
}
