// Providers declared beside their types.
// modes: 5 6 5-main-actor 6-main-actor
// error: circular reference
// note: through reference here
// also: failed to produce diagnostic for expression
import Peapod

nonisolated final class A: Sendable {
  static let provider = Provider { pod in A(pod.resolve(B.provider)) }  // here
  init(_ b: B) {}
}
nonisolated final class B: Sendable {
  static let provider = Provider { pod in B(pod.resolve(A.provider)) }  // here
  init(_ a: A) {}
}
nonisolated enum Services {
  static let a = AsyncProvider { pod in A(try await pod.resolve(b)) }  // here
  static let b = AsyncProvider<B> { pod in  // here
    let a = try await pod.resolve(Services.a)
    return B(a)
  }
}
