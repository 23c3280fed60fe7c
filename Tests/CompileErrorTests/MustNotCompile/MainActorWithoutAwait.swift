// Going to the main actor suspends.
// modes: 5 6
// error: cannot be called from outside of the actor
// error: expression is 'async' but is not marked with 'await'
import Peapod

@MainActor final class Model {
  nonisolated init() {}
}

let model = MainActorProvider { _ in Model() }

func resolve(_ pod: Pod) async -> Model { pod.resolve(model) }  // here
func override(_ pod: Pod) async { pod.overrideProvider(model, withValue: Model()) }  // here
func make(_ pod: Pod) async {
  let make = pod.factory(model)
  _ = make()  // here
}

let async = AsyncProvider { pod in pod.resolve(model) }  // here
