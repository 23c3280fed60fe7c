// A hook that could never run draws a warning with the reason, in families of every kind.
// modes: 5 6 5-main-actor 6-main-actor
// warning: nobody keeps an instance of AlwaysCreateNewScope, so nobody could dispose it
// warning: nobody keeps an instance of WeakScope, so nobody could dispose it
import Peapod

nonisolated final class Live: Sendable {}

let fresh = Provider.family(scope: .alwaysCreateNew) { (_, _: Int) in  // here
  Live()
} onDispose: { _ in
}
let freshThrowing = ThrowingProvider.family(scope: .alwaysCreateNew) { (_, _: Int) in  // here
  Live()
} onDispose: { _ in
}
let freshAsync = AsyncProvider.family(scope: .alwaysCreateNew) { (_, _: Int) in  // here
  Live()
} onDispose: { _ in
}
let freshMainActor = MainActorProvider.family(scope: .alwaysCreateNew) { (_, _: Int) in  // here
  Live()
} onDispose: { _ in
}

let weakly = Provider.family(scope: .weak) { (_, _: Int) in  // here
  Live()
} onDispose: { _ in
}
let weakThrowing = ThrowingProvider.family(scope: .weak) { (_, _: Int) in  // here
  Live()
} onDispose: { _ in
}
let weakAsync = AsyncProvider.family(scope: .weak) { (_, _: Int) in  // here
  Live()
} onDispose: { _ in
}
let weakMainActor = MainActorProvider.family(scope: .weak) { (_, _: Int) in  // here
  Live()
} onDispose: { _ in
}

let pair = Provider<Live>.family("pair", scope: AlwaysCreateNewScope()) { (_, _: Int, _: String) in  // here
  let live = Live()
  return live
} onDispose: { (live: Live) in
  print(live)
}
