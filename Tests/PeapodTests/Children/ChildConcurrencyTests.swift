import Peapod
import Testing

/// Rules 8 and 19 together: single builds across a chain of pods.
@Suite(.timeLimit(.minutes(20))) struct ChildConcurrencyTests {
  @Test("R8 R19 two children and the root that ask at once build a shared provider once")
  func sharedOnce() async throws {
    for _ in 0..<rounds(1_000) {
      let root = Pod("root")
      let setting = Provider { _ in Part("setting") }
      let built = Counter()
      let dep = Provider { _ in
        built.increment()
        return Part("dep")
      }
      let p = Provider { pod in
        built.increment()
        return Part("p", [pod.resolve(dep)])
      }
      let first = root.makeChild { $0.overrideProvider(setting) { _ in Part("first") } }
      let second = root.makeChild(owning: [OwnedScope()]).makeChild()
      let pods = [root, first, second]
      let seen = try await runThreads(6) { pods[$0 % 3].resolve(p) }
      #expect(built.value == 2)
      #expect(seen.allSatisfy { $0 === seen[0] })
      #expect(root.resolve(p) === seen[0])
    }
  }

  @Test("R8 R19 pods that ask at once for what some of them change build one each")
  func changedOnceEach() async throws {
    for _ in 0..<rounds(500) {
      let root = Pod("root")
      let setting = Provider { _ in Part("setting") }
      let built = Counter()
      let p = Provider { pod in
        let part = Part("p", [pod.resolve(setting)])
        built.increment()
        return part
      }
      let first = root.makeChild { $0.overrideProvider(setting) { _ in Part("first") } }
      let second = root.makeChild { $0.overrideProvider(setting) { _ in Part("second") } }
      let pods = [root, first, second, root.makeChild(), first.makeChild(), second.makeChild()]
      let seen = try await runThreads(12) { pods[$0 % 6].resolve(p) }
      #expect(built.value == 3)
      for index in 0..<12 {
        #expect(seen[index] === seen[index % 3])
        #expect(seen[index].recipe == "p(\(["setting", "first", "second"][index % 3]))")
      }
    }
  }

  @Test(
    "R11 R19 what is built for a child while it overrides what that is built from is not kept",
    arguments: [true, false])
  func overriddenInFlight(_ overridesItself: Bool) async throws {
    let log = Log<String>()
    let root = Pod("root")
    let entered = Gate()
    let goOn = Gate()
    let other = Provider { _ in Part("other") }
    let setting = Provider { _ in Part("setting") }
    let p = Provider(
      "p",
      { pod in
        let part = Part("p", [pod.resolve(setting)])
        entered.open()
        goOn.wait()
        return part
      }, onDispose: { log.append($0.recipe) })
    // It lives in the root as far as is known, though it is built for a child that changes something else.
    let child = root.makeChild { $0.overrideProvider(other) { _ in Part("OTHER") } }
    let build = Worker { child.resolve(p) }
    await entered.pass()
    child.overrideProvider(overridesItself ? p : setting) { _ in Part("mock") }
    goOn.open()
    #expect(try await build.value().recipe == "p(setting)")
    try #require(!root.isCached(p))
    await eventually("the instance is disposed") { log.entries == ["p(setting)"] }
    #expect(child.resolve(p).recipe == (overridesItself ? "mock" : "p(mock)"))
    #expect(root.resolve(p).recipe == "p(setting)")
  }

  @Test("R8 R19 who waits from elsewhere stops waiting when a build turns out to be a child's")
  func waitersLeave() async throws {
    for _ in 0..<20 {
      let root = Pod("root")
      let setting = Provider { _ in Part("setting") }
      let entered = Gate()
      let goOn = Gate()
      let finish = Gate()
      let builds = Counter()
      let p = Provider { pod in
        let isFirst = builds.increment() == 1
        if isFirst {
          entered.open()
          goOn.wait()
        }
        let part = Part("p", [pod.resolve(setting)])
        if isFirst { finish.wait() }
        return part
      }
      let child = root.makeChild { $0.overrideProvider(setting) { _ in Part("SETTING") } }
      let sibling = root.makeChild { $0.overrideProvider(setting) { _ in Part("SIBLING") } }
      let below = child.makeChild()
      let inChild = Worker { child.resolve(p) }
      await entered.pass()
      let asking = Counter()
      let waiting = [root, sibling, below].map { pod in
        Worker {
          asking.increment()
          return pod.resolve(p)
        }
      }
      await eventually("all ask") { asking.value == 3 }
      goOn.open()
      // The child's build still stands: these two end only if they build their own.
      let ofRoot = try await waiting[0].value()
      let ofSibling = try await waiting[1].value()
      finish.open()
      let ofChild = try await inChild.value()
      #expect(ofRoot.recipe == "p(setting)")
      #expect(ofSibling.recipe == "p(SIBLING)")
      #expect(ofChild.recipe == "p(SETTING)")
      #expect(try await waiting[2].value() === ofChild)
      #expect(builds.value == 3)
    }
  }

  @Test("R9 R19 a configure block, a builder and a deinit may use every pod of the chain")
  func callbacks() async throws {
    let root = Pod("root")
    let setting = Provider { _ in Part("setting") }
    let log = Log<String>()
    final class Goodbye: Sendable {
      let say: @Sendable () -> Void
      init(_ say: @escaping @Sendable () -> Void) { self.say = say }
      deinit { say() }
    }
    let parting = Provider(scope: OwnedScope()) { _ in
      Goodbye { log.append(root.resolve(setting).label) }
    }
    let p = Provider(scope: OwnedScope()) { pod in
      let helper = pod.makeChild("helper") { $0.overrideProvider(setting) { _ in Part("helper") } }
      pod.clearCachedInstances(forScope: OwnedScope())
      return Part("p", [helper.resolve(setting), root.resolve(setting)])
    }
    try await blocking {
      let child = root.makeChild(owning: [OwnedScope()]) { child in
        root.overrideProvider(setting) { _ in Part("late") }
        child.overrideProvider(parting, scope: OwnedScope()) { pod in
          pod.resolve(p).parts.isEmpty ? Goodbye {} : Goodbye { log.append(root.resolve(setting).label) }
        }
        _ = child.resolve(setting)
      }
      #expect(child.resolve(p).recipe == "p(helper,late)")
      _ = child.resolve(parting)
    }
    #expect(log.entries == ["late"])
  }

  @Test("R12 a cycle that goes through a child and its root is reported")
  func cycleAcrossPods() async throws {
    let root = Pod("root")
    let child = root.makeChild("child")
    enum Ring {
      static func providers(_ root: Pod, _ child: Pod) -> ThrowingProvider<Int> {
        let back = Locked<ThrowingProvider<Int>?>(nil)
        let second = ThrowingProvider("second") { _ in
          try child.resolve(back.withLock { $0! }) + 1
        }
        let first = ThrowingProvider("first") { _ in try root.resolve(second) + 1 }
        back.withLock { $0 = first }
        return first
      }
    }
    let first = Ring.providers(root, child)
    for pod in [child, root] {
      let error = try #require(throws: ProviderCycleError.self) { try pod.resolve(first) }
      #expect(error.path.map(\.name) == ["first", "second", "first"])
    }
  }

  @Test("R12 a cycle between two unrelated pods is reported on one thread and on two")
  func cycleAcrossUnrelatedPods() async throws {
    for _ in 0..<50 {
      let left = Pod("left")
      let right = Pod("right")
      let back = Locked<ThrowingProvider<Int>?>(nil)
      let meeting = Barrier(2)
      let meets = Counter()
      let second = ThrowingProvider("second") { _ in
        if meets.increment() <= 2 { meeting.arrive() }
        return try left.resolve(back.withLock { $0! }) + 1
      }
      let first = ThrowingProvider("first") { _ in
        if meets.increment() <= 2 { meeting.arrive() }
        return try right.resolve(second) + 1
      }
      back.withLock { $0 = first }
      let ends = try await runThreads(2) { index in
        Result { index == 0 ? try left.resolve(first) : try right.resolve(second) }
      }
      for end in ends {
        #expect(throws: ProviderCycleError.self) { try end.get() }
      }
      #expect(throws: ProviderCycleError.self) { try left.resolve(first) }
    }
  }

  @Test("R15 R19 two children that are the first to override a provider get answers of their own")
  func firstOverrides() async throws {
    for _ in 0..<rounds(500) {
      let (setting, other) = (Provider { _ in "root" }, Provider { _ in 1 })
      let whole = Provider { "whole of \($0.resolve(setting))" }
      let root = Pod("root")
      _ = root.resolve(whole)
      // The search of this child has the masks of the root computed, so that readers may use the slots of the root.
      _ = root.makeChild { $0.overrideProvider(other, withValue: 2) }.resolve(whole)
      let seen = try await runThreads(2) { number in
        root.makeChild { $0.overrideProvider(setting, withValue: "child \(number)") }.resolve(whole)
      }
      try #require(seen.sorted() == ["whole of child 0", "whole of child 1"])
    }
  }

  @Test("R19 a child looks at a build with deferred dependencies while the build moves to another child")
  func lookedAtWhileMoving() async throws {
    for round in 0..<rounds(200) {
      let handles = (0..<30).map { number in Provider("handle \(number)") { _ in 1 } }
      let (moving, other) = (Provider { _ in "root" }, Provider { _ in 1 })
      let begun = Counter()
      let holder = Provider { pod in
        let lazies = handles.map { pod.lazy($0) }
        begun.increment()
        for _ in 0..<round % 100 { _ = begun.value }
        return (lazies, pod.resolve(moving))
      }
      let root = Pod("root")
      let children = [
        root.makeChild { $0.overrideProvider(moving, withValue: "child") },
        root.makeChild { $0.overrideProvider(other, withValue: 2) },
      ]
      let seen = try await runThreads(2) { number in
        if number == 1 { while begun.value == 0 {} }
        return children[number].resolve(holder).1
      }
      #expect(seen.sorted() == ["child", "root"])
    }
  }

  @Test("R8 R19 R24 children that change a dependency do not build one after the other", arguments: [false, true])
  @MainActor func changedAtOnce(isSlow: Bool) async throws {
    let count = 8
    let (first, others, users, built) = (AsyncGate(), AsyncGate(), AsyncGate(), Counter())
    let user = AsyncProvider { _ in 0 }
    let service = AsyncProvider { pod in
      await (built.increment() == 1 ? first : others).wait()
      return Part("\(try await pod.resolve(user))")
    }
    let root = Pod("root")
    var tasks: [Task<Part, any Error>] = []
    // All wait for the first build, of which nobody knows yet that it is for its child alone.
    for number in 1...count {
      let child = root.makeChild { pod in
        pod.overrideProvider(user) { _ in
          if isSlow { await users.wait() }
          return number
        }
      }
      tasks.append(await begin { try await child.resolve(service) })
    }
    await eventually("the first build runs") { first.arrived == 1 }
    first.open()
    await eventually("the others build at once") { others.arrived == count - 1 }
    others.open()
    users.open()
    for (number, task) in tasks.enumerated() { #expect(try await task.value.label == "\(number + 1)") }
    #expect(built.value == count)
  }

  @Test("R8 R19 children build at once what is in a scope that they own, and nothing else", arguments: [false, true])
  @MainActor func scopeOfOneOverride(isDeclared: Bool) async throws {
    let (first, others, slow, built) = (AsyncGate(), AsyncGate(), AsyncGate(), Counter())
    let plain = AsyncProvider { _ in 0 }
    let owned = AsyncProvider(scope: OwnedScope()) { _ in 0 }
    let user = isDeclared ? owned : plain
    let service = AsyncProvider { pod in
      await (built.increment() == 1 ? first : others).wait()
      return Part("\(try await pod.resolve(user))")
    }
    let root = Pod("root")
    let children = (1...3).map { _ in root.makeChild(owning: [OwnedScope()]) }
    let build: @Sendable (Pod) async -> Int = { _ in
      await slow.wait()
      return 1
    }
    if isDeclared {
      children[0].overrideProvider(user, scope: .singleton, with: build)
    } else {
      children[0].overrideProvider(user, scope: OwnedScope(), with: build)
    }
    var tasks: [Task<Part, any Error>] = []
    for child in children { tasks.append(await begin { try await child.resolve(service) }) }
    await eventually("the first build runs") { first.arrived == 1 }
    first.open()
    // The other children share an instance, unless the provider belongs to the scope that both own.
    await eventually("the others build") { others.arrived == (isDeclared ? 2 : 1) }
    for _ in 0..<1_000 { await Task.yield() }
    others.open()
    slow.open()
    let answers = [try await tasks[1].value, try await tasks[2].value]
    #expect(try await tasks[0].value.label == "1" && (answers[0] === answers[1]) == !isDeclared)
    #expect(built.value == (isDeclared ? 3 : 2))
  }

  @Test(
    "R8 R19 a child and its child, which share what the former changes, build it once after a build for another child")
  @MainActor func changedByParent() async throws {
    let (first, second) = (AsyncGate(), AsyncGate())
    let (user, unrelated) = (Provider { _ in 0 }, Provider { _ in 0 })
    let built = Counter()
    let service = AsyncProvider { pod in
      await (built.increment() == 1 ? first : second).wait()
      return Part("\(pod.resolve(user))")
    }
    let root = Pod("root")
    let children = (1...2).map { number in root.makeChild { $0.overrideProvider(user, withValue: number) } }
    let grandchild = children[1].makeChild { $0.overrideProvider(unrelated, withValue: 1) }
    let one = await begin { try await children[0].resolve(service) }
    await eventually("the first build runs") { first.arrived == 1 }
    let others = [
      await begin { try await children[1].resolve(service) }, await begin { try await grandchild.resolve(service) },
    ]
    first.open()
    #expect(try await one.value.label == "1")
    await eventually("the second build runs") { second.arrived > 0 }
    // Time for a third, which there must not be.
    for _ in 0..<1_000 { await Task.yield() }
    second.open()
    let answers = [try await others[0].value, try await others[1].value]
    #expect(answers[0] === answers[1] && answers[0].label == "2")
    #expect(built.value == 2)
  }
}
