import Dispatch
import Peapod
import Testing

/// Rules 15, 19 and 26: what an asynchronous builder, or any builder for a child, has a detached task or another thread ask its
/// own pod for counts as asked by the builder.
@Suite struct AskedElsewhereTests {
  private final class User: Sendable {}
  private final class Service: Sendable {
    let user: User
    init(_ user: User) { self.user = user }
  }

  private final class Holder: Sendable {
    let make: @Sendable () -> User
    init(_ make: @escaping @Sendable () -> User) { self.make = make }
  }

  private let user = Provider("user", scope: AccountScope()) { _ in User() }

  /// How a builder asks elsewhere.
  enum Way: CaseIterable {
    case detachedTask, queue

    func ask<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
      switch self {
      case .detachedTask: await Task.detached { body() }.value
      case .queue:
        await withCheckedContinuation { next in DispatchQueue.global().async { next.resume(returning: body()) } }
      }
    }
  }

  /// Asks another thread, and blocks.
  private static func blocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
    do { return try Worker(body).join() } catch { fatalError("\(error)") }
  }

  private func expectOwn(_ service: Provider<Service>, isKept: Bool = true) {
    let root = Pod("root")
    let (one, other) = (root.makeChild(owning: [AccountScope()]), root.makeChild(owning: [AccountScope()]))
    let first = one.resolve(service)
    let second = other.resolve(service)
    #expect(first.user !== second.user)
    #expect(first.user === one.resolve(user))
    #expect(second.user === other.resolve(user))
    if isKept { #expect(one.resolve(service) === first) }
    #expect(!root.isCached(service))
  }

  @Test(
    "R19 what an async builder has others ask for keeps its instance in the child that owns the scope",
    arguments: Way.allCases)
  func asynchronous(way: Way) async throws {
    let user = user
    let service = AsyncProvider("service") { pod in await way.ask { Service(pod.resolve(user)) } }
    for isThere in [false, true] {
      let root = Pod("root")
      let (one, other) = (root.makeChild(owning: [AccountScope()]), root.makeChild(owning: [AccountScope()]))
      if isThere { for child in [one, other] { _ = child.resolve(user) } }
      let first = try await one.resolve(service)
      let second = try await other.resolve(service)
      #expect(first.user !== second.user)
      #expect(second.user === other.resolve(user))
      #expect(try await one.resolve(service) === first)
      #expect(!root.isCached(service))
      #expect(one.graph.dependencies(of: service).map(\.name) == ["user"])
    }
  }

  @Test("R19 what a synchronous builder has another thread ask for keeps its instance in the child that owns the scope")
  func synchronous() {
    let user = user
    expectOwn(Provider("service") { pod in Service(Self.blocking { pod.resolve(user) }) })
  }

  @Test("R19 it counts through a transient, through a member, and for what is built around it")
  func indirectly() {
    let user = user
    let transient = Provider(scope: .alwaysCreateNew) { $0.resolve(user) }
    let member = Provider.family("member") { (pod: Pod, _: Int) in pod.resolve(user) }
    expectOwn(Provider("service") { pod in Service(Self.blocking { pod.resolve(transient) }) })
    expectOwn(Provider("service") { pod in Service(Self.blocking { pod.resolve(member(1)) }) })
    let whole = Provider("whole") { pod in Service(Self.blocking { pod.resolve(user) }) }
    expectOwn(Provider("service", scope: .alwaysCreateNew) { $0.resolve(whole) }, isKept: false)
  }

  @Test("R19 R26 a handle that another thread makes of the builder's pod counts as one that the builder made")
  func handles() {
    let user = user
    let holder = Provider("holder") { pod in Self.blocking { Holder(pod.factory(user)) } }
    let root = Pod("root")
    let (one, other) = (root.makeChild(owning: [AccountScope()]), root.makeChild(owning: [AccountScope()]))
    #expect(one.resolve(holder) !== other.resolve(holder))
    #expect(other.resolve(holder).make() === other.resolve(user))
  }

  @Test(
    "R15 R19 an override in the child, and one that follows, reaches what was asked for elsewhere",
    arguments: Way.allCases)
  func overrides(way: Way) async throws {
    let number = Provider("number") { _ in 1 }
    let text = AsyncProvider("text") { pod in await way.ask { "\(pod.resolve(number))" } }
    let root = Pod("root")
    let child = root.makeChild(owning: [OwnedScope()]) { $0.overrideProvider(number) { _ in 3 } }
    #expect(try await child.resolve(text) == "3")
    child.overrideProvider(number, withValue: 4)
    #expect(try await child.resolve(text) == "4")
    child.removeOverrideProvider(number)
    #expect(try await child.resolve(text) == "1")
    // Built for the child, so that it is known from what, and kept by the root.
    #expect(root.isCached(text))
    root.overrideProvider(number, withValue: 5)
    #expect(try await root.resolve(text) == "5")
  }

  @Test(
    "R15 R19 R20 what an async builder for a root has others ask for is known too",
    arguments: Way.allCases)
  func root(way: Way) async throws {
    let number = Provider("number") { _ in 1 }
    let text = AsyncProvider("text") { pod in await way.ask { "\(pod.resolve(number))" } }
    for isThere in [false, true] {
      let root = Pod("root")
      if isThere { _ = root.resolve(number) }
      #expect(try await root.resolve(text) == "1")
      #expect(root.graph.dependencies(of: text).map(\.name) == ["number"])
      let child = root.makeChild { $0.overrideProvider(number, withValue: 3) }
      #expect(try await child.resolve(text) == "3")
      #expect(try await root.resolve(text) == "1")
      root.overrideProvider(number, withValue: 4)
      #expect(try await root.resolve(text) == "4")
      root.removeOverrideProvider(number)
      #expect(try await root.resolve(text) == "1")
    }
  }

  @Test("R15 R19 what fails elsewhere, and is handled, is known too")
  func failing() async throws {
    struct Missing: Error {}
    let number = ThrowingProvider<Int>("number") { _ in throw Missing() }
    let text = AsyncProvider("text") { pod in
      await Way.detachedTask.ask { (try? pod.resolve(number)).map { "\($0)" } ?? "none" }
    }
    let root = Pod("root")
    #expect(try await root.resolve(text) == "none")
    let child = root.makeChild { $0.overrideProvider(number, withValue: 3) }
    #expect(try await child.resolve(text) == "3")
    #expect(try await root.resolve(text) == "none")
  }

  @Test("R19 R27 the pod of an async builder for a root serves when the builder is done, and keeps nothing alive")
  func keptPod() async throws {
    let number = Provider("number") { _ in 1 }
    let kept = AsyncProvider("kept") { pod in pod }
    let instance = Provider("instance") { _ in User() }
    var root: Pod? = Pod("root")
    let pod = try #require(try await root?.resolve(kept))
    #expect(pod.resolve(number) == 1)
    root?.overrideProvider(number, withValue: 2)
    #expect(pod.resolve(number) == 2)
    weak let first = pod.resolve(instance)
    #expect(first != nil)
    #expect(root?.graph.dependencies(of: kept).isEmpty == true)
    root = nil
    #expect(first == nil)
    #expect(pod.resolve(number) == 2)
  }

  @Test(
    "R11 R15 what is asked for elsewhere and changes while it is built concerns who asked, as what it asks for itself does",
    arguments: [false, true], [(isCleared: false, isOwn: false), (true, false), (false, true), (true, true)])
  func changedMeanwhile(isInChild: Bool, how: (isCleared: Bool, isOwn: Bool)) async throws {
    let (isCleared, isOwn) = how
    let (isAsked, finish) = (AsyncGate(), AsyncGate())
    let count = Counter()
    let slow = AsyncProvider("slow", scope: OwnedScope()) { _ in
      isAsked.open()
      await finish.wait()
      return count.increment()
    }
    let whole = AsyncProvider("whole", scope: OwnedScope()) { pod in
      if isOwn { return try await pod.resolve(slow) }
      return try await Task.detached { try await pod.resolve(slow) }.value
    }
    let root = Pod("root")
    let pod = isInChild ? root.makeChild(owning: [OwnedScope()]) : root
    let asked = Task { try await pod.resolve(whole) }
    await isAsked.wait()
    if isCleared {
      pod.clearCachedInstance(of: slow)
    } else {
      pod.overrideProvider(slow) { _ in 7 }
    }
    finish.open()
    #expect(try await asked.value == 1)
    #expect(try await pod.resolve(slow) == (isCleared ? 2 : 7))
    #expect(try await pod.resolve(whole) == (isCleared ? 1 : 7))
    if !isCleared {
      pod.removeOverrideProvider(slow)
      #expect(try await pod.resolve(whole) == 2)
    }
  }

  @Test("R17 what the builder of an override asks elsewhere for is what it overrides", arguments: [false, true])
  func decorators(isInChild: Bool) async throws {
    let text = AsyncProvider("text") { _ in "plain" }
    let root = Pod("root")
    let pod = isInChild ? root.makeChild() : root
    pod.overrideProvider(text) { pod in
      let plain = try await Task.detached { try await pod.resolve(text) }.value
      let later = await Way.queue.ask { pod.factory(text) }
      return try await "decorated \(plain), \(later())"
    }
    #expect(try await pod.resolve(text) == "decorated plain, plain")
    pod.removeOverrideProvider(text)
    #expect(try await pod.resolve(text) == "plain")
  }

  @Test("R17 what the synchronous builder of an override in a child asks another thread for is what it overrides")
  func synchronousDecorators() {
    let number = Provider("number") { _ in 1 }
    let child = Pod("root").makeChild()
    child.overrideProvider(number) { pod in
      let later = Self.blocking { pod.factory(number) }
      return Self.blocking { pod.resolve(number) } * 10 + later()
    }
    #expect(child.resolve(number) == 11)
    child.removeOverrideProvider(number)
    #expect(child.resolve(number) == 1)
  }

  @Test("R11 R17 what an override asked for elsewhere outlasts the override")
  func outlastingOverride() async throws {
    let (isAsked, finish) = (Gate(), Gate())
    let number = Provider("number") { _ in
      isAsked.open()
      finish.wait()
      return 1
    }
    let child = Pod("root").makeChild()
    let asked = Locked<Worker<Int>?>(nil)
    child.overrideProvider(number) { pod in
      asked.withLock { $0 = Worker { pod.resolve(number) } }
      isAsked.wait()
      return 2
    }
    #expect(try await Worker { child.resolve(number) }.value() == 2)
    child.removeOverrideProvider(number)
    finish.open()
    #expect(try await asked.withLock(\.self)?.value() == 1)
    #expect(child.resolve(number) == 1)
  }

  @Test("R12 R19 who asks elsewhere for what is being built waits for it, as ever, and it is no cycle")
  func noCycle() async throws {
    let late = Locked<AsyncProvider<Int>?>(nil)
    let found = Locked<Task<Int, any Error>?>(nil)
    let own = AsyncProvider("own") { pod in
      if let own = late.withLock(\.self) { found.withLock { $0 = Task.detached { try await pod.resolve(own) } } }
      return 7
    }
    late.withLock { $0 = own }
    let root = Pod("root")
    let child = root.makeChild { $0.overrideProvider(own) { pod in try await pod.resolve(own) } }
    #expect(try await child.resolve(own) == 7)
    #expect(try await found.withLock(\.self)?.value == 7)
    late.withLock { $0 = nil }
  }

  private final class Caller: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    deinit { body() }
  }

  @Test("R9 what was asked for elsewhere outlasts who asked, and lets that go without a lock held")
  func outlasting() async throws {
    let root = Pod("root")
    let slow = Provider("slow") { _ in 1 }
    let (isAsked, finish, other) = (AsyncGate(), Gate(), Provider("other") { _ in 2 })
    let ended = Counter()
    root.overrideProvider(slow) { _ in
      isAsked.open()
      finish.wait()
      return 3
    }
    let asked = Locked<Worker<Int>?>(nil)
    do {
      let caller = Caller {
        _ = root.resolve(other)
        ended.increment()
      }
      let service = AsyncProvider("service") { pod in
        asked.withLock { $0 = Worker { pod.resolve(slow) } }
        await isAsked.wait()
        return withExtendedLifetime(caller) { 1 }
      }
      #expect(try await root.resolve(service) == 1)
      root.clearCachedInstance(of: service)
    }
    #expect(ended.value == 0)
    finish.open()
    #expect(try await asked.withLock(\.self)?.value() == 3)
    await eventually("what the builder captured has gone") { ended.value == 1 }
  }

  @Test("R19 what is asked for when the builder is done counts for nobody")
  func tooLate() async throws {
    let user = user
    let gate = AsyncGate()
    let asked = Locked<Task<User, Never>?>(nil)
    let other = Provider("other") { $0.resolve(user) }
    let service = AsyncProvider("service") { pod in
      // Built from what the child owns, so that the builder's pod stays with the child.
      let own = pod.resolve(user)
      asked.withLock {
        $0 = Task.detached {
          await gate.wait()
          return pod.resolve(other)
        }
      }
      return own
    }
    let child = Pod("root").makeChild(owning: [AccountScope()])
    let own = try await child.resolve(service)
    gate.open()
    #expect(await asked.withLock(\.self)?.value === own)
    #expect(child.graph.dependencies(of: service).map(\.name) == ["user"])
  }
}
