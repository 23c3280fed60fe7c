// Two providers of this kind that build each other, by every initialiser.
// modes: 5 6 5-main-actor 6-main-actor
// error: circular reference
// note: through reference here
// also: failed to produce diagnostic for expression
import Peapod

nonisolated final class A: Sendable { init(_ b: B) {} }
nonisolated final class B: Sendable { init(_ a: A) {} }
nonisolated struct FlowScope: ProviderScope {}

let inferredA = AsyncProvider { pod in A(try await pod.resolve(inferredB)) }  // here
let inferredB = AsyncProvider { pod in B(try await pod.resolve(inferredA)) }  // here

let writtenA = AsyncProvider<A> { pod in A(try await pod.resolve(writtenB)) }  // here
let writtenB = AsyncProvider<B> { pod in B(try await pod.resolve(writtenA)) }  // here

let typedA = AsyncProvider { (pod: Pod) -> A in A(try await pod.resolve(typedB)) }  // here
let typedB = AsyncProvider { (pod: Pod) -> B in B(try await pod.resolve(typedA)) }  // here

let statementsA = AsyncProvider<A> { pod in  // here
  let b = try await pod.resolve(statementsB)
  return A(b)
}
let statementsB = AsyncProvider { pod in  // here
  let a = try await pod.resolve(statementsA)
  print(a)
  return B(a)
}

let mixedA = AsyncProvider { pod in A(try await pod.resolve(mixedB)) }  // here
let mixedB = AsyncProvider<B> { pod in  // here
  let a = try await pod.resolve(mixedA)
  return B(a)
}

let namedA = AsyncProvider("a") { pod in A(try await pod.resolve(namedB)) }  // here
let namedB = AsyncProvider("b") { pod in B(try await pod.resolve(namedA)) }  // here

let scopedA = AsyncProvider(scope: .graph) { pod in A(try await pod.resolve(scopedB)) }  // here
let scopedB = AsyncProvider(scope: FlowScope()) { pod in B(try await pod.resolve(scopedA)) }  // here

let freshA = AsyncProvider(scope: .alwaysCreateNew) { pod in A(try await pod.resolve(freshB)) }  // here
let freshB = AsyncProvider("b", scope: .alwaysCreateNew) { pod in  // here
  let a = try await pod.resolve(freshA)
  return B(a)
}

let weakA = AsyncProvider(scope: .weak) { pod in A(try await pod.resolve(weakB)) }  // here
let weakB = AsyncProvider(scope: .weak) { pod in B(try await pod.resolve(weakA)) }  // here

let disposedA = AsyncProvider { pod in  // here
  A(try await pod.resolve(disposedB))
} onDispose: { _ in
}
let disposedB = AsyncProvider("b", scope: FlowScope()) { pod in  // here
  let a = try await pod.resolve(disposedA)
  return B(a)
} onDispose: { _ in
}

let freshDisposedA = AsyncProvider(scope: .alwaysCreateNew) { pod in  // here
  A(try await pod.resolve(freshDisposedB))
} onDispose: { _ in
}
let weakDisposedA = AsyncProvider(scope: .weak) { pod in  // here
  A(try await pod.resolve(weakDisposedB))
} onDispose: { _ in
}
let freshDisposedB = AsyncProvider { pod in B(try await pod.resolve(freshDisposedA)) }  // here
let weakDisposedB = AsyncProvider { pod in B(try await pod.resolve(weakDisposedA)) }  // here
