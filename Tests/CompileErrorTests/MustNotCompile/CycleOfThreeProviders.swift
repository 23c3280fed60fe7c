// Three providers that build each other in a ring, in every kind.
// modes: 5 6 5-main-actor 6-main-actor
// error: circular reference
// note: through reference here
// also: failed to produce diagnostic for expression
import Peapod

nonisolated final class A: Sendable { init(_ b: B) {} }
nonisolated final class B: Sendable { init(_ c: C) {} }
nonisolated final class C: Sendable { init(_ a: A) {} }

let plainA = Provider { pod in A(pod.resolve(plainB)) }  // here
let plainB = Provider<B> { pod in  // here
  let c = pod.resolve(plainC)
  return B(c)
}
let plainC = Provider("c") { pod in C(pod.resolve(plainA)) }  // here

let throwingA = ThrowingProvider { pod in A(try pod.resolve(throwingB)) }  // here
let throwingB = ThrowingProvider<B> { pod in  // here
  let c = try pod.resolve(throwingC)
  return B(c)
}
let throwingC = ThrowingProvider("c") { pod in C(try pod.resolve(throwingA)) }  // here

let asyncA = AsyncProvider { pod in A(try await pod.resolve(asyncB)) }  // here
let asyncB = AsyncProvider<B> { pod in  // here
  let c = try await pod.resolve(asyncC)
  return B(c)
}
let asyncC = AsyncProvider("c") { pod in C(try await pod.resolve(asyncA)) }  // here

let mainActorA = MainActorProvider { pod in A(pod.resolve(mainActorB)) }  // here
let mainActorB = MainActorProvider<B> { pod in  // here
  let c = pod.resolve(mainActorC)
  return B(c)
}
let mainActorC = MainActorProvider("c") { pod in C(pod.resolve(mainActorA)) }  // here
