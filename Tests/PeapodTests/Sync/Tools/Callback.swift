import Peapod
import Testing

/// What user code may do to the pod that called it.
enum Callback: String, CaseIterable, Sendable {
  case resolve, resolveThrowing, resolveMember, resolveFresh, withResolved, isCached
  case override, overrideWithValue, overrideFamily, removeOverride, removeAllOverrides
  case clearScope, clearInstance, clearFamily, dispose
  case newPod, otherPodThatCallsBack, declare
}

/// A pod with providers that a callback may use, and a second pod whose builders use the first.
final class Playground: Sendable {
  struct Scope: ProviderScope {}
  struct NumberedScope: ProviderScope, Hashable { var number: Int }

  let pod = Pod("playground")
  private let population = Population()
  private let second = Pod("second")
  private let singleton: Provider<Tracked>
  private let dependent: Provider<Tracked>
  private let scoped: Provider<Tracked>
  private let throwing: ThrowingProvider<Tracked>
  private let fresh: Provider<Tracked>
  private let family: ProviderFamily<Provider<Tracked>, Int>
  private let callsBack: Provider<Tracked>

  init() {
    let singleton = Provider { _ in Tracked() }
    self.singleton = singleton
    dependent = Provider { pod in Tracked(keeping: [pod.resolve(singleton)]) }
    scoped = Provider(scope: Scope()) { _ in Tracked() }
    throwing = ThrowingProvider { pod in Tracked(keeping: [pod.resolve(singleton)]) }
    fresh = Provider(scope: .alwaysCreateNew) { pod in Tracked(keeping: [pod.resolve(singleton)]) }
    family = Provider.family(scope: Scope()) { (_, number: Int) in Tracked() }
    callsBack = Provider { [pod] _ in Tracked(keeping: [pod.resolve(singleton)]) }
  }

  /// Does what a callback says and expects the pod to answer as ever; on a thread of its own where told to, for which
  /// the caller waits.
  func run(_ callback: Callback, onOtherThread: Bool) {
    guard onOtherThread else { return run(callback) }
    do { try Worker { self.run(callback) }.join() } catch { Issue.record(error) }
  }

  private func run(_ callback: Callback) {
    switch callback {
    case .resolve: #expect(pod.resolve(dependent) === pod.resolve(dependent))
    case .resolveThrowing: #expect((try? pod.resolve(throwing)) === (try? pod.resolve(throwing)))
    case .resolveMember: #expect(pod.resolve(family(1)) === pod.resolve(family(1)))
    case .resolveFresh: #expect(pod.resolve(fresh) !== pod.resolve(fresh))
    case .withResolved: #expect(pod.withResolved(singleton) { (copy $0) === pod.resolve(singleton) })
    case .isCached: _ = pod.isCached(scoped)
    case .override:
      pod.overrideProvider(singleton) { _ in Tracked() }
      #expect(pod.resolve(dependent).parts[0] as? Tracked === pod.resolve(singleton))
    case .overrideWithValue:
      let value = Tracked()
      pod.overrideProvider(singleton, withValue: value)
      #expect(pod.resolve(dependent).parts[0] as? Tracked === value)
    case .overrideFamily:
      pod.overrideProvider(family) { _, _ in Tracked() }
      #expect(pod.resolve(family(1)) === pod.resolve(family(1)))
    case .removeOverride:
      let original = pod.resolve(scoped)
      pod.overrideProvider(scoped) { _ in Tracked() }
      #expect(pod.resolve(scoped) !== original)
      pod.removeOverrideProvider(scoped)
      #expect(pod.resolve(scoped) === original)
    case .removeAllOverrides:
      pod.overrideProvider(singleton) { _ in Tracked() }
      _ = pod.resolve(dependent)
      pod.removeAllOverrides()
    case .clearScope:
      _ = pod.resolve(scoped)
      pod.clearCachedInstances(forScope: Scope())
      #expect(!pod.isCached(scoped))
    case .clearInstance:
      _ = pod.resolve(singleton)
      pod.clearCachedInstance(of: singleton)
      #expect(!pod.isCached(singleton))
    case .clearFamily:
      _ = pod.resolve(family(1))
      pod.clearCachedInstances(of: family)
      #expect(!pod.isCached(family(1)))
    case .dispose:
      _ = pod.resolve(dependent)
      pod.dispose()
      #expect(!pod.isCached(dependent))
    case .newPod: #expect(Pod().resolve(dependent).parts.count == 1)
    case .otherPodThatCallsBack:
      second.clearCachedInstance(of: callsBack)
      #expect(second.resolve(callsBack).parts[0] as? Tracked === pod.resolve(singleton))
    case .declare:
      let provider = Provider(scope: NumberedScope(number: 1)) { _ in Tracked() }
      #expect(pod.resolve(provider) === pod.resolve(provider))
      pod.clearCachedInstances(forScope: NumberedScope(number: 1))
      #expect(!pod.isCached(provider))
    }
  }
}
