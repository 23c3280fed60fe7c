import Peapod

nonisolated final class B: Sendable { init(_ c: C) {} }

let b = ThrowingProvider<B> { pod in  // here
  let made = try pod.resolve(c)
  return B(made)
}
