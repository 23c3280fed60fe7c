// Lazy values, factories, perUse use and injected properties.
// modes: 5 6 5-complete 6-upcoming
import Peapod

final class Live: Sendable {
  func get() -> Int { 1 }
}
class Box {
  var value = 0
}
@MainActor final class Model {}

let liveProvider = Provider { _ in Live() }
let fresh = Provider(scope: .alwaysCreateNew) { _ in Box() }
let throwing = ThrowingProvider { _ in 3 }
let async = AsyncProvider { _ in Live() }
let modelProvider = MainActorProvider { _ in Model() }
let pod = Pod()

struct Business: Sendable {
  var lazy: Lazy<Live>
  var make: @Sendable () -> Live
  var tryMake: @Sendable () throws -> Int
  var awaitMake: @Sendable () async throws -> Live
  var makeModel: @MainActor @Sendable () -> Model
  var perUse: PerUse<Live>
}
let business = Provider { pod in
  Business(
    lazy: pod.lazy(liveProvider), make: pod.factory(liveProvider), tryMake: pod.factory(throwing),
    awaitMake: pod.factory(async),
    makeModel: pod.factory(modelProvider), perUse: pod.perUse(liveProvider))
}

func use() async throws {
  let lazy = pod.lazy(liveProvider)
  _ = (lazy.value.get(), lazy.isResolved)
  lazy.dispose()
  _ = Lazy { 3 }.value
  let makeBox = pod.factory(fresh)
  makeBox().value += 1
  let tryMake = pod.factory(throwing)
  _ = try tryMake()
  let awaitMake = pod.factory(async)
  _ = try await awaitMake().get()
  let makeModel = pod.factory(modelProvider)
  _ = await makeModel()
  pod.perUse(liveProvider).use { live in _ = live.get() }
  let n = try pod.perUse(liveProvider).use { live in try pod.resolve(throwing) + live.get() }
  pod.withFreshInstance(of: liveProvider) { live in _ = live.get() }
  try await pod.withFreshInstance(of: liveProvider) { live in _ = try await pod.resolve(async) }
  try await pod.withFreshInstance(of: async) { live in _ = live.get() }
  let m = try await pod.withFreshInstance(of: async) { live in
    await Task.yield()
    return live.get()
  }
  let boxMaker: () -> Box = pod.factory(fresh)
  _ = (n, m, boxMaker)
}
@MainActor final class Shell {
  @Injected(modelProvider) var model
  @Injected(liveProvider) var live
  @LazyInjected(liveProvider, from: pod) var later: Live
  @LazyInjected(modelProvider) var laterModel

  func use() -> Int { live.get() + later.get() }
}
struct Service: Sendable {
  @Injected(liveProvider) var live
  @LazyInjected(liveProvider) var later
}
