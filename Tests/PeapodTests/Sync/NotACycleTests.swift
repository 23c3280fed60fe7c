import Peapod
import Testing

/// Rule 12: what looks like a cycle and is none.
struct NotACycleTests {
  /// Who asks for a provider while its own builder runs.
  enum Helper: String, CaseIterable, Sendable {
    case task, detachedTask, thread

    func run(_ body: @escaping @Sendable () -> Void) {
      switch self {
      case .task: Task { body() }
      case .detachedTask: Task.detached { body() }
      case .thread: _ = Worker(body)
      }
    }
  }

  @Test("R12 a stored factory that is called after construction")
  func storedFactory() {
    struct Node: Sendable {
      var makeOther: @Sendable () -> Tracked
    }
    let other = Locked<Provider<Tracked>?>(nil)
    let node = Provider { pod in
      Node(makeOther: pod.factory(other.withLock { $0! }))
    }
    other.withLock {
      $0 = Provider(scope: .alwaysCreateNew) { pod in
        let node = pod.resolve(node)
        return Tracked(keeping: [node.makeOther])
      }
    }
    let pod = Pod()
    let made = pod.resolve(node)
    #expect(made.makeOther() !== made.makeOther())
  }

  @Test("R12 a stored pod that is asked after construction")
  func storedPod() {
    final class Node: Sendable {
      let pod: Pod
      let provider: @Sendable () -> Provider<Node>
      init(_ pod: Pod, _ provider: @escaping @Sendable () -> Provider<Node>) {
        self.pod = pod
        self.provider = provider
      }
      func myself() -> Node { pod.resolve(provider()) }
    }
    let itself = Locked<Provider<Node>?>(nil)
    let provider = Provider { pod in Node(pod) { itself.withLock { $0! } } }
    itself.withLock { $0 = provider }
    let pod = Pod()
    let node = pod.resolve(provider)
    #expect(node.myself() === node)
    itself.withLock { $0 = nil }
    pod.dispose()
  }

  @Test("R12 a closure over the pod that is stored by a transient and makes it again and again")
  func transientThatMakesItself() {
    struct Page: Sendable {
      var number: Int
      var next: @Sendable (Int) -> Page
    }
    let pages = Locked<ProviderFamily<Provider<Page>, Int>?>(nil)
    let family = Provider<Page>.family(scope: .alwaysCreateNew) { (pod, number: Int) in
      Page(number: number) { pod.resolve(pages.withLock { $0! }($0)) }
    }
    pages.withLock { $0 = family }
    let pod = Pod()
    var page = pod.resolve(family(0))
    for number in 1...50 { page = page.next(number) }
    #expect(page.number == 50)
  }

  @Test("R12 a second attempt after a thrown error")
  func secondAttempt() throws {
    let attempts = Counter()
    let part = ThrowingProvider { _ in
      guard attempts.increment() > 1 else { throw Stuck("expected") }
      return 5
    }
    let whole = ThrowingProvider { pod in
      do { return try pod.resolve(part) } catch { return try pod.resolve(part) + 1 }
    }
    #expect(try Pod().resolve(whole) == 6)
  }

  @Test("R12 a second attempt after a cycle that the first ran into")
  func secondAttemptAfterCycle() throws {
    let asksBack = Locked(true)
    let upper = Locked<ThrowingProvider<Int>?>(nil)
    let lower = ThrowingProvider("lower") { pod in
      asksBack.withLock { $0 } ? try pod.resolve(upper.withLock { $0! }) : 1
    }
    let top = ThrowingProvider("upper") { pod in
      do {
        return try pod.resolve(lower)
      } catch {
        expectCycle(error, through: ["upper", "lower"])
        asksBack.withLock { $0 = false }
        return try pod.resolve(lower) + 1
      }
    }
    upper.withLock { $0 = top }
    let pod = Pod()
    #expect(try pod.resolve(top) == 2)
    #expect(try pod.resolve(lower) == 1)
  }

