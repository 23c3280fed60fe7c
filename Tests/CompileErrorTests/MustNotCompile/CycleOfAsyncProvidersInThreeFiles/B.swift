import Peapod

nonisolated final class B: Sendable { init(_ c: C) {} }

let b = AsyncProvider<B> { pod in  // here
  let made = try await pod.resolve(c)
  return B(made)
}
