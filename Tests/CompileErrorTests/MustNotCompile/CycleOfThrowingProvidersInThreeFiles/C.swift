import Peapod

nonisolated final class C: Sendable { init(_ a: A) {} }

let c = ThrowingProvider { pod in C(try pod.resolve(a)) }  // here
