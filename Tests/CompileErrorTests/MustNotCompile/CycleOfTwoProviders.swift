// Two providers of this kind that build each other, by every initialiser.
// modes: 5 6 5-main-actor 6-main-actor
// error: circular reference
// note: through reference here
// also: failed to produce diagnostic for expression
import Peapod

nonisolated final class A: Sendable { init(_ b: B) {} }
nonisolated final class B: Sendable { init(_ a: A) {} }
nonisolated struct FlowScope: ProviderScope {}

let inferredA = Provider { pod in A(pod.resolve(inferredB)) }  // here
let inferredB = Provider { pod in B(pod.resolve(inferredA)) }  // here

let writtenA = Provider<A> { pod in A(pod.resolve(writtenB)) }  // here
let writtenB = Provider<B> { pod in B(pod.resolve(writtenA)) }  // here

let typedA = Provider { (pod: Pod) -> A in A(pod.resolve(typedB)) }  // here
let typedB = Provider { (pod: Pod) -> B in B(pod.resolve(typedA)) }  // here

let statementsA = Provider<A> { pod in  // here
  let b = pod.resolve(statementsB)
  return A(b)
}
let statementsB = Provider { pod in  // here
  let a = pod.resolve(statementsA)
  print(a)
  return B(a)
}

let mixedA = Provider { pod in A(pod.resolve(mixedB)) }  // here
let mixedB = Provider<B> { pod in  // here
  let a = pod.resolve(mixedA)
  return B(a)
}

let namedA = Provider("a") { pod in A(pod.resolve(namedB)) }  // here
let namedB = Provider("b") { pod in B(pod.resolve(namedA)) }  // here

let scopedA = Provider(scope: .graph) { pod in A(pod.resolve(scopedB)) }  // here
let scopedB = Provider(scope: FlowScope()) { pod in B(pod.resolve(scopedA)) }  // here

let freshA = Provider(scope: .alwaysCreateNew) { pod in A(pod.resolve(freshB)) }  // here
let freshB = Provider("b", scope: .alwaysCreateNew) { pod in  // here
  let a = pod.resolve(freshA)
  return B(a)
}

let weakA = Provider(scope: .weak) { pod in A(pod.resolve(weakB)) }  // here
let weakB = Provider(scope: .weak) { pod in B(pod.resolve(weakA)) }  // here

let disposedA = Provider { pod in  // here
  A(pod.resolve(disposedB))
} onDispose: { _ in
}
let disposedB = Provider("b", scope: FlowScope()) { pod in  // here
  let a = pod.resolve(disposedA)
  return B(a)
} onDispose: { _ in
}

let freshDisposedA = Provider(scope: .alwaysCreateNew) { pod in  // here
  A(pod.resolve(freshDisposedB))
} onDispose: { _ in
}
let weakDisposedA = Provider(scope: .weak) { pod in  // here
  A(pod.resolve(weakDisposedB))
} onDispose: { _ in
}
let freshDisposedB = Provider { pod in B(pod.resolve(freshDisposedA)) }  // here
let weakDisposedB = Provider { pod in B(pod.resolve(weakDisposedA)) }  // here
