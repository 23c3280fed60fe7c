// Three providers in a ring, each in a file of its own.
// modes: 5 6 5-main-actor 6-main-actor
// error: circular reference
// note: through reference here
// also: failed to produce diagnostic for expression
import Peapod

nonisolated final class A: Sendable { init(_ b: B) {} }

let a = ThrowingProvider { pod in A(try pod.resolve(b)) }  // here
