import Peapod
import PlantedCore

// Nothing here is a finding.

let inScope = Provider(scope: SessionScope()) { pod in Thing(pod.resolve(sessionThing)) }
let inChildScope = Provider(scope: .screen) { pod in Thing(pod.resolve(sessionThing), pod.resolve(screenThing)) }
let inChildCase = Provider(scope: AppScope.window) { pod in Thing(pod.resolve(documentThing)) }
let withDeferred = Provider { pod in
  (pod.lazy(sessionThing), pod.factory(screenThing), pod.perUse(sessionThing), pod.factory(sessionMember))
}
let withWeak = Provider { pod in Thing(pod.resolve(weakThing)) }
let withFresh = Provider { pod in pod.withFreshInstance(of: sessionThing) { Thing($0) } }
let transientOnly = Provider(scope: .alwaysCreateNew) { pod in Thing(pod.resolve(screenThing)) }
let withDisposal = Provider {
  _ in
  Thing()
} onDispose: { _ in
  _ = Pod.shared.resolve(sessionThing)
}
let clearing = Provider { pod in
  pod.clearCachedInstance(of: sessionThing)
  return Thing(pod.isCached(screenThing))
}
let inText = Provider { _ in Thing("pod.resolve(sessionThing)") }  // pod.resolve(sessionThing)

final class Keeper: Sendable {
  let pod: Pod
  init(pod: Pod) { self.pod = pod }
  func later() -> Thing { pod.resolve(sessionThing) }
}

let withStoredPod = Provider { pod in Keeper(pod: pod) }

struct LazilyWrapped: Sendable {
  @LazyInjected(sessionThing) var thing: Thing
}

let withLazyWrapper = Provider { _ in LazilyWrapped() }

protocol ReachesSession: ProviderScope {}

extension ReachesSession {
  var children: [any ProviderScope] { [SessionScope()] }
}

struct ReachesByProtocol: ReachesSession {}

class ReachesByClass: ProviderScope, @unchecked Sendable {
  var children: [any ProviderScope] { [SessionScope()] }
}

final class ReachesBySuperclass: ReachesByClass, @unchecked Sendable {}

let byProtocol = Provider(scope: ReachesByProtocol()) { _ in Thing() }
let bySuperclass = Provider(scope: ReachesBySuperclass()) { _ in Thing() }
let ofProtocol = Provider(scope: SessionScope()) { pod in Thing(pod.resolve(byProtocol)) }
let ofSuperclass = Provider(scope: SessionScope()) { pod in Thing(pod.resolve(bySuperclass)) }

let anyScope: any ProviderScope = SessionScope()
let ofAnyScope = Provider(scope: anyScope) { pod in Thing(pod.resolve(sessionThing)) }
