import Testing

@testable import Peapod

/// Rules 11, 15, 19 and 27: what happens to a child while something is built for it concerns that alone.
@Suite struct ChildChangedDuringBuildTests {
  /// What takes the last override away.
  enum Way: CaseIterable {
    case removesOne, removesAll

    func apply<Value>(_ provider: Provider<Value>, in pod: Pod) {
      switch self {
      case .removesOne: pod.removeOverrideProvider(provider)
      case .removesAll: pod.removeAllOverrides()
      }
    }
  }

  private let user = Provider<String>("user") { _ in "root" }
  private let other = Provider<Int>("other") { _ in 1 }

  @Test(
    "R15 R19 R28 what is built while its child loses its last override is followed as ever", arguments: Way.allCases,
    [false, true])
  func lastOverride(way: Way, isOfUser: Bool) {
    let (user, other) = (user, other)
    for isSeenBefore in [false, true] {
      let root = Pod("root")
      let child = root.makeChild("child") { child in
        if isOfUser {
          child.overrideProvider(user, withValue: "child")
        } else {
          child.overrideProvider(other, withValue: 2)
        }
      }
      let count = Counter()
      let greeting = Provider("greeting") { pod in
        if isSeenBefore { _ = pod.resolve(other) }
        if count.increment() == 1 {
          if isOfUser { way.apply(user, in: child) } else { way.apply(other, in: child) }
        }
        return "hello \(pod.resolve(user))"
      }
      #expect(child.resolve(greeting) == "hello root")
      // What was built from an override that is removed meanwhile goes to who asked, and is not kept.
      let isKept = isOfUser || !isSeenBefore
      #expect(root.graph.dependencies(of: greeting).map(\.name).contains("user") == isKept)
      let sibling = root.makeChild("sibling") { $0.overrideProvider(user, withValue: "sibling") }
      #expect(sibling.resolve(greeting) == "hello sibling")
      child.overrideProvider(user, withValue: "child again")
      #expect(child.resolve(greeting) == "hello child again")
      root.overrideProvider(user, withValue: "root again")
      #expect(root.resolve(greeting) == "hello root again")
      #expect(sibling.resolve(greeting) == "hello sibling")
    }
  }

  @Test(
    "R10 R15 R19 what a builder resolves from its child, which it has just given its first override, is the child's alone"
  )
  func firstOverride() {
    let user = user
    let root = Pod("root")
    let child = root.makeChild("child")
    let isFirst = Locked(true)
    let greeting = Provider("greeting") { _ in
      if isFirst.withLock({ $0 }) { child.overrideProvider(user, withValue: "child") }
      return "hello \(child.resolve(user))"
    }
    #expect(child.resolve(greeting) == "hello child")
    isFirst.withLock { $0 = false }
    child.removeOverrideProvider(user)
    #expect(root.resolve(greeting) == "hello root")
  }

  @Test("R10 R15 R19 the same for what was built from it, also through a transient", arguments: [false, true])
  func dependentOfFirstOverride(isTransient: Bool) {
    let user = user
    let root = Pod("root")
    let child = root.makeChild("child")
    let isFirst = Locked(true)
    @Sendable func build(_ pod: Pod) -> String {
      if isFirst.withLock({ $0 }) { child.overrideProvider(user, withValue: "child") }
      return "hello \(child.resolve(user))"
    }
    let greeting =
      isTransient ? Provider("greeting", scope: .alwaysCreateNew, build) : Provider("greeting", build)
    let page = Provider("page") { _ in "page \(child.resolve(greeting))" }
    let book = Provider("book") { _ in "book \(child.resolve(page))" }
    #expect(child.resolve(book) == "book page hello child")
    isFirst.withLock { $0 = false }
    child.removeOverrideProvider(user)
    #expect(root.resolve(book) == "book page hello root")
    #expect(root.resolve(page) == "page hello root")
  }

  @Test("R10 R11 R19 an async builder that overrides in its child for a moment runs once")
  func momentaryOverride() async throws {
    let user = user
    let root = Pod("root")
    let child = root.makeChild("child")
    let builds = Counter()
    let greeting = AsyncProvider("greeting") { _ in
      builds.increment()
      child.overrideProvider(user, withValue: "child")
      defer { child.removeOverrideProvider(user) }
      return "hello \(child.resolve(user))"
    }
    #expect(try await child.resolve(greeting) == "hello child")
    #expect(builds.value == 1)
  }

