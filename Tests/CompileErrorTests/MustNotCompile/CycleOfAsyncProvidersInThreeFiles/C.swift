import Peapod

nonisolated final class C: Sendable { init(_ a: A) {} }

let c = AsyncProvider { pod in C(try await pod.resolve(a)) }  // here
