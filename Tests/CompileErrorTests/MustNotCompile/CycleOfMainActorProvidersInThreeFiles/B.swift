import Peapod

nonisolated final class B: Sendable { init(_ c: C) {} }

let b = MainActorProvider<B> { pod in  // here
  let made = pod.resolve(c)
  return B(made)
}