  @Test("R10 R11 R19 an async dependent in the root, whose inner child has its first override meanwhile, is built once")
  func innerChildOfDependent() async throws {
    let user = user
    let builds = Counter()
    let greeting = AsyncProvider("greeting") { _ in
      Pod.current.overrideProvider(user, withValue: "child")
      return "hello \(Pod.current.resolve(user))"
    }
    let page = AsyncProvider("page") { pod in
      builds.increment()
      return try await pod.withChild { try await $0.resolve(greeting) }
    }
    #expect(try await Pod("root").resolve(page) == "hello child")
    #expect(builds.value == 1)
  }

  @Test("R10 R15 R19 the same for a task of the root that waits for the build")
  func firstOverrideAndWaiter() async throws {
    let user = user
    let root = Pod("root")
    let child = root.makeChild("child")
    let gate = AsyncGate()
    let builds = Counter()
    let greeting = AsyncProvider("greeting") { _ in
      guard builds.increment() == 1 else { return "hello \(Pod.current.resolve(user))" }
      await gate.wait()
      child.overrideProvider(user, withValue: "child")
      let name = child.resolve(user)
      await gate.wait()
      return "hello \(name)"
    }
    let ofChild = Task { try await Pod.$current.withValue(child) { try await child.resolve(greeting) } }
    await eventually("the greeting is being built") { gate.arrived == 1 }
    let ofRoot = Task { try await Pod.$current.withValue(root) { try await root.resolve(greeting) } }
    for _ in 0..<100 { await Task.yield() }
    gate.open()
    #expect(try await ofRoot.value == "hello root")
    #expect(try await ofChild.value == "hello child")
    #expect(try await root.resolve(greeting) == "hello root")
  }

  @Test("R5 R19 a child that makes a weak instance of its parent's again leaves the parent's alone")
  func livingWeakInstance() {
    let user = user
    let greeting = Provider("greeting", scope: .weak) { pod in
      // As though the child had never overridden it.
      if pod.name == "child" { pod.removeOverrideProvider(user) }
      return Part(pod.resolve(user))
    }
    let root = Pod("root")
    let parents = root.resolve(greeting)
    let child = root.makeChild("child") { $0.overrideProvider(user, withValue: "child") }
    withExtendedLifetime(child.resolve(greeting)) { own in
      #expect(root.resolve(greeting) === parents)
    }
  }

  @Test("R2 R15 R19 a child whose builder removes the override shares the singleton that its parent has")
  func sharesAgain() {
    struct FlowScope: ProviderScope {}
    let (user, other) = (user, other)
    let ended = Log(of: Part.self)
    let greeting = Provider("greeting") { pod in
      // As though the child had never overridden it.
      if pod.name == "child" { pod.removeOverrideProvider(user) }
      return Part(pod.resolve(user))
    } onDispose: {
      ended.append($0)
    }
    let root = Pod("root")
    let parents = root.resolve(greeting)
    let child = root.makeChild("child", owning: [FlowScope()]) { $0.overrideProvider(user, withValue: "child") }
    #expect(child.resolve(greeting) === parents)
    // The second instance, which no caller got.
    #expect(ended.drain().map { $0 === parents } == [false])
    // The search of this child has the masks of the root computed, so that readers may use the slots of the root.
    #expect(root.makeChild { $0.overrideProvider(other, withValue: 2) }.resolve(greeting) === parents)
    child.overrideProvider(other, withValue: 2)
    #expect(child.resolve(greeting) === parents)
    child.removeOverrideProvider(other)
    #expect(child.resolve(greeting) === parents)
    #expect(ended.entries.isEmpty)
  }

