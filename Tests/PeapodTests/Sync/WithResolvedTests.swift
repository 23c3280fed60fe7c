import Peapod
import Testing

/// `withResolved` answers as `resolve` does, and lends the instance instead of handing it out.
struct WithResolvedTests {
  private struct FlowScope: ProviderScope {}
  private enum Failure: Error { case expected }

  @Test("R2 withResolved builds what is absent and lends what is cached")
  func lendsTheInstance() {
    let population = Population()
    let provider = Provider { _ in population.make() }
    let pod = Pod()
    #expect(pod.withResolved(provider) { $0.serial } == 1)
    #expect(pod.withResolved(provider) { $0.serial } == 1)
    #expect(pod.isCached(provider))
    let instance = pod.resolve(provider)
    #expect(pod.withResolved(provider) { (copy $0) === instance })
  }

  @Test("R3 withResolved of an always new provider builds at each call")
  func alwaysNew() {
    let population = Population()
    let provider = Provider(scope: .alwaysCreateNew) { _ in population.make() }
    let pod = Pod()
    #expect(pod.withResolved(provider) { $0.serial } == 1)
    #expect(pod.withResolved(provider) { $0.serial } == 2)
    #expect(population.live == 0)
  }

  @Test("R2 withResolved passes on the error of its body, typed")
  func typedError() {
    let pod = Pod()
    let provider = Provider { _ in 1 }
    func fail() throws(Failure) { try pod.withResolved(provider) { (_) throws(Failure) in throw .expected } }
    #expect(throws: Failure.expected) { try fail() }
    #expect(pod.resolve(provider) == 1)
  }

  @Test("R15 withResolved follows overrides")
  func overrides() {
    let pod = Pod()
    let provider = Provider { _ in 1 }
    #expect(pod.withResolved(provider) { copy $0 } == 1)
    pod.overrideProvider(provider) { _ in 2 }
    #expect(pod.withResolved(provider) { copy $0 } == 2)
    pod.overrideProvider(provider, withValue: 3)
    #expect(pod.withResolved(provider) { copy $0 } == 3)
    pod.removeOverrideProvider(provider)
    #expect(pod.withResolved(provider) { copy $0 } == 1)
  }

  @Test(
    "R9 the lent instance outlives whatever its body does to the pod", arguments: ["clear", "dispose", "override"],
    [false, true])
  func lentInstanceStays(action: String, isInChild: Bool) {
    let population = Population()
    let disposed = Log(of: Int.self)
    let provider = Provider(scope: FlowScope()) { _ in
      population.make()
    } onDispose: {
      disposed.append($0.serial)
    }
    let pod = isInChild ? Pod().makeChild(owning: [FlowScope()]) : Pod()
    _ = pod.resolve(provider)
    let seen = pod.withResolved(provider) { instance in
      switch action {
      case "clear": pod.clearCachedInstances(forScope: FlowScope())
      case "dispose": pod.dispose()
      default:
        pod.overrideProvider(provider) { _ in population.make() }
        pod.removeOverrideProvider(provider)
      }
      return (instance.serial, population.liveSerials.contains(1))
    }
    #expect(seen == (1, true))
    pod.dispose()
    #expect(disposed.entries == [1])
    #expect(population.live == 0)
  }

  @Test(
    "R9 R27 what is lent goes back, and then goes with its pod, which the look keeps until the body has returned",
    arguments: [false, true])
  func lentInstanceGoesBack(isInChild: Bool) {
    struct Holder: Sendable { let held: Tracked }
    let population = Population()
    let reference = Provider(scope: FlowScope()) { _ in population.make() }
    let structure = Provider(scope: FlowScope()) { _ in Holder(held: population.make()) }
    func look<Value>(at provider: Provider<Value>) -> Bool {
      let pod = isInChild ? Pod().makeChild(owning: [FlowScope()]) : Pod()
      weak let known = pod
      // The first resolve builds it, and the second one asks for references to give out.
      for _ in 0..<2 { _ = pod.resolve(provider) }
      return pod.withResolved(provider) { _ in known != nil && population.live == 1 }
    }
    for _ in 0..<10 {
      #expect(look(at: reference))
      #expect(population.live == 0)
      #expect(look(at: structure))
      #expect(population.live == 0)
    }
  }

  @Test("R9 withResolved nests, also for the same provider")
  func nests() {
    let provider = Provider(scope: FlowScope()) { _ in Tracked() }
    let pod = Pod()
    let same = pod.withResolved(provider) { outer in
      let outer = copy outer
      return pod.withResolved(provider) { (copy $0) === outer && pod.resolve(provider) === outer }
    }
    #expect(same)
  }
}
