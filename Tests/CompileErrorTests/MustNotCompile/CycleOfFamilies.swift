// Families that build each other, or a family and a provider.
// modes: 5 6 5-main-actor 6-main-actor
// error: circular reference
// note: through reference here
// also: failed to produce diagnostic for expression
import Peapod

nonisolated final class A: Sendable { init(_ b: B) {} }
nonisolated final class B: Sendable { init(_ a: A) {} }

let plainA = Provider.family { (pod, id: Int) in A(pod.resolve(plainB(id))) }  // here
let plainB = Provider<B>.family(scope: .graph) { (pod, id: Int) in  // here
  let a = pod.resolve(plainA(id))
  return B(a)
}

let plainFreshA = Provider.family(scope: .alwaysCreateNew) { (pod, id: Int) in  // here
  A(pod.resolve(plainFreshB(id)))
}
let plainFreshB = Provider<B>.family("b", scope: .alwaysCreateNew) { (pod, id: Int) in  // here
  B(pod.resolve(plainFreshA(id)))
}

let plainMemberA = Provider.family { (pod, _: Int) in A(pod.resolve(plainMemberB)) }  // here
let plainMemberB = Provider { pod in B(pod.resolve(plainMemberA(1))) }  // here

let throwingA = ThrowingProvider.family { (pod, id: Int) in A(try pod.resolve(throwingB(id))) }  // here
let throwingB = ThrowingProvider<B>.family(scope: .graph) { (pod, id: Int) in  // here
  let a = try pod.resolve(throwingA(id))
  return B(a)
}

let throwingFreshA = ThrowingProvider.family(scope: .alwaysCreateNew) { (pod, id: Int) in  // here
  A(try pod.resolve(throwingFreshB(id)))
}
let throwingFreshB = ThrowingProvider<B>.family("b", scope: .alwaysCreateNew) { (pod, id: Int) in  // here
  B(try pod.resolve(throwingFreshA(id)))
}

let throwingMemberA = ThrowingProvider.family { (pod, _: Int) in A(try pod.resolve(throwingMemberB)) }  // here
let throwingMemberB = ThrowingProvider { pod in B(try pod.resolve(throwingMemberA(1))) }  // here

let asyncA = AsyncProvider.family { (pod, id: Int) in A(try await pod.resolve(asyncB(id))) }  // here
let asyncB = AsyncProvider<B>.family(scope: .graph) { (pod, id: Int) in  // here
  let a = try await pod.resolve(asyncA(id))
  return B(a)
}

let asyncFreshA = AsyncProvider.family(scope: .alwaysCreateNew) { (pod, id: Int) in  // here
  A(try await pod.resolve(asyncFreshB(id)))
}
let asyncFreshB = AsyncProvider<B>.family("b", scope: .alwaysCreateNew) { (pod, id: Int) in  // here
  B(try await pod.resolve(asyncFreshA(id)))
}

let asyncMemberA = AsyncProvider.family { (pod, _: Int) in A(try await pod.resolve(asyncMemberB)) }  // here
let asyncMemberB = AsyncProvider { pod in B(try await pod.resolve(asyncMemberA(1))) }  // here

let mainActorA = MainActorProvider.family { (pod, id: Int) in A(pod.resolve(mainActorB(id))) }  // here
let mainActorB = MainActorProvider<B>.family(scope: .graph) { (pod, id: Int) in  // here
  let a = pod.resolve(mainActorA(id))
  return B(a)
}

let mainActorFreshA = MainActorProvider.family(scope: .alwaysCreateNew) { (pod, id: Int) in  // here
  A(pod.resolve(mainActorFreshB(id)))
}
let mainActorFreshB = MainActorProvider<B>.family("b", scope: .alwaysCreateNew) { (pod, id: Int) in  // here
  B(pod.resolve(mainActorFreshA(id)))
}

let mainActorMemberA = MainActorProvider.family { (pod, _: Int) in A(pod.resolve(mainActorMemberB)) }  // here
let mainActorMemberB = MainActorProvider { pod in B(pod.resolve(mainActorMemberA(1))) }  // here
