import Peapod

nonisolated final class C: Sendable { init(_ a: A) {} }

let c = MainActorProvider { pod in C(pod.resolve(a)) }  // here