  @Test(
    "R19 the override of a released child does not reach the root through a build that goes on",
    arguments: [false, true])
  func releasedChild(isDeferred: Bool) async throws {
    let (begun, goOn) = (AsyncGate(), AsyncGate())
    let user = user
    let profile = AsyncProvider("profile") { pod in
      begun.open()
      await goOn.wait()
      return isDeferred ? pod.lazy(user).value : pod.resolve(user)
    }
    let page = AsyncProvider("page") { pod in "page of \(try await pod.resolve(profile))" }
    let root = Pod("root")
    var child: Pod? = root.makeChild("child") { $0.overrideProvider(user) { _ in "child" } }
    let inChild = Task { [child] in try await child!.resolve(profile) }
    await begun.wait()
    let inRoot = Task { try await root.resolve(page) }
    await eventually("both wait") { root.waiterCount(of: profile) == 2 }
    inChild.cancel()
    await #expect(throws: CancellationError.self) { try await inChild.value }
    weak let released = child
    child = nil
    await eventually("the child is released") { released == nil }
    goOn.open()
    #expect(try await inRoot.value == "page of root")
    #expect(try await root.resolve(page) == "page of root")
  }

  @Test("R8 R19 a child waits no longer for a build that has resolved what the child overrides")
  func waitsNoLonger() async throws {
    let (user, other) = (user, other)
    let unused = Provider { _ in 1 }
    let (entered, goOn, resolved, end) = (Gate(), Gate(), Gate(), Gate())
    let greeting = Provider("greeting") { pod in
      guard pod.name == "root" else { return "hello \(pod.resolve(user))" }
      entered.open()
      goOn.wait()
      _ = pod.resolve(other)
      let name = pod.resolve(user)
      resolved.open()
      end.wait()
      return "hello \(name)"
    }
    let root = Pod("root")
    let child = root.makeChild("child") { $0.overrideProvider(user, withValue: "child") }
    let sibling = root.makeChild("sibling") { $0.overrideProvider(unused, withValue: 2) }
    let inRoot = Worker { root.resolve(greeting) }
    await entered.pass()
    let (inChild, inSibling) = (Worker { child.resolve(greeting) }, Worker { sibling.resolve(greeting) })
    await eventually("both wait") { root.waiterCount(of: greeting) == 2 }
    goOn.open()
    await resolved.pass()
    #expect(try await inChild.value() == "hello child")
    #expect(root.waiterCount(of: greeting) == 1)
    end.open()
    #expect(try await inRoot.value() == "hello root")
    #expect(try await inSibling.value() == "hello root")
  }

  @Test("R8 R19 a child waits no longer for a build if it overrides meanwhile what the build has resolved")
  func overridesMeanwhile() async throws {
    let (user, other) = (user, other)
    let unused = Provider { _ in 1 }
    let (entered, goOn, end) = (Gate(), Gate(), Gate())
    let greeting = Provider("greeting") { pod in
      let name = pod.resolve(user)
      guard pod.name == "root" else { return "hello \(name)" }
      entered.open()
      goOn.wait()
      _ = pod.resolve(other)
      end.wait()
      return "hello \(name)"
    }
    let root = Pod("root")
    let child = root.makeChild("child") { $0.overrideProvider(unused, withValue: 2) }
    let inRoot = Worker { root.resolve(greeting) }
    await entered.pass()
    let inChild = Worker { child.resolve(greeting) }
    await eventually("the child waits") { root.waiterCount(of: greeting) == 1 }
    child.overrideProvider(user, withValue: "child")
    goOn.open()
    #expect(try await inChild.value() == "hello child")
    end.open()
    #expect(try await inRoot.value() == "hello root")
  }

  @Test("R19 R26 a child waits no longer for a build whose deferred dependency got an answer that the child changes")
  func answeredMeanwhile() async throws {
    let (user, other) = (user, other)
    let (entered, goOn, end) = (Gate(), Gate(), Gate())
    let page = Provider("page") { pod in "page of \(pod.resolve(user))" }
    let holder = Provider("holder") { pod in
      let make = pod.factory(page)
      guard pod.name == "root" else { return make }
      entered.open()
      goOn.wait()
      _ = pod.resolve(other)
      end.wait()
      return make
    }
    let root = Pod("root")
    let child = root.makeChild("child") { $0.overrideProvider(user, withValue: "child") }
    let inRoot = Worker { root.resolve(holder)() }
    await entered.pass()
    let inChild = Worker { child.resolve(holder)() }
    await eventually("the child waits") { root.waiterCount(of: holder) == 1 }
    #expect(root.resolve(page) == "page of root")
    goOn.open()
    #expect(try await inChild.value() == "page of child")
    end.open()
    #expect(try await inRoot.value() == "page of root")
  }

