import Peapod

nonisolated final class B: Sendable { init(_ a: A) {} }

let b = Provider<B> { pod in B(pod.resolve(a)) }  // here
let severalB = Provider(scope: .alwaysCreateNew) { pod in  // here
  let a = pod.resolve(severalA)
  return B(a)
}
