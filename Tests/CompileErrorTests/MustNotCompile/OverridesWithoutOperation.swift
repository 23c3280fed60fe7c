// An override scope lasts as long as its operation.
// modes: 5 6
// error: pass the operation too
import Peapod

let name = Provider { _ in "" }

func use(_ pod: Pod) {
  pod.withOverrides { $0.overrideProvider(name, withValue: "Ada") }  // here
}
