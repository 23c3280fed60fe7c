// What cannot fail does not build from what can.
// modes: 5 6
// error: invalid conversion from throwing function of type
// error: call can throw, but it is not marked with 'try' and the error is not handled
import Peapod

let number = ThrowingProvider { _ in 3 }

let plain = Provider { pod in try pod.resolve(number) }  // here
let mainActor = MainActorProvider { pod in try pod.resolve(number) }  // here
let family = Provider.family { (pod, _: Int) in try pod.resolve(number) }  // here
let unmarked = Provider { pod in pod.resolve(number) }  // here
