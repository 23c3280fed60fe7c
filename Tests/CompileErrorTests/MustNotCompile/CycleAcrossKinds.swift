// Providers of different kinds that build each other.
// modes: 5 6 5-main-actor 6-main-actor
// error: circular reference
// note: through reference here
// also: failed to produce diagnostic for expression
import Peapod

nonisolated final class A: Sendable { init(_ b: B) {} }
nonisolated final class B: Sendable { init(_ a: A) {} }

let known: Provider<A> = Provider { pod in A(pod.resolve(throwingB)) }

let throwingA = ThrowingProvider { pod in A(pod.resolve(throwingB)) }  // here
let throwingB = Provider { pod in  // here
  let a = try! pod.resolve(throwingA)
  return B(a)
}

let asyncA = AsyncProvider { pod in A(pod.resolve(asyncB)) }  // here
let asyncB = Provider { pod in  // here
  Task<Void, any Error> { _ = try await pod.resolve(asyncA) }
  return B(pod.resolve(known))
}

let mainActorA = MainActorProvider { pod in A(pod.resolve(mainActorB)) }  // here
let mainActorB = Provider { pod in B(MainActor.assumeIsolated { pod.resolve(mainActorA) }) }  // here

let asyncMainActorA = AsyncProvider { pod in A(await pod.resolve(asyncMainActorB)) }  // here
let asyncMainActorB = MainActorProvider { pod in  // here
  Task<Void, any Error> { _ = try await pod.resolve(asyncMainActorA) }
  return B(pod.resolve(known))
}
