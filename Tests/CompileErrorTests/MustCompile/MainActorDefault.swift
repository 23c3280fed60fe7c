// A module whose declarations belong to the main actor unless they say otherwise.
// modes: 5-main-actor 6-main-actor 6-approachable
import Peapod

protocol API {
  func get() -> Int
}
final class Live: API {
  func get() -> Int { 1 }
}
final class Model {
  let api: any API
  init(api: any API) { self.api = api }
}

let apiProvider = MainActorProvider<any API> { _ in Live() }
let modelProvider = MainActorProvider { pod in Model(api: pod.resolve(apiProvider)) }
let disposed = MainActorProvider(scope: .flow) { pod in
  Model(api: pod.resolve(apiProvider))
} onDispose: { model in
  _ = model.api.get()
}
let viewModels = MainActorProvider.family { (pod, id: Int) in Model(api: pod.resolve(apiProvider)) }
let pod = Pod()

func run() {
  pod.overrideProvider(apiProvider) { _ in Live() }
  pod.overrideProvider(modelProvider, withValue: Model(api: Live()))
  pod.overrideProvider(viewModels) { _, _ in Model(api: Live()) }
  print(pod.resolve(modelProvider).api.get())
  print(pod.resolve(viewModels(3)).api.get(), pod.resolve(coreProvider).n)
  pod.withOverrides({ $0.overrideProvider(apiProvider) { _ in Live() } }) { print(pod.resolve(apiProvider).get()) }
  pod.withChild { print($0.resolve(modelProvider).api.get()) }
}

// Providers below the models, for any thread.
nonisolated struct Core: Sendable {
  var n = 1
}
nonisolated let coreProvider = Provider { _ in Core() }
nonisolated let core2Provider = Provider { pod in pod.resolve(coreProvider).n }
nonisolated let loaded = AsyncProvider { pod in
  try await Task.sleep(for: .zero)
  return pod.resolve(core2Provider)
}
let asyncModel = AsyncProvider { @MainActor pod in Model(api: pod.resolve(apiProvider)) }
nonisolated func off(_ pod: Pod) async throws {
  let model = await pod.resolve(modelProvider)
  _ = model
  _ = pod.resolve(core2Provider)
  _ = try await pod.resolve(loaded)
}
func load() async throws -> Int { try await pod.resolve(loaded) }

// What a main-actor provider's family takes as arguments is hashed off the main actor.
nonisolated struct UserID: Hashable, Sendable {
  var raw: Int
}
let userModelProvider = MainActorProvider.family { (pod, id: UserID) in Model(api: pod.resolve(apiProvider)) }
func open(_ id: UserID) -> Model { pod.resolve(userModelProvider(id)) }
let router = MainActorProvider.family(scope: .alwaysCreateNew) { (pod, model: Model) in Model(api: model.api) }

// Scopes, their shorthands and service protocols that are used off the main actor are nonisolated too.
nonisolated struct FlowScope: ProviderScope {}
nonisolated extension ProviderScope where Self == FlowScope {
  static var flow: Self { .init() }
}
nonisolated let flowProvider = Provider(scope: .flow) { _ in Core() }
nonisolated protocol Service: Sendable {
  func serve() -> Int
}
nonisolated struct LiveService: Service {
  func serve() -> Int { 1 }
}
nonisolated let service = Provider<any Service> { _ in LiveService() }

final class Screen {
  @Injected(modelProvider) var model
  @LazyInjected(service) var serving
  let make: (Int) -> Model
  init() { make = pod.factory(viewModels) }
  func show() -> Int { serving.serve() + make(3).api.get() + model.api.get() }
}
