// The override of a family takes the family's arguments.
// modes: 5 6
// error: cannot convert value of type
// error: no exact matches in call to instance method 'overrideProvider'
// error: have the same shape
import Peapod

let user = Provider.family { (_, id: Int) in "\(id)" }
let throwing = ThrowingProvider.family { (_, id: Int) in "\(id)" }
let async = AsyncProvider.family { (_, id: Int) in "\(id)" }
let model = MainActorProvider.family { (_, id: Int) in "\(id)" }

func value(_ pod: Pod) {
  pod.overrideProvider(user) { _, _ in 3 }  // here
  pod.overrideProvider(throwing) { _, _ in 3 }  // here
  pod.overrideProvider(async) { _, _ in 3 }  // here
  pod.overrideProvider(model) { _, _ in 3 }  // here
  pod.overrideProvider(user(1)) { _ in 3 }  // here
  pod.overrideProvider(user(1), withValue: 3)  // here
}
func arguments(_ pod: Pod) {
  pod.overrideProvider(user) { _ in "" }  // here
  pod.overrideProvider(user) { (_, id: String) in id }  // here
  pod.overrideProvider(user) { _, _, _ in "" }  // here
}
func whole(_ pod: Pod) { pod.overrideProvider(user, withValue: "") }  // here
