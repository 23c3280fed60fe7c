// A builder runs on whichever thread asks first, so it may only take along what is Sendable.
// modes: 6
// error: capture of 'box' with non-Sendable type 'Box' in a '@Sendable' closure
import Peapod

final class Box {
  var value = 0
}

func declare(_ box: Box, in pod: Pod) -> Provider<Int> {
  let throwing = ThrowingProvider { _ in box.value }  // here
  let async = AsyncProvider { _ in box.value }  // here
  let fresh = Provider(scope: .alwaysCreateNew) { _ in box }  // here
  let family = Provider.family { (_, id: Int) in box.value + id }  // here
  let disposed = Provider { _ in
    1
  } onDispose: { _ in
    box.value += 1  // here
  }
  let lazy = Lazy { box.value }  // here
  pod.overrideProvider(throwing) { _ in box.value }  // here
  pod.overrideProvider(fresh) { _ in box }  // here
  _ = (async, family, disposed, lazy)
  return Provider { _ in box.value }  // here
}
