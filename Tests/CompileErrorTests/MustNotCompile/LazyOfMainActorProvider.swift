// A `Lazy` may be read on any thread, so it takes no main-actor provider.
// modes: 5 6
// error: cannot convert value of type 'MainActorProvider<Model>' to expected argument type 'Provider<Value>'
// error: generic parameter 'Value' could not be inferred
import Peapod

@MainActor final class Model {}

let model = MainActorProvider { _ in Model() }

@MainActor func make(_ pod: Pod) {
  _ = pod.lazy(model)  // here
  _ = pod.perUse(model)  // here
}
