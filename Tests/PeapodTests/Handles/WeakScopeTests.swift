import Testing

@testable import Peapod

private protocol Service: Sendable {}

private struct Wrapper: Service {
  let part: Part
}

private final class Direct: Service {
  let part: Part
  init(_ part: Part) { self.part = part }
}

/// Rule 5: `WeakScope`.
@Suite(.serialized, .timeLimit(.minutes(20))) struct WeakScopeTests {
  @Test("R5 a weak provider shares while someone holds the instance, and builds anew afterwards")
  func sharesWhileHeld() {
    let pod = Pod()
    let census = Census()
    let p = Provider(scope: .weak) { _ in Part("p", in: census) }
    do {
      let held = pod.resolve(p)
      #expect(pod.resolve(p) === held)
      #expect(pod.isCached(p))
      #expect(pod.cachedInstance(of: p) === held)
      #expect(census.born == 1)
    }
    #expect(census.alive == 0)
    #expect(!pod.isCached(p))
    #expect(pod.cachedInstance(of: p) == nil)
    _ = pod.resolve(p)
    #expect(census.born == 2)
  }

  @Test("R5 R19 a weak instance that is gone again and again leaves nothing where it lived")
  func goneInBetween() {
    let (user, other) = (Provider { _ in "nobody" }, Provider { _ in 0 })
    let weak = Provider("weak", scope: .weak) { Part($0.resolve(user)) }
    let root = Pod("root")
    let child = root.makeChild { $0.overrideProvider(user, withValue: "Ada") }
    let lowest = child.makeChild { $0.overrideProvider(other, withValue: 1) }
    for _ in 0..<4 { #expect(lowest.resolve(weak).label == "Ada") }
    let held = lowest.resolve(weak)
    #expect(child.resolve(weak) === held)
    #expect(root.resolve(weak).label == "nobody")
  }

  @Test(
    "R5 R19 R27 a weak instance that a child builds again and again leaves nothing in its table",
    arguments: [false, true])
  func builtAgainInChild(isCleared: Bool) {
    let user = Provider { _ in "nobody" }
    let weak = Provider("weak", scope: .weak) { Part($0.resolve(user)) }
    let child = Pod("root").makeChild { $0.overrideProvider(user, withValue: "Ada") }
    for _ in 0..<100 {
      #expect(child.resolve(weak).label == "Ada")
      if isCleared { child.clearCachedInstances(forScope: .weak) }
    }
    #expect(child.state.withLock { _ in child.state.instanceCount } < 5)
    #expect(child.graph.nodes.first { $0.provider.name == "weak" }?.buildCount == 100)
  }

  @Test("R5 every kind may be weak", arguments: ProviderKind.allCases)
  func everyKind(_ kind: ProviderKind) async throws {
    let pod = Pod()
    let census = Census()
    let plant: Plant =
      switch kind {
      case .plain: .plain(Provider(scope: WeakScope()) { _ in Part("p", in: census) })
      case .throwing: .throwing(ThrowingProvider(scope: WeakScope()) { _ in Part("p", in: census) })
      case .async: .async(AsyncProvider(scope: WeakScope()) { _ in Part("p", in: census) })
      case .main: .main(MainActorProvider(scope: WeakScope()) { _ in Part("p", in: census) })
      }
    do {
      let held = try await plant.resolve(in: pod)
      #expect(try await plant.resolve(in: pod) === held)
    }
    await eventually("it goes") { census.alive == 0 }
    _ = try await plant.resolve(in: pod)
    #expect(census.born == 2)
  }

  @Test("R5 an existential that holds a class instance is shared; a struct and what holds one are not kept")
  func values() {
    let pod = Pod()
    let census = Census()
    let object = Provider<any Service>(scope: .weak) { _ in Direct(Part("object", in: census)) }
    let wrapper = Provider(scope: .weak) { _ in Wrapper(part: Part("wrapper", in: census)) }
    let existential = Provider<any Service>(scope: .weak) { _ in Wrapper(part: Part("existential", in: census)) }
    let optional = Provider<Part?>(scope: .weak) { _ in Part("optional", in: census) }
    do {
      let held = pod.resolve(object)
      #expect(pod.resolve(object) as AnyObject === held as AnyObject)
      #expect(census.born == 1)
    }
    #expect(census.alive == 0)
    do {
      let one = pod.resolve(wrapper)
      #expect(pod.resolve(wrapper).part !== one.part)
      let two = pod.resolve(existential) as? Wrapper
      #expect((pod.resolve(existential) as? Wrapper)?.part !== two?.part)
      _ = pod.resolve(optional)
    }
    #expect(census.alive == 0)
    #expect(!pod.isCached(wrapper) && !pod.isCached(existential))
  }

  @Test("R5 an instance that something kept was built from stays shared for as long as that is kept")
  func keptByDependent() {
    let pod = Pod()
    let weak = Provider(scope: .weak) { _ in Part("weak") }
    let keeper = Provider(scope: OwnedScope()) { Part("keeper", [$0.resolve(weak)]) }
    let part = ObjectIdentifier(pod.resolve(keeper).parts[0])
    #expect(ObjectIdentifier(pod.resolve(weak)) == part)
    pod.clearCachedInstances(forScope: OwnedScope())
    #expect(!pod.isCached(weak))
  }

  @Test("R5 clearing the weak scope forgets what lives")
  func clearForgets() {
    let pod = Pod()
    let p = Provider(scope: .weak) { _ in Part("p") }
    let held = pod.resolve(p)
    pod.clearCachedInstances(forScope: .weak)
    #expect(!pod.isCached(p))
    let next = pod.resolve(p)
    #expect(next !== held)
    #expect(pod.resolve(p) === next)
    pod.clearCachedInstance(of: p)
    #expect(pod.resolve(p) !== next)
    pod.dispose()
    #expect(!pod.isCached(p))
  }

  @Test("R5 R15 a weak instance is set aside by an override while it is held, and comes back")
  func overridden() {
    let pod = Pod()
    let dep = Provider { _ in Part("dep") }
    let p = Provider(scope: .weak) { Part("p", [$0.resolve(dep)]) }
    let held = pod.resolve(p)
    pod.overrideProvider(dep) { _ in Part("mock") }
    let during = pod.resolve(p)
    #expect(during.recipe == "p(mock)")
    #expect(pod.resolve(p) === during)
    pod.removeOverrideProvider(dep)
    #expect(pod.resolve(p) === held)
  }

  @Test("R5 R22 members of a weak family are shared one by one")
  func family() {
    let pod = Pod()
    let census = Census()
    let user = Provider.family(scope: .weak) { (_: Pod, id: Int) in Part("\(id)", in: census) }
    let one = pod.resolve(user(1))
    #expect(pod.resolve(user(1)) === one)
    for id in 2..<1_000 { _ = pod.resolve(user(id)) }
    #expect(census.alive == 1)
  }

  @Test("R5 8 threads that resolve, use and drop get neither nil nor a dead one, and nothing stays alive")
  func threads() async throws {
    let census = Census()
    do {
      let pod = Pod()
      let weak = Provider(scope: .weak) { _ in Part("weak", in: census) }
      let deep = Provider(scope: .weak) { Part("deep", [$0.resolve(weak)], in: census) }
      let turns = rounds(100_000)
      let isFine = try await runThreads(8) { thread in
        (0..<turns).allSatisfy { turn in
          let one = pod.resolve(weak)
          guard one.label == "weak" else { return false }
          if (turn + thread).isMultiple(of: 3) {
            let above = pod.resolve(deep)
            // While this one is held, everyone must get this one.
            return above.recipe == "deep(weak)" && pod.resolve(weak) === one && above.parts[0] === one
          }
          return true
        }
      }
      #expect(isFine.allSatisfy { $0 })
    }
    await eventually("nothing is alive") { census.alive == 0 }
    #expect(census.born > 0)
  }

  @Test(
    "R5 R22 R27 a pod forgets the members of a weak family whose instances are deallocated", arguments: [false, true])
  func weakFamily(isCleared: Bool) {
    let pod = Pod()
    let family = Provider.family(scope: .weak) { (_, number: Int) in Part("part \(number)") }
    let held = pod.resolve(family(-1))
    for number in 0..<1_000 {
      #expect(pod.resolve(family(number)).label == "part \(number)")
      if isCleared { pod.clearCachedInstances(forScope: .weak) }
    }
    #expect(pod.state.withLock { _ in pod.state.instanceCount } < 200)
    if !isCleared { #expect(pod.resolve(family(-1)) === held) }
  }

  @Test(
    "R5 R15 a weak instance from the time of an override stays if the original is deallocated",
    arguments: [false, true])
  func hiddenOriginal(isHeld: Bool) {
    let (base, pod) = (Provider { _ in "base" }, Pod())
    let answer = Provider { $0.resolve(base) }
    // Its factory is not called.
    let weak = Provider(scope: .weak) { pod in
      _ = pod.factory(answer)
      return Part("weak")
    }
    _ = pod.resolve(answer)
    let original = isHeld ? pod.resolve(weak) : nil
    if !isHeld { _ = pod.resolve(weak) }
    pod.overrideProvider(base, withValue: "override")
    let other = pod.resolve(weak)
    #expect(other !== original)
    pod.removeOverrideProvider(base)
    #expect(pod.resolve(weak) === (original ?? other))
  }
}
