// An override makes what its provider makes, in the way in which its provider makes it.
// modes: 5 6
// error: cannot convert value of type 'Int' to closure result type 'String'
// error: cannot convert value of type 'Int' to closure result type 'Model'
// error: no exact matches in call to instance method 'overrideProvider'
import Peapod

@MainActor final class Model {}

let text = Provider { _ in "live" }
let throwing = ThrowingProvider { _ in "live" }
let async = AsyncProvider { _ in "live" }
let model = MainActorProvider { _ in Model() }

func with(_ pod: Pod) {
  pod.overrideProvider(text) { _ in 3 }  // here
  pod.overrideProvider(throwing) { _ in 3 }  // here
  pod.overrideProvider(async) { _ in 3 }  // here
  pod.overrideProvider(model) { _ in 3 }  // here
}
func scope(_ pod: Pod) {
  pod.overrideProvider(text, scope: .weak) { _ in 3 }  // here
  pod.overrideProvider(throwing, scope: .weak) { _ in 3 }  // here
  pod.overrideProvider(async, scope: .weak) { _ in 3 }  // here
  pod.overrideProvider(model, scope: .weak) { _ in 3 }  // here
}
@MainActor func value(_ pod: Pod) {
  pod.overrideProvider(text, withValue: 3)  // here
  pod.overrideProvider(throwing, withValue: 3)  // here
  pod.overrideProvider(async, withValue: 3)  // here
  pod.overrideProvider(model, withValue: 3)  // here
}
