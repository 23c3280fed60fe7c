// A provider of fresh instances may build what is not Sendable, but nothing may keep or share it.
// modes: 6
// error: type 'Box' does not conform to the 'Sendable' protocol
import Peapod

final class Box {
  var value = 0
}

let fresh = Provider(scope: .alwaysCreateNew) { _ in Box() }
let freshFamily = Provider.family(scope: .alwaysCreateNew) { (_, _: Int) in Box() }

func use(_ pod: Pod) {
  _ = pod.lazy(fresh)  // here
  _ = pod.perUse(fresh)  // here
  _ = pod.cachedInstance(of: fresh)  // here
  pod.withFreshInstance(of: fresh) { $0.value += 1 }  // here
  pod.overrideProvider(fresh, withValue: Box())  // here
  pod.overrideProvider(fresh, scope: .singleton) { _ in Box() }  // here
  pod.overrideProvider(freshFamily(1), withValue: Box())  // here
}

@MainActor final class Screen {
  @Injected(fresh) var box  // here
  @LazyInjected(fresh) var later  // here
}
