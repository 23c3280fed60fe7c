// A main-actor instance is built and handed out on the main actor only.
// modes: 5 6 5-main-actor 6-main-actor 6-approachable
// error: call to main actor-isolated instance method 'resolve' in a synchronous nonisolated context
// error: call to main actor-isolated instance method 'overrideProvider(_:withValue:)' in a synchronous nonisolated
// error: call to main actor-isolated initializer 'init(_:from:)' in a synchronous nonisolated context
// error: call to main actor-isolated let 'make' in a synchronous nonisolated context
import Peapod

@MainActor final class Model {
  nonisolated init() {}
}

nonisolated let model = MainActorProvider { _ in Model() }
nonisolated let detail = MainActorProvider.family { (_, _: Int) in Model() }

nonisolated func resolve(_ pod: Pod) -> Model { pod.resolve(model) }  // here
nonisolated func resolveMember(_ pod: Pod) -> Model { pod.resolve(detail(1)) }  // here
nonisolated func override(_ pod: Pod) { pod.overrideProvider(model, withValue: Model()) }  // here
nonisolated func inject() { _ = Injected(model) }  // here
nonisolated func make(_ pod: Pod) {
  let make = pod.factory(model)
  _ = make()  // here
}

nonisolated let plain = Provider { pod in pod.resolve(model) }  // here
nonisolated let fresh = Provider(scope: .alwaysCreateNew) { pod in pod.resolve(model) }  // here
nonisolated let family = Provider.family { (pod, _: Int) in pod.resolve(model) }  // here
nonisolated let throwing = ThrowingProvider { pod in pod.resolve(model) }  // here
