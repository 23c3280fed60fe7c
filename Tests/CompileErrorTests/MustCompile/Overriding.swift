// Every way to override.
// modes: 5 6 5-complete 6-upcoming
import Peapod

protocol API: Sendable {
  func get() -> Int
}
final class Live: API {
  func get() -> Int { 1 }
}
final class Mock: API {
  func get() -> Int { 2 }
}
class Box {
  var value = 0
}
@MainActor final class Model {
  init(_ api: any API) {}
}

let api = Provider<any API> { _ in Live() }
let optional = Provider<Int?> { _ in nil }
let fresh = Provider(scope: .alwaysCreateNew) { _ in Box() }
let throwing = ThrowingProvider { _ in 3 }
let async = AsyncProvider { _ in Live() }
let model = MainActorProvider { pod in Model(pod.resolve(api)) }
let user = Provider.family { (_, id: Int) in "\(id)" }
let pair = Provider.family { (_, id: Int, name: String) in Live() }
let throwingUser = ThrowingProvider.family { (_, id: Int) in id }
let asyncUser = AsyncProvider.family { (_, id: Int) in id }
let modelOf = MainActorProvider.family { (pod, id: Int) in Model(pod.resolve(api)) }
let freshOf = Provider.family(scope: .alwaysCreateNew) { (_, id: Int) in Box() }

func with(_ pod: Pod) {
  pod.overrideProvider(api) { _ in Mock() }
  pod.overrideProvider(api) { pod in
    let live = pod.resolve(api)
    print(live)
    return Mock()
  }
  pod.overrideProvider(fresh) { _ in Box() }
  pod.overrideProvider(throwing) { _ in throw CancellationError() }
  pod.overrideProvider(throwing) { _ in 4 }
  pod.overrideProvider(async) { _ in throw CancellationError() }
  pod.overrideProvider(async) { _ in
    await Task.yield()
    return Live()
  }
  pod.overrideProvider(model) { pod in Model(Mock()) }
}
func scope(_ pod: Pod) {
  pod.overrideProvider(api, scope: SingletonScope()) { _ in Mock() }
  pod.overrideProvider(api, scope: .weak) { _ in Mock() }
  pod.overrideProvider(throwing, scope: .alwaysCreateNew) { pod in try pod.resolve(throwing) + 1 }
  pod.overrideProvider(async, scope: .graph) { pod in try await pod.resolve(async) }
  pod.overrideProvider(model, scope: .alwaysCreateNew) { pod in Model(pod.resolve(api)) }
}
func value(_ pod: Pod) async {
  pod.overrideProvider(api, withValue: Mock())
  pod.overrideProvider(optional, withValue: nil)
  pod.overrideProvider(throwing, withValue: 4)
  pod.overrideProvider(async, withValue: Live())
  await pod.overrideProvider(model, withValue: Model(Mock()))
  pod.overrideProvider(user(3), withValue: "three")
}
func families(_ pod: Pod) {
  pod.overrideProvider(user) { pod, id in "\(id)" }
  pod.overrideProvider(user) { (_, id: Int) in "\(id)" }
  pod.overrideProvider(user(3)) { pod in "three" }
  pod.overrideProvider(pair) { pod, id, name in Live() }
  pod.overrideProvider(throwingUser) { _, id in throw CancellationError() }
  pod.overrideProvider(asyncUser) { _, id in
    await Task.yield()
    return id
  }
  pod.overrideProvider(modelOf) { pod, id in Model(Mock()) }
  pod.overrideProvider(freshOf) { _, _ in Box() }
}
func remove(_ pod: Pod) {
  pod.removeOverrideProvider(api)
  pod.removeOverrideProvider(throwing)
  pod.removeOverrideProvider(async)
  pod.removeOverrideProvider(model)
  pod.removeOverrideProvider(user)
  pod.removeOverrideProvider(user(3))
  pod.removeOverrideProvider(modelOf)
  pod.removeAllOverrides()
}
func isolated(_ pod: Pod) async throws {
  let n = pod.withOverrides({ $0.overrideProvider(api) { _ in Mock() } }) { pod.resolve(api).get() }
  let m = await pod.withOverrides({ $0.overrideProvider(api) { _ in Mock() } }) {
    await Task.yield()
    return pod.resolve(api).get()
  }
  let k = try await pod.withOverrides {
    $0.overrideProvider(api) { _ in Mock() }
    $0.overrideProvider(async) { _ in Live() }
  } operation: {
    try await pod.resolve(async).get()
  }
  try pod.withOverrides({ _ in }) { _ = try pod.resolve(throwing) }
  _ = (n, m, k)
}
@MainActor func onMain(_ pod: Pod) async throws {
  var seen = 0
  pod.overrideProvider(model, withValue: Model(Mock()))
  pod.withOverrides({ _ in }) { seen += 1 }
  try await pod.withOverrides({ _ in }) {
    seen += try await pod.resolve(async).get()
    _ = pod.resolve(model)
  }
}
