import Peapod
import Testing

/// Rule 17: an override whose builder asks for what it overrides gets what that would have been without it.
@MainActor
struct DecoratorTests {
  private struct FlowScope: ProviderScope {}
  private let population = Population()

  private func inner(_ decorator: Tracked) -> Tracked? { decorator.parts[0] as? Tracked }

  @Test("R17 a decorator gets the original", arguments: SynchronousKind.allCases, [true, false])
  func getsTheOriginal(kind: SynchronousKind, isOriginalCached: Bool) {
    let population = population
    let provider = kind.declare { _ in population.make() }
    let pod = Pod()
    let original = isOriginalCached ? pod.resolve(provider) : nil
    pod.overrideProvider(provider) { pod in population.make(keeping: [pod.resolve(provider)]) }
    let decorator = pod.resolve(provider)
    #expect(inner(decorator)?.serial == 1)
    #expect(pod.resolve(provider) === decorator)
    #expect(population.made == 2)
    if let original { #expect(inner(decorator) === original) }
    pod.removeOverrideProvider(provider)
    #expect(pod.resolve(provider) === inner(decorator))
    #expect(population.made == 2)
  }

  @Test("R11 R17 a decorator whose override is removed meanwhile gets what was beneath it")
  func removedMeanwhile() {
    let root = Pod("root")
    let provider = Provider { _ in "original" }
    root.overrideProvider(provider) { [unowned root] pod in
      root.removeOverrideProvider(provider)
      return pod.resolve(provider) + ", root's"
    }
    let child = root.makeChild { $0.overrideProvider(provider) { $0.resolve(provider) + ", child's" } }
    #expect(child.resolve(provider) == "original, root's, child's")
    #expect(root.resolve(provider) == "original")
  }

  @Test("R17 R19 a child that owns the scope of the original does not share what depends on the decorator")
  func ownerOfTheOriginal() {
    let provider = Provider(scope: FlowScope()) { _ in Tracked() }
    let whole = Provider { Tracked(keeping: [$0.resolve(provider)]) }
    let root = Pod("root")
    root.overrideProvider(provider, scope: .singleton) { Tracked(keeping: [$0.resolve(provider)]) }
    let ofRoot = root.resolve(whole)
    let child = root.makeChild(owning: [FlowScope()])
    #expect(child.resolve(whole) !== ofRoot)
    #expect(root.resolve(whole) === ofRoot)
  }

  @Test("R17 R19 R25 a fresh decorator in a child gets the original, although the child shares the decorator")
  func freshInChild() {
    let provider = Provider { _ in "original" }
    let other = Provider { _ in 0 }
    let whole = Provider { $0.resolve(provider) }
    let root = Pod("root")
    root.overrideProvider(provider) { $0.resolve(provider) + ", decorated" }
    let child = root.makeChild { $0.overrideProvider(other, withValue: 1) }
    #expect(child.resolve(provider) == "original, decorated")
    // From now on, builders for the child take the decorator without the lock of the root.
    #expect(child.resolve(whole) == "original, decorated")
    child.withFreshInstance(of: provider) { #expect($0 == "original, decorated") }
  }

  @Test("R17 R27 a decorator whose pod ends meanwhile gets what is beneath it")
  func podEnds() {
    let provider = Provider { _ in "original" }
    let keeper = Provider { pod in pod }
    let owner = Locked<Pod?>(Pod())
    let stored = owner.withLock { $0! }.resolve(keeper)
    owner.withLock { $0! }.overrideProvider(provider) { pod in
      let last = owner.withLock { owner in
        defer { owner = nil }
        return owner
      }
      _ = consume last
      return "decorated " + pod.resolve(provider)
    }
    #expect(stored.resolve(provider) == "decorated original")
    #expect(stored.resolve(provider) == "decorated original")
  }

  @Test("R17 dependents get the decorator", arguments: SynchronousKind.allCases)
  func dependentsGetTheDecorator(kind: SynchronousKind) {
    let population = population
    let provider = kind.declare { _ in population.make() }
    let whole = kind.declare { pod in population.make(keeping: [pod.resolve(provider)]) }
    let pod = Pod()
    let original = pod.resolve(whole)
    pod.overrideProvider(provider) { pod in population.make(keeping: [pod.resolve(provider)]) }
    #expect(inner(pod.resolve(whole)) === pod.resolve(provider))
    #expect(inner(pod.resolve(provider)) === inner(original))
    pod.removeOverrideProvider(provider)
    #expect(pod.resolve(whole) === original)
  }

  @Test("R17 a decorator may ask more than once, by any pod, and lend")
  func asksMoreThanOnce() {
    let provider = Provider { _ in Tracked() }
    let pod = Pod()
    pod.overrideProvider(provider) { [pod] argument in
      let lent = argument.withResolved(provider) { copy $0 }
      return Tracked(keeping: [argument.resolve(provider), pod.resolve(provider), lent])
    }
    let parts = pod.resolve(provider).parts.compactMap { $0 as? Tracked }
    #expect(parts.count == 3)
    #expect(parts.allSatisfy { $0 === parts[0] })
    pod.removeOverrideProvider(provider)
    #expect(pod.resolve(provider) === parts[0])
  }

  @Test("R17 a decorator finds the original with isCached, too")
  func looksForOriginal() {
    let part = Provider("part") { _ in Part("part") }
    let found = Locked<[Bool]>([])
    for isBuilt in [false, true] {
      let pod = Pod()
      if isBuilt { _ = pod.resolve(part) }
      pod.overrideProvider(part) { pod in
        found.withLock { $0.append(pod.isCached(part)) }
        return Part("decorated", [pod.resolve(part)])
      }
      _ = pod.resolve(part)
    }
    #expect(found.withLock { $0 } == [false, true])
  }

  @Test("R17 a decorator that replaces a decorator gets the original, not the first")
  func replacedDecorator() {
    let population = population
    let provider = Provider { _ in population.make() }
    let pod = Pod()
    for _ in 0..<3 {
      pod.overrideProvider(provider) { pod in population.make(keeping: [pod.resolve(provider)]) }
      #expect(inner(pod.resolve(provider))?.serial == 1)
    }
    #expect(population.live == 2)
  }

  @Test("R17 a decorator with a scope of its own")
  func decoratorWithScope() {
    let population = population
    let provider = Provider { _ in population.make() }
    let pod = Pod()
    pod.overrideProvider(provider, scope: .alwaysCreateNew) { pod in
      population.make(keeping: [pod.resolve(provider)])
    }
    let (first, second) = (pod.resolve(provider), pod.resolve(provider))
    #expect(first !== second)
    #expect(inner(first) === inner(second))
  }

  @Test("R17 a decorator of what is always new gets a new one each time")
  func decoratorOfFresh() {
    let population = population
    let provider = Provider(scope: .alwaysCreateNew) { _ in population.make() }
    let pod = Pod()
    pod.overrideProvider(provider) { pod in
      let parts: [any Sendable] = [pod.resolve(provider), pod.resolve(provider)]
      return population.make(keeping: parts)
    }
    #expect(Set([pod.resolve(provider), pod.resolve(provider)].map(\.serial)) == [3, 6])
  }

  @Test("R17 a decorator of a scoped provider is cleared with it", arguments: SynchronousKind.allCases)
  func clearedTogether(kind: SynchronousKind) {
    let (population, disposed) = (population, Log(of: Int.self))
    let provider = kind.declare(scope: FlowScope()) { _ in
      population.make()
    } onDispose: {
      disposed.append($0.serial)
    }
    let pod = Pod()
    pod.overrideProvider(provider) { pod in population.make(keeping: [pod.resolve(provider)]) }
    #expect(pod.resolve(provider).serial == 2)
    pod.clearCachedInstances(forScope: FlowScope())
    #expect(disposed.drain() == [2, 1])
    #expect(population.live == 0)
    #expect(inner(pod.resolve(provider))?.serial == 3)
    pod.removeOverrideProvider(provider)
    #expect(disposed.drain() == [4])
    #expect(pod.resolve(provider).serial == 3)
  }

  @Test("R17 what the original is built from may be overridden under the decorator")
  func overrideBelow() {
    let part = Provider { _ in 1 }
    let provider = Provider { pod in pod.resolve(part) * 10 }
    let pod = Pod()
    pod.overrideProvider(provider) { pod in pod.resolve(provider) + 5 }
    #expect(pod.resolve(provider) == 15)
    pod.overrideProvider(part, withValue: 2)
    #expect(pod.resolve(provider) == 25)
    pod.removeOverrideProvider(provider)
    #expect(pod.resolve(provider) == 20)
    pod.removeOverrideProvider(part)
    #expect(pod.resolve(provider) == 10)
  }

  @Test("R17 a throwing decorator may answer where the original throws")
  func throwingDecorator() throws {
    let provider = ThrowingProvider<Int> { _ in throw Stuck("expected") }
    let pod = Pod()
    pod.overrideProvider(provider) { pod in (try? pod.resolve(provider)) ?? 3 }
    #expect(try pod.resolve(provider) == 3)
    pod.removeOverrideProvider(provider)
    #expect(throws: Stuck.self) { try pod.resolve(provider) }
  }

  @Test("R17 a member's decorator gets what its family's override makes")
  func memberOfOverriddenFamily() {
    let family = Provider.family { (_, number: Int) in "original \(number)" }
    let pod = Pod()
    pod.overrideProvider(family(1)) { pod in "member(\(pod.resolve(family(1))))" }
    #expect(pod.resolve(family(1)) == "member(original 1)")
    pod.overrideProvider(family) { pod, number in "family(\(pod.resolve(family(number))))" }
    #expect(pod.resolve(family(1)) == "member(family(original 1))")
    #expect(pod.resolve(family(2)) == "family(original 2)")
    pod.removeOverrideProvider(family(1))
    #expect(pod.resolve(family(1)) == "family(original 1)")
    pod.removeOverrideProvider(family)
    #expect(pod.resolve(family(1)) == "original 1")
    #expect(pod.resolve(family(2)) == "original 2")
  }

  @Test("R17 many threads get one decorator around one original")
  func threads() async throws {
    for _ in 0..<50 {
      let population = Population()
      let provider = Provider { _ in population.make() }
      let pod = Pod()
      pod.overrideProvider(provider) { pod in population.make(keeping: [pod.resolve(provider)]) }
      let serials = try await runThreads(8) { _ in pod.resolve(provider).serial }
      #expect(Set(serials) == [2])
      #expect(population.made == 2)
    }
  }

  @Test("R15 R17 R19 what was built from the original is not right beneath a decorator, in a child")
  func decoratorAndChild() {
    let root = Pod("root")
    let base = Provider { _ in "original" }
    let other = Provider { _ in "other" }
    let user = Provider { "user of \($0.resolve(base))" }
    let child = root.makeChild { $0.overrideProvider(other) { _ in "OTHER" } }
    #expect(root.resolve(user) == "user of original")
    root.overrideProvider(base) { "decorated(\($0.resolve(base)))" }
    #expect(child.resolve(base) == "decorated(original)")
    #expect(child.resolve(user) == "user of decorated(original)")
    #expect(root.resolve(user) == "user of decorated(original)")
  }

  @Test("R15 R17 R19 the same where the child itself decorates")
  func decoratorOfChild() {
    let root = Pod("root")
    let base = Provider { _ in "original" }
    let middle = Provider { "middle(\($0.resolve(base)))" }
    let user = Provider { "user(\($0.resolve(middle)))" }
    let child = root.makeChild { $0.overrideProvider(base) { "decorated(\($0.resolve(base)))" } }
    #expect(root.resolve(user) == "user(middle(original))")
    #expect(child.resolve(base) == "decorated(original)")
    #expect(child.resolve(user) == "user(middle(decorated(original)))")
  }

  @Test(
    "R17 R18 a decorator that opens an override scope, or whose factory does, receives the original there",
    arguments: [false, true])
  func decoratorInScope(usesFactory: Bool) {
    let root = Pod("root")
    let base = Provider { _ in "original" }
    let other = Provider { _ in "other" }
    root.overrideProvider(base) { pod in
      let factory = pod.factory(base)
      return pod.withOverrides {
        $0.overrideProvider(other, withValue: "OTHER")
      } operation: {
        "decorated(\(usesFactory ? factory() : pod.resolve(base)) with \(pod.resolve(other)))"
      }
    }
    #expect(root.resolve(base) == "decorated(original with OTHER)")
  }
}
