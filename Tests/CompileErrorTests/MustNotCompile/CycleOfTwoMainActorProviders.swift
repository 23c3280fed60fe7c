// Two providers of this kind that build each other, by every initialiser.
// modes: 5 6 5-main-actor 6-main-actor
// error: circular reference
// note: through reference here
// also: failed to produce diagnostic for expression
import Peapod

nonisolated final class A: Sendable { init(_ b: B) {} }
nonisolated final class B: Sendable { init(_ a: A) {} }
nonisolated struct FlowScope: ProviderScope {}

let inferredA = MainActorProvider { pod in A(pod.resolve(inferredB)) }  // here
let inferredB = MainActorProvider { pod in B(pod.resolve(inferredA)) }  // here

let writtenA = MainActorProvider<A> { pod in A(pod.resolve(writtenB)) }  // here
let writtenB = MainActorProvider<B> { pod in B(pod.resolve(writtenA)) }  // here

let typedA = MainActorProvider { (pod: Pod) -> A in A(pod.resolve(typedB)) }  // here
let typedB = MainActorProvider { (pod: Pod) -> B in B(pod.resolve(typedA)) }  // here

let statementsA = MainActorProvider<A> { pod in  // here
  let b = pod.resolve(statementsB)
  return A(b)
}
let statementsB = MainActorProvider { pod in  // here
  let a = pod.resolve(statementsA)
  print(a)
  return B(a)
}

let mixedA = MainActorProvider { pod in A(pod.resolve(mixedB)) }  // here
let mixedB = MainActorProvider<B> { pod in  // here
  let a = pod.resolve(mixedA)
  return B(a)
}

let namedA = MainActorProvider("a") { pod in A(pod.resolve(namedB)) }  // here
let namedB = MainActorProvider("b") { pod in B(pod.resolve(namedA)) }  // here

let scopedA = MainActorProvider(scope: .graph) { pod in A(pod.resolve(scopedB)) }  // here
let scopedB = MainActorProvider(scope: FlowScope()) { pod in B(pod.resolve(scopedA)) }  // here

let freshA = MainActorProvider(scope: .alwaysCreateNew) { pod in A(pod.resolve(freshB)) }  // here
let freshB = MainActorProvider("b", scope: .alwaysCreateNew) { pod in  // here
  let a = pod.resolve(freshA)
  return B(a)
}

let weakA = MainActorProvider(scope: .weak) { pod in A(pod.resolve(weakB)) }  // here
let weakB = MainActorProvider(scope: .weak) { pod in B(pod.resolve(weakA)) }  // here

let disposedA = MainActorProvider { pod in  // here
  A(pod.resolve(disposedB))
} onDispose: { _ in
}
let disposedB = MainActorProvider("b", scope: FlowScope()) { pod in  // here
  let a = pod.resolve(disposedA)
  return B(a)
} onDispose: { _ in
}

let freshDisposedA = MainActorProvider(scope: .alwaysCreateNew) { pod in  // here
  A(pod.resolve(freshDisposedB))
} onDispose: { _ in
}
let weakDisposedA = MainActorProvider(scope: .weak) { pod in  // here
  A(pod.resolve(weakDisposedB))
} onDispose: { _ in
}
let freshDisposedB = MainActorProvider { pod in B(pod.resolve(freshDisposedA)) }  // here
let weakDisposedB = MainActorProvider { pod in B(pod.resolve(weakDisposedA)) }  // here
