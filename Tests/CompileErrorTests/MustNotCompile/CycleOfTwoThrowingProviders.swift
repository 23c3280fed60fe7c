// Two providers of this kind that build each other, by every initialiser.
// modes: 5 6 5-main-actor 6-main-actor
// error: circular reference
// note: through reference here
// also: failed to produce diagnostic for expression
import Peapod

nonisolated final class A: Sendable { init(_ b: B) {} }
nonisolated final class B: Sendable { init(_ a: A) {} }
nonisolated struct FlowScope: ProviderScope {}

let inferredA = ThrowingProvider { pod in A(try pod.resolve(inferredB)) }  // here
let inferredB = ThrowingProvider { pod in B(try pod.resolve(inferredA)) }  // here

let writtenA = ThrowingProvider<A> { pod in A(try pod.resolve(writtenB)) }  // here
let writtenB = ThrowingProvider<B> { pod in B(try pod.resolve(writtenA)) }  // here

let typedA = ThrowingProvider { (pod: Pod) -> A in A(try pod.resolve(typedB)) }  // here
let typedB = ThrowingProvider { (pod: Pod) -> B in B(try pod.resolve(typedA)) }  // here

let statementsA = ThrowingProvider<A> { pod in  // here
  let b = try pod.resolve(statementsB)
  return A(b)
}
let statementsB = ThrowingProvider { pod in  // here
  let a = try pod.resolve(statementsA)
  print(a)
  return B(a)
}

let mixedA = ThrowingProvider { pod in A(try pod.resolve(mixedB)) }  // here
let mixedB = ThrowingProvider<B> { pod in  // here
  let a = try pod.resolve(mixedA)
  return B(a)
}

let namedA = ThrowingProvider("a") { pod in A(try pod.resolve(namedB)) }  // here
let namedB = ThrowingProvider("b") { pod in B(try pod.resolve(namedA)) }  // here

let scopedA = ThrowingProvider(scope: .graph) { pod in A(try pod.resolve(scopedB)) }  // here
let scopedB = ThrowingProvider(scope: FlowScope()) { pod in B(try pod.resolve(scopedA)) }  // here

let freshA = ThrowingProvider(scope: .alwaysCreateNew) { pod in A(try pod.resolve(freshB)) }  // here
let freshB = ThrowingProvider("b", scope: .alwaysCreateNew) { pod in  // here
  let a = try pod.resolve(freshA)
  return B(a)
}

let weakA = ThrowingProvider(scope: .weak) { pod in A(try pod.resolve(weakB)) }  // here
let weakB = ThrowingProvider(scope: .weak) { pod in B(try pod.resolve(weakA)) }  // here

let disposedA = ThrowingProvider { pod in  // here
  A(try pod.resolve(disposedB))
} onDispose: { _ in
}
let disposedB = ThrowingProvider("b", scope: FlowScope()) { pod in  // here
  let a = try pod.resolve(disposedA)
  return B(a)
} onDispose: { _ in
}

let freshDisposedA = ThrowingProvider(scope: .alwaysCreateNew) { pod in  // here
  A(try pod.resolve(freshDisposedB))
} onDispose: { _ in
}
let weakDisposedA = ThrowingProvider(scope: .weak) { pod in  // here
  A(try pod.resolve(weakDisposedB))
} onDispose: { _ in
}
let freshDisposedB = ThrowingProvider { pod in B(try pod.resolve(freshDisposedA)) }  // here
let weakDisposedB = ThrowingProvider { pod in B(try pod.resolve(weakDisposedA)) }  // here
