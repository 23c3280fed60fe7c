import Peapod

nonisolated final class C: Sendable { init(_ a: A) {} }

let c = Provider { pod in C(pod.resolve(a)) }  // here
