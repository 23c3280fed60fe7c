// An instance that nobody keeps may go to another thread, but not stay here as well.
// modes: 6
// error: risks causing data races
import Peapod

final class Box {
  var value = 0
}

let fresh = Provider(scope: .alwaysCreateNew) { _ in Box() }
let family = Provider.family(scope: .alwaysCreateNew) { (_, _: Int) in Box() }

func detached(_ pod: Pod) {
  let box = pod.resolve(fresh)
  Task.detached { box.value += 1 }  // here
  box.value += 1
}
func member(_ pod: Pod) {
  let box = pod.resolve(family(1))
  Task.detached { box.value += 1 }  // here
  box.value += 1
}
func mainActor(_ pod: Pod) async {
  let box = pod.resolve(fresh)
  await show(box)  // here
  box.value += 1
}
@MainActor func show(_ box: Box) { box.value += 1 }
