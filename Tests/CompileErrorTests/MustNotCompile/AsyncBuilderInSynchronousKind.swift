// Only an async provider may await while it builds.
// modes: 5 6
// error: to parameter expecting synchronous function type
// error: no exact matches in call to initializer
// error: invalid conversion from 'async' function of type
import Peapod

func load() async -> Int { 3 }

let plain = Provider { _ in await load() }  // here
let fresh = Provider(scope: .alwaysCreateNew) { _ in await load() }  // here
let throwing = ThrowingProvider { _ in await load() }  // here
let mainActor = MainActorProvider { _ in await load() }  // here
let family = Provider.family { (_, _: Int) in await load() }  // here
let disposed = Provider { _ in
  3
} onDispose: { _ in  // here
  _ = await load()
}
