// Every way to declare a provider.
// modes: 5 6 5-complete 6-upcoming
import Peapod

protocol API: Sendable {
  func get() -> Int
}
final class Live: API {
  func get() -> Int { 1 }
}
class Box {
  var value = 0
}
@MainActor final class Model {
  init(_ api: any API) {}
}
final class SignUpScope: ProviderScope {
  let children: [any ProviderScope] = [StepScope()]
}
struct StepScope: ProviderScope {}
struct RequestScope: ProviderScope {
  var requiresOwner: Bool { true }
}
struct AccountScope: ProviderScope, Hashable {
  var id: Int
}
extension ProviderScope where Self == SignUpScope {
  static var signUp: Self { .init() }
}

let api = Provider<any API> { _ in Live() }
let named = Provider("api") { _ in Live() }
let inferred = Provider { pod in pod.resolve(api).get() }
let several = Provider(scope: SignUpScope()) { pod in
  let api = pod.resolve(api)
  print(api)
  return Live()
} onDispose: { (live: Live) in
  print(live.get())
}
let noHook = Provider(scope: .weak, { _ in Live() }, onDispose: nil)
let scoped = Provider(scope: .signUp) { _ in 3 }
let singleton = Provider("singleton", scope: .singleton) { _ in 3 }
let graph = Provider(scope: .graph) { _ in Live() }
let weakly = Provider(scope: .weak) { _ in Live() }
let perAccount = Provider(scope: AccountScope(id: 3)) { _ in Live() }
let perRequest = Provider(scope: RequestScope()) { _ in Live() }
let optional = Provider<Int?> { _ in nil }
let unit = Provider<Void> { _ in }
let function = Provider<@Sendable (Int) -> Int> { pod in
  let base = pod.resolve(scoped)
  return { $0 + base }
}
let fresh = Provider(scope: .alwaysCreateNew) { _ in Box() }
let freshSendable = Provider(scope: .alwaysCreateNew) { _ in Live() }
let freshSeveral = Provider(scope: AlwaysCreateNewScope()) { pod in
  let box = Box()
  box.value = pod.resolve(inferred)
  return box
}

let throwing = ThrowingProvider { pod in
  if pod.resolve(scoped) > 3 { throw CancellationError() }
  return 3
}
let throwingApi = ThrowingProvider<any API>("api", scope: .signUp) { pod in
  Live()
} onDispose: { api in
  print(api.get())
}
let throwingUpon = ThrowingProvider { pod in try pod.resolve(throwing) + 1 }

let async = AsyncProvider { pod in
  try await Task.sleep(for: .zero)
  return Live()
} onDispose: { _ in
  await Task.yield()
}
let asyncUpon = AsyncProvider { pod in
  async let one = pod.resolve(async)
  async let two = pod.resolve(async)
  return try await one.get() + two.get() + pod.resolve(throwing) + pod.resolve(api).get()
}
let asyncMain = AsyncProvider { @MainActor pod in Model(pod.resolve(api)) }
let asyncModel = AsyncProvider { pod in await pod.resolve(model) }

let model = MainActorProvider { pod in Model(pod.resolve(api)) }
let modelBox = MainActorProvider(scope: .signUp) { _ in
  Box()
} onDispose: { box in
  box.value = 0
}
