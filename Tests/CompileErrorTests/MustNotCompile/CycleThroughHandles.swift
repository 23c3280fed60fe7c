// A loop through a handle is legal, but has to be declared by annotating one of its providers.
// modes: 5 6 5-main-actor 6-main-actor
// error: circular reference
// note: through reference here
// also: failed to produce diagnostic for expression
import Peapod

nonisolated final class A: Sendable { init(_ b: Lazy<B>) {} }
nonisolated final class B: Sendable {
  init(_ a: A) {}
  init(make: @escaping @Sendable () -> B) {}
}
nonisolated final class C: Sendable { init(_ d: @escaping @Sendable () -> D) {} }
nonisolated final class D: Sendable { init(_ c: C) {} }

let lazyA = Provider { pod in A(pod.lazy(lazyB)) }  // here
let lazyB = Provider { pod in B(pod.resolve(lazyA)) }  // here

let factoryC = Provider { pod in C(pod.factory(factoryD)) }  // here
let factoryD = Provider<D> { pod in  // here
  let c = pod.resolve(factoryC)
  return D(c)
}

let borrowed = Provider<Int> { pod in pod.withResolved(borrower) { $0 + 1 } }  // here
let borrower = Provider<Int> { pod in pod.perUse(borrowed).use { $0 + 1 } }  // here
