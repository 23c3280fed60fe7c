import Testing

@testable import Peapod

/// Rule 9: the code of scopes and of family arguments runs without a lock, too.
struct NosyScopeTests {
  /// A scope whose `children` call back.
  private struct NosyParent: ProviderScope {
    let hook: Hook
    var children: [any ProviderScope] {
      hook.fire()
      return [FlowScope()]
    }
  }

  private struct FlowScope: ProviderScope {}

  /// A scope whose equality and hash call back.
  private struct NosyScope: ProviderScope, Hashable {
    let number: Int
    let hook: Hook
    static func == (left: Self, right: Self) -> Bool {
      left.hook.fire()
      return left.number == right.number
    }
    func hash(into hasher: inout Hasher) {
      hook.fire()
      hasher.combine(0)
    }
  }

  /// A family argument whose equality and hash call back.
  private struct NosyArgument: Hashable, Sendable {
    let number: Int
    let hook: Hook
    static func == (left: Self, right: Self) -> Bool {
      left.hook.fire()
      return left.number == right.number
    }
    func hash(into hasher: inout Hasher) {
      hook.fire()
      hasher.combine(0)
    }
  }

  @Test(
    "R8 R9 the children of a scope may resolve what waits for the instance whose captive dependencies are looked for")
  func childrenResolveWaiter() async throws {
    let (pod, hook, started, gate) = (Pod(), Hook(), Gate(), Gate())
    let scoped = Provider(scope: NosyParent(hook: hook)) { _ in Tracked() }
    let holder = Provider { pod in
      let scoped = pod.resolve(scoped)
      started.open()
      gate.wait()
      return scoped
    }
    let page = Provider { [$0.resolve(holder)] }
    hook.arm { _ = pod.resolve(page) }
    let first = Worker { pod.resolve(holder) }
    await started.pass()
    let second = Worker { pod.resolve(page)[0] }
    await eventually("the second thread waits") { pod.waiterCount(of: holder) == 1 }
    gate.open()
    let instances = (try await first.value(), try await second.value())
    #expect(instances.0 === instances.1)
    hook.disarm()
  }

  @Test("R9 the children of a scope call back", arguments: Callback.allCases, [false, true])
  func children(callback: Callback, onOtherThread: Bool) async throws {
    let playground = Playground()
    let hook = Hook()
    let provider = Provider(scope: NosyParent(hook: hook)) { _ in Tracked() }
    let below = Provider(scope: FlowScope()) { _ in Tracked() }
    hook.arm { [playground] in playground.run(callback, onOtherThread: onOtherThread) }
    try await blocking {
      let pod = playground.pod
      _ = (pod.resolve(provider), pod.resolve(below))
      pod.clearCachedInstances(forScope: NosyParent(hook: hook))
      #expect(!pod.isCached(provider))
      #expect(!pod.isCached(below))
    }
    #expect(hook.count > 0)
    hook.disarm()
  }

  @Test("R9 the equality and hash of a scope call back", arguments: Callback.allCases, [false, true])
  func equalityOfScopes(callback: Callback, onOtherThread: Bool) async throws {
    let playground = Playground()
    let hook = Hook()
    hook.arm { [playground] in playground.run(callback, onOtherThread: onOtherThread) }
    try await blocking {
      let pod = playground.pod
      let providers = (0..<3).map { number in Provider(scope: NosyScope(number: number, hook: hook)) { _ in number } }
      for provider in providers { _ = pod.resolve(provider) }
      for number in 0..<3 {
        _ = pod.resolve(providers[number])
        pod.clearCachedInstances(forScope: NosyScope(number: number, hook: hook))
        #expect(!pod.isCached(providers[number]))
      }
      if callback != .dispose {
        _ = pod.resolve(providers[0])
        pod.clearCachedInstances(forScope: NosyScope(number: 1, hook: hook))
        #expect(pod.isCached(providers[0]))
      }
    }
    #expect(hook.count > 0)
    hook.disarm()
  }

  @Test("R9 the equality and hash of an argument call back", arguments: Callback.allCases, [false, true])
  func equalityOfArguments(callback: Callback, onOtherThread: Bool) async throws {
    let playground = Playground()
    let hook = Hook()
    let family = Provider.family(scope: FlowScope()) { (_, argument: NosyArgument) in argument.number }
    hook.arm { [playground] in playground.run(callback, onOtherThread: onOtherThread) }
    try await blocking {
      let pod = playground.pod
      for _ in 0..<2 {
        for number in 0..<3 { #expect(pod.resolve(family(NosyArgument(number: number, hook: hook))) == number) }
      }
      let member = family(NosyArgument(number: 1, hook: hook))
      #expect(member == family(NosyArgument(number: 1, hook: hook)))
      #expect(member != family(NosyArgument(number: 2, hook: hook)))
      #expect(Set([member, family(NosyArgument(number: 1, hook: hook))]).count == 1)
      _ = pod.isCached(member)
      pod.overrideProvider(member) { _ in 10 }
      let overridden = pod.resolve(family(NosyArgument(number: 1, hook: hook)))
      // The callback may have ended the override before it was asked.
      #expect(overridden == 10 || callback == .removeAllOverrides || callback == .dispose)
      pod.removeOverrideProvider(family(NosyArgument(number: 1, hook: hook)))
      #expect(pod.resolve(member) == 1)
      pod.clearCachedInstance(of: family(NosyArgument(number: 1, hook: hook)))
      pod.clearCachedInstances(forScope: FlowScope())
    }
    #expect(hook.count > 0)
    hook.disarm()
  }

  @Test("R9 a family argument that ends calls back", arguments: Callback.allCases)
  func deinitOfArguments(callback: Callback) async throws {
    final class Argument: Hashable, Sendable {
      let hook: Hook
      init(_ hook: Hook) { self.hook = hook }
      deinit { hook.fire() }
      static func == (left: Argument, right: Argument) -> Bool { left === right }
      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
    let playground = Playground()
    let hook = Hook()
    let family = Provider.family(scope: FlowScope()) { (_, _: Argument) in Tracked() }
    hook.arm { [playground] in playground.run(callback, onOtherThread: false) }
    try await blocking {
      let pod = playground.pod
      for _ in 0..<3 {
        _ = pod.resolve(family(Argument(hook))).serial
        pod.clearCachedInstances(forScope: FlowScope())
      }
    }
    #expect(hook.count == 3)
    hook.disarm()
  }
}
