// A hook that could never run draws a warning with the reason, in every kind.
// modes: 5 6 5-main-actor 6-main-actor
// warning: nobody keeps an instance of AlwaysCreateNewScope, so nobody could dispose it
// warning: nobody keeps an instance of WeakScope, so nobody could dispose it
import Peapod

nonisolated final class Live: Sendable {}

let fresh = Provider(scope: .alwaysCreateNew) { _ in  // here
  Live()
} onDispose: { _ in
}
let freshThrowing = ThrowingProvider(scope: .alwaysCreateNew) { _ in  // here
  Live()
} onDispose: { _ in
}
let freshAsync = AsyncProvider(scope: .alwaysCreateNew) { _ in  // here
  Live()
} onDispose: { _ in
}
let freshMainActor = MainActorProvider(scope: .alwaysCreateNew) { _ in  // here
  Live()
} onDispose: { _ in
}

let weakly = Provider(scope: .weak) { _ in  // here
  Live()
} onDispose: { _ in
}
let weakThrowing = ThrowingProvider(scope: .weak) { _ in  // here
  Live()
} onDispose: { _ in
}
let weakAsync = AsyncProvider(scope: .weak) { _ in  // here
  Live()
} onDispose: { _ in
}
let weakMainActor = MainActorProvider(scope: .weak) { _ in  // here
  Live()
} onDispose: { _ in
}

let written = Provider<Live>("live", scope: AlwaysCreateNewScope()) { _ in  // here
  let live = Live()
  return live
} onDispose: { (live: Live) in
  print(live)
}
let weakWritten = AsyncProvider<Live>("live", scope: WeakScope()) { _ in  // here
  await Task.yield()
  return Live()
} onDispose: { _ in
  await Task.yield()
}
let inParentheses = ThrowingProvider(scope: .weak, { _ in Live() }, onDispose: { _ in })  // here
