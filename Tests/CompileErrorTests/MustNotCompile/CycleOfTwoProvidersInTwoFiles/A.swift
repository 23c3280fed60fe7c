// Two providers that build each other, each in a file of its own.
// modes: 5 6 5-main-actor 6-main-actor
// error: circular reference
// note: through reference here
// also: failed to produce diagnostic for expression
import Peapod

nonisolated final class A: Sendable { init(_ b: B) {} }

let a = Provider { pod in A(pod.resolve(b)) }  // here
let severalA = Provider("a") { pod in  // here
  let b = pod.resolve(severalB)
  return A(b)
}
