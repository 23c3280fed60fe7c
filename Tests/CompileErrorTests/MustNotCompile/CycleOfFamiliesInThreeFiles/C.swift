import Peapod

nonisolated final class C: Sendable { init(_ a: A) {} }

let c = Provider.family { (pod, id: Int) in C(pod.resolve(a(id))) }  // here
