// Child pods, scopes and ends.
// modes: 5 6 5-complete 6-upcoming
import Peapod

final class Live: Sendable {
  func get() -> Int { 1 }
}
final class SignUpScope: ProviderScope {
  let children: [any ProviderScope] = [RequestScope()]
}
struct RequestScope: ProviderScope {
  var requiresOwner: Bool { true }
}
extension ProviderScope where Self == SignUpScope {
  static var signUp: Self { .init() }
}
struct Log: PodObserver {
  func pod(_ pod: Pod, did event: PodEvent) {
    switch event {
    case .build(let provider, let duration, let dependencies): print(provider.name, duration, dependencies.count)
    case .fail(let provider, let error): print(provider.fileID, provider.line, error)
    case .dispose(let provider), .override(let provider), .removeOverride(let provider): print(provider.valueType)
    case .clear(let scope, let count): print(scope, count)
    case .captiveDependency(let dependent, let dependency): print(dependent.scope, dependency.id)
    }
  }
}

let live = Provider(scope: .signUp) { _ in Live() }
let short = Provider { _ in 3 }
let async = AsyncProvider { _ in Live() }
let model = MainActorProvider { _ in 3 }

func children(_ pod: Pod) async throws {
  let child = pod.makeChild("request", owning: [SignUpScope()]) { $0.overrideProvider(short) { _ in 4 } }
  let plain = pod.makeChild()
  let watched = pod.makeChild(owning: [.signUp, RequestScope()], observers: [Log()])
  let one: Int = try await pod.withChild("one", owning: [.signUp]) { child in
    await Task.yield()
    return try await child.resolve(async).get()
  }
  let two = pod.withChild { child in child.resolve(short) }
  let three = pod.withChild(
    "request", owning: [RequestScope()], configure: { $0.overrideProvider(short, withValue: 4) }
  ) { $0.resolve(short) }
  let four = try await pod.withChild(
    owning: [RequestScope()], configure: { $0.overrideProvider(short, withValue: 4) }
  ) { child in
    try await child.resolve(async).get()
  }
  _ = (child, plain, watched, one, two, three, four)
}
@MainActor func onMain(_ pod: Pod) async throws {
  var seen = 0
  pod.withChild { seen += $0.resolve(model) }
  try await pod.withChild { child in
    seen += try await child.resolve(async).get()
    seen += child.resolve(model)
  }
}
func ends(_ pod: Pod) async {
  pod.clearCachedInstances(forScope: SignUpScope())
  pod.clearCachedInstances(forScope: .signUp)
  pod.clearCachedInstances(forScope: .weak)
  pod.clearCachedInstance(of: short)
  pod.clearCachedInstance(of: model)
  _ = pod.cachedInstance(of: async)?.get()
  _ = pod.cachedInstance(of: live)?.get()
  _ = pod.isCached(model)
  pod.addObserver(Log())
  pod.dispose()
  await pod.shutdown(scope: .signUp)
  await pod.shutdown(scope: SignUpScope())
  await pod.shutdown()
}
func look(_ pod: Pod) {
  let graph: ProviderGraph = pod.graph
  print(graph, graph.mermaid(), graph.dot(), graph.dependencies(of: live), graph.dependents(of: model))
  for node in graph.nodes where node.isCached && !node.isOverridden {
    print(node.id, node.provider.name, node.buildCount, node.inclusiveDuration, node.exclusiveDuration)
  }
  for edge in graph.edges where edge.isDeferred { print(edge.dependent, edge.dependency) }
  for pair in graph.captiveDependencies { print(pair.dependent, pair.dependency) }
}
func explain(_ error: ProviderCycleError) -> [ProviderInfo] { error.path }