  @Test("R13 R19 a child does not receive the error of a build that uses what the child overrides")
  func errorOfParent() async throws {
    struct Offline: Error {}
    let (entered, goOn) = (Gate(), Gate())
    let connection = ThrowingProvider<String>("connection") { _ in throw Offline() }
    let report = ThrowingProvider<String>("report") { pod in
      if pod.name == "root" {
        entered.open()
        goOn.wait()
      }
      return "report of \(try pod.resolve(connection))"
    }
    let root = Pod("root")
    let child = root.makeChild("child") { $0.overrideProvider(connection, withValue: "cache") }
    let inRoot = Worker { try root.resolve(report) }
    await entered.pass()
    let inChild = Worker { try child.resolve(report) }
    await eventually("the child waits") { root.waiterCount(of: report) == 1 }
    goOn.open()
    await #expect(throws: Offline.self) { try await inRoot.value() }
    #expect(try await inChild.value() == "report of cache")
  }

  @Test("R20 a child clears the instance that it shares while another child builds an instance of its own")
  func clearedBesideBuild() async throws {
    let (user, other) = (user, other)
    let (entered, goOn) = (Gate(), Gate())
    let greeting = Provider("greeting") { pod in
      if pod.name == "building" {
        // So the other child would not share this instance.
        _ = pod.resolve(other)
        entered.open()
        goOn.wait()
      }
      return "hello \(pod.resolve(user))"
    }
    let root = Pod("root")
    _ = root.resolve(greeting)
    let building = root.makeChild("building") { $0.overrideProvider(user, withValue: "child") }
    let clearing = root.makeChild("clearing") { $0.overrideProvider(other, withValue: 2) }
    let inChild = Worker { building.resolve(greeting) }
    await entered.pass()
    clearing.clearCachedInstance(of: greeting)
    #expect(!root.isCached(greeting))
    goOn.open()
    #expect(try await inChild.value() == "hello child")
  }

  @Test("R15 R19 a child that asks after an override of the root does not get what the root began to build before")
  func rootOverride() async throws {
    let (user, other) = (user, other)
    let (entered, goOn) = (Gate(), Gate())
    let builds = Counter()
    let part = Provider("part") { pod in
      let name = pod.resolve(user)
      if builds.increment() == 1 {
        entered.open()
        goOn.wait()
      }
      return name
    }
    let whole = Provider("whole") { pod in "hello \(pod.resolve(part))" }
    let root = Pod("root")
    let child = root.makeChild { $0.overrideProvider(other, withValue: 2) }
    let inRoot = Worker { root.resolve(whole) }
    await entered.pass()
    root.overrideProvider(user, withValue: "Ada")
    let inChild = Worker { child.resolve(whole) }
    // What the root builds of the whole has resolved nothing yet, so the child waits for it.
    await eventually("the child waits") {
      root.state.withLock { held in
        root.state.firstInstance(of: whole.declaration, held)?.build?.status.load(ordering: .relaxed)
          == Build.Status.awaited
      }
    }
    goOn.open()
    #expect(try await inRoot.value() == "hello root")
    #expect(try await inChild.value() == "hello Ada")
    #expect(root.resolve(whole) == "hello Ada")
  }

  @Test("R15 R19 the same with an asynchronous builder", arguments: [false, true])
  func asynchronous(isDetached: Bool) async throws {
    let user = user
    let root = Pod("root")
    let child = root.makeChild("child") { $0.overrideProvider(user, withValue: "child") }
    let (started, finish) = (AsyncGate(), AsyncGate())
    let greeting = AsyncProvider("greeting") { pod in
      started.open()
      await finish.wait()
      return isDetached ? await Task.detached { "hello \(pod.resolve(user))" }.value : "hello \(pod.resolve(user))"
    }
    let asked = Task { try await child.resolve(greeting) }
    await started.wait()
    child.removeOverrideProvider(user)
    finish.open()
    #expect(try await asked.value == "hello root")
    let sibling = root.makeChild("sibling") { $0.overrideProvider(user, withValue: "sibling") }
    #expect(try await sibling.resolve(greeting) == "hello sibling")
    #expect(try await root.resolve(greeting) == "hello root")
  }

