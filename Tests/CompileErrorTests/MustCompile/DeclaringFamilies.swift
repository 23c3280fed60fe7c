// Families of every kind, with one, several and unhashable arguments.
// modes: 5 6 5-complete 6-upcoming
import Peapod

protocol API: Sendable {}
final class Live: API {}
class Box {
  var value = 0
}
struct FlowScope: ProviderScope {}
@MainActor final class Router {
  func show() {}
}
@MainActor final class Screen {
  init(_ api: any API, _ router: Router) {}
}
@MainActor final class Detail {
  let id: Int
  init(_ api: any API, _ id: Int) { self.id = id }
}
@MainActor final class List {
  let make: @MainActor (Int) -> Detail
  init(make: @escaping @MainActor (Int) -> Detail) { self.make = make }
}

let api = Provider<any API> { _ in Live() }
let user = Provider.family { (pod, id: Int) in Live() }
let pair = Provider.family("pair", scope: FlowScope()) { (pod, id: Int, name: String) in
  Live()
} onDispose: { (_: Live) in
}
let existential = Provider<any API>.family { (pod, id: Int) in Live() }
let fresh = Provider.family(scope: .alwaysCreateNew) { (pod, id: Int) in
  let box = Box()
  box.value = id
  return box
}
let unhashable = Provider.family(scope: .alwaysCreateNew) { (_, make: @escaping @Sendable () -> Int) in make() }
let throwing = ThrowingProvider.family { (pod, id: Int) in
  if id < 0 { throw CancellationError() }
  return id
}
let async = AsyncProvider.family { (pod, id: Int) in
  try await Task.sleep(for: .zero)
  return "\(id)"
} onDispose: { _ in
  await Task.yield()
}
let detail = MainActorProvider.family(scope: .alwaysCreateNew) { (pod, id: Int) in Detail(pod.resolve(api), id) }
let screen = MainActorProvider.family(scope: .alwaysCreateNew) { (pod, router: Router) in
  Screen(pod.resolve(api), router)
}
let list = MainActorProvider { pod in List(make: pod.factory(detail)) }

func use(_ pod: Pod) async throws {
  _ = pod.resolve(user(3))
  _ = pod.resolve(pair(3, "x"))
  _ = pod.resolve(existential(3))
  let box = pod.resolve(fresh(3))
  box.value += 1
  _ = pod.resolve(unhashable { 3 })
  _ = try pod.resolve(throwing(3))
  _ = try await pod.resolve(async(3))
  _ = await pod.resolve(detail(3))
  let members: Set = [user(3), user(4)]
  _ = members.contains(user(3))
  let makePair = pod.factory(pair)
  _ = makePair(3, "x")
  let makeThrowing = pod.factory(throwing)
  _ = try makeThrowing(3)
  let makeAsync = pod.factory(async)
  _ = try await makeAsync(3)
  pod.clearCachedInstances(of: user)
  pod.clearCachedInstances(of: async)
  _ = pod.isCached(user(3))
}

@MainActor func open(_ pod: Pod, _ router: Router) {
  _ = pod.resolve(screen(router))
  _ = pod.resolve(list).make(3).id
}