  @Test("R12 a request by a task or thread that the builder started simply waits", arguments: Helper.allCases)
  func helperWaits(helper: Helper) async throws {
    for _ in 0..<50 {
      let population = Population()
      let itself = Locked<Provider<Tracked>?>(nil)
      let asks = Gate()
      let (seen, answered) = (Log(of: Int.self), Gate())
      let provider = Provider { pod in
        let provider = itself.withLock { $0! }
        helper.run {
          asks.open()
          seen.append(pod.resolve(provider).serial)
          answered.open()
        }
        asks.wait()
        return population.make()
      }
      itself.withLock { $0 = provider }
      let pod = Pod()
      #expect(try await blocking { pod.resolve(provider).serial } == 1)
      await answered.pass()
      #expect(seen.entries == [1])
    }
  }

  @Test(
    "R12 so does one that comes through other providers, from a part of what is being built",
    arguments: Helper.allCases)
  func helperWaitsThroughOthers(helper: Helper) async throws {
    for _ in 0..<50 {
      let whole = Locked<ThrowingProvider<Int>?>(nil)
      let (asks, answered) = (Gate(), Gate())
      let seen = Log(of: Int.self)
      let around = ThrowingProvider("around") { pod in
        asks.open()
        return try pod.resolve(whole.withLock { $0! }) + 100
      }
      let part = ThrowingProvider("part") { pod in
        helper.run {
          seen.append((try? pod.resolve(around)) ?? -1)
          answered.open()
        }
        asks.wait()
        return 1
      }
      let provider = ThrowingProvider("whole") { pod in try pod.resolve(part) + 10 }
      whole.withLock { $0 = provider }
      let pod = Pod()
      #expect(try await blocking { try pod.resolve(provider) } == 11)
      await answered.pass()
      #expect(seen.entries == [111])
    }
  }

  @Test("R12 so does one from a task within whose own task the build runs")
  @MainActor
  func helperOfMainActorBuilderWaits() async {
    let itself = Locked<MainActorProvider<Tracked>?>(nil)
    let (answered, seen) = (Gate(), Log(of: Tracked.self))
    let provider = MainActorProvider { pod in
      let provider = itself.withLock { $0! }
      Task {
        seen.append(pod.resolve(provider))
        answered.open()
      }
      return Tracked()
    }
    itself.withLock { $0 = provider }
    let pod = Pod()
    let instance = pod.resolve(provider)
    await answered.pass()
    #expect(seen.entries.map(ObjectIdentifier.init) == [ObjectIdentifier(instance)])
  }

  @Test("R12 a part that is reached by many ways")
  func diamond() {
    let bottom = Provider { _ in Tracked() }
    let left = Provider { pod in Tracked(keeping: [pod.resolve(bottom)]) }
    let right = Provider { pod in Tracked(keeping: [pod.resolve(bottom), pod.resolve(left)]) }
    let top = Provider { pod in Tracked(keeping: [pod.resolve(left), pod.resolve(right), pod.resolve(bottom)]) }
    let pod = Pod()
    #expect(pod.resolve(top).parts.last as? Tracked === pod.resolve(bottom))
  }

  @Test("R12 one provider in two pods, built one within the other")
  func sameProviderInTwoPods() {
    let inner = Pod("inner")
    let isOuter = Locked(true)
    let itself = Locked<Provider<Tracked>?>(nil)
    let provider = Provider { [inner] _ in
      let asks = isOuter.withLock { isOuter in
        defer { isOuter = false }
        return isOuter
      }
      return asks ? Tracked(keeping: [inner.resolve(itself.withLock { $0! })]) : Tracked()
    }
    itself.withLock { $0 = provider }
    let outer = Pod("outer")
    #expect(outer.resolve(provider).parts[0] as? Tracked === inner.resolve(provider))
  }

  @Test("R12 members of one family that are built from each other in a row")
  func familyInARow() {
    let family = Locked<ProviderFamily<Provider<Int>, Int>?>(nil)
    let sums = Provider<Int>.family { (pod, number: Int) in
      number == 0 ? 0 : number + pod.resolve(family.withLock { $0! }(number - 1))
    }
    family.withLock { $0 = sums }
    let pod = Pod()
    #expect(pod.resolve(sums(300)) == 45_150)
    #expect(pod.isCached(sums(150)))
  }
}
