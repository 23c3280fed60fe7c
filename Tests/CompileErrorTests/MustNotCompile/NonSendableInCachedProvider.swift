// A kept instance is shared by every thread that resolves it.
// modes: 6
// error: type 'Box' does not conform to the 'Sendable' protocol
// also: is not concurrency-safe because non-'Sendable' type
import Peapod

final class Box {
  var value = 0
}

struct FlowScope: ProviderScope {}

let inferred = Provider { _ in Box() }  // here
let written = Provider<Box> { _ in Box() }  // here
let named = Provider("box") { _ in Box() }  // here
let severalStatements = Provider { _ in  // here
  let box = Box()
  box.value += 1
  return box
}
let singleton = Provider(scope: .singleton) { _ in Box() }  // here
let weakly = Provider(scope: .weak) { _ in Box() }  // here
let graph = Provider(scope: .graph) { _ in Box() }  // here
let custom = Provider(scope: FlowScope()) { _ in Box() }  // here
let disposed = Provider { _ in  // here
  Box()
} onDispose: { _ in
}

let throwing = ThrowingProvider { _ in Box() }  // here
let throwingFresh = ThrowingProvider(scope: .alwaysCreateNew) { _ in Box() }  // here
let async = AsyncProvider { _ in Box() }  // here
let asyncFresh = AsyncProvider(scope: .alwaysCreateNew) { _ in Box() }  // here

let family = Provider.family { (_, _: Int) in Box() }  // here
let customFamily = Provider.family(scope: FlowScope()) { (_, _: Int) in Box() }  // here
let throwingFamily = ThrowingProvider.family { (_, _: Int) in Box() }  // here
let asyncFamily = AsyncProvider.family { (_, _: Int) in Box() }  // here
