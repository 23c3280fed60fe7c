// A builder of fresh instances gives each away and keeps none.
// modes: 6
// error: risks causing data races
import Peapod

final class Box {
  var value = 0
}

@MainActor func keep(_ box: Box) {}

let fresh = Provider(scope: .alwaysCreateNew) { _ in
  let box = Box()
  Task { box.value += 1 }  // here
  return box
}
let family = Provider.family(scope: .alwaysCreateNew) { (_, _: Int) in
  let box = Box()
  Task { @MainActor in keep(box) }  // here
  return box
}

func override(_ pod: Pod) {
  pod.overrideProvider(fresh) { _ in
    let box = Box()
    Task { @MainActor in keep(box) }  // here
    return box
  }
}