  @Test("R19 R26 the same with a handle", arguments: Way.allCases)
  func handles(way: Way) {
    final class Greeter: Sendable {
      let name: @Sendable () -> String
      init(_ name: @escaping @Sendable () -> String) { self.name = name }
    }
    let (user, other) = (user, other)
    let root = Pod("root")
    let child = root.makeChild("child") { $0.overrideProvider(other, withValue: 2) }
    let greeter = Provider("greeter") { pod in
      way.apply(other, in: child)
      return Greeter(pod.factory(user))
    }
    #expect(child.resolve(greeter).name() == "root")
    let sibling = root.makeChild("sibling") { $0.overrideProvider(user, withValue: "sibling") }
    #expect(sibling.resolve(greeter).name() == "sibling")
  }

  @Test(
    "R19 of three pods the middle one's instance stays in that, whichever loses its overrides",
    arguments: [false, true])
  func threePods(isOfLeaf: Bool) {
    let user = user
    let root = Pod("root")
    let middle = root.makeChild("middle") { $0.overrideProvider(user, withValue: "middle") }
    let leaf = middle.makeChild("leaf")
    if isOfLeaf { leaf.overrideProvider(user, withValue: "leaf") }
    let count = Counter()
    let greeting = Provider("greeting") { pod in
      if count.increment() == 1 { (isOfLeaf ? leaf : middle).removeAllOverrides() }
      return "hello \(pod.resolve(user))"
    }
    let expected = isOfLeaf ? "hello middle" : "hello root"
    #expect(leaf.resolve(greeting) == expected)
    #expect(leaf.resolve(greeting) == expected)
    #expect(middle.resolve(greeting) == expected)
    #expect(root.resolve(greeting) == "hello root")
    leaf.overrideProvider(user, withValue: "leaf")
    #expect(leaf.resolve(greeting) == "hello leaf")
    middle.overrideProvider(user, withValue: "middle again")
    #expect(middle.resolve(greeting) == "hello middle again")
    #expect(root.resolve(greeting) == "hello root")
  }

  @Test("R15 R19 R27 a dependent of what a child built again has the parent's instance")
  func dependentOfSecondInstance() async throws {
    final class Whole: Sendable {
      let part: Part
      init(_ part: Part) { self.part = part }
    }
    let user = user
    let root = Pod("root")
    let removes = Locked<Pod?>(nil)
    let part = Provider("part") { pod in
      // As though the child had never overridden it.
      removes.withLock { $0 }?.removeOverrideProvider(user)
      return Part(pod.resolve(user))
    }
    let whole = Provider("whole") { Whole($0.resolve(part)) }
    let parents = root.resolve(part)
    let child = root.makeChild("child") { $0.overrideProvider(user, withValue: "child") }
    removes.withLock { $0 = child }
    let made = child.resolve(whole)
    removes.withLock { $0 = nil }
    #expect(made.part === parents)
    #expect(root.resolve(whole) === made)
    #expect(child.resolve(whole) === made)
  }

  @Test("R11 R15 R19 what was asked of the child while it changed nothing counts when it changes something again")
  func changesAgain() {
    let user = user
    let root = Pod("root")
    let child = root.makeChild("child") { $0.overrideProvider(user, withValue: "child") }
    let isFirst = Locked(true)
    let part = Provider("part") { pod in
      if isFirst.withLock({ $0 }) { child.overrideProvider(user, withValue: "child again") }
      return "part of \(pod.resolve(user))"
    }
    let whole = Provider("whole") { pod in
      if isFirst.withLock({ $0 }) { child.removeOverrideProvider(user) }
      return "\(pod.resolve(part)), \(pod.resolve(user))"
    }
    #expect(child.resolve(whole) == "part of root, child again")
    isFirst.withLock { $0 = false }
    #expect(child.resolve(whole) == "part of child again, child again")
    #expect(root.resolve(whole) == "part of root, root")
  }
}
