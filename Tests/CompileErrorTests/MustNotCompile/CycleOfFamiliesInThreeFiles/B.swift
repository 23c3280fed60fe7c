import Peapod

nonisolated final class B: Sendable { init(_ c: C) {} }

let b = Provider.family { (pod, id: Int) in B(pod.resolve(c(id))) }  // here
