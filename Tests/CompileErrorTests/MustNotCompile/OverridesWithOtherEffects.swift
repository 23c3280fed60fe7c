// An override may not throw, suspend or need the main actor where its provider does not.
// modes: 5 6
// error: invalid conversion from throwing function of type
// error: to parameter expecting synchronous function type
// error: no exact matches in call to instance method 'overrideProvider'
// error: call to main actor-isolated instance method 'resolve' in a synchronous nonisolated context
import Peapod

@MainActor final class Model {}
struct Failure: Error {}
func load() async -> Int { 3 }

let number = Provider { _ in 3 }
let throwing = ThrowingProvider { _ in 3 }
let family = Provider.family { (_, id: Int) in id }
let model = MainActorProvider { _ in Model() }

func throwing(_ pod: Pod) {
  pod.overrideProvider(number) { _ in throw Failure() }  // here
  pod.overrideProvider(family) { _, _ in throw Failure() }  // here
  pod.overrideProvider(model) { _ in throw Failure() }  // here
}
func async(_ pod: Pod) {
  pod.overrideProvider(number) { _ in await load() }  // here
  pod.overrideProvider(throwing) { _ in await load() }  // here
}
func mainActor(_ pod: Pod) {
  pod.overrideProvider(number) { pod in
    _ = pod.resolve(model)  // here
    return 3
  }
}
