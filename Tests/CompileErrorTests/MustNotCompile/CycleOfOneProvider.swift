// A provider that builds from itself. The compiler sees this in a static member, not in a global `let`,
// where the first resolve reports it.
// modes: 5 6
// error: circular reference
// note: through reference here
// also: failed to produce diagnostic for expression
import Peapod

enum Providers {
  static let plain = Provider<Int> { pod in pod.resolve(plain) + 1 }  // here
  static let plainOf = Provider<Int>.family { (pod, id: Int) in pod.resolve(plainOf(id)) + 1 }  // here
  static let throwing = ThrowingProvider<Int> { pod in try pod.resolve(throwing) + 1 }  // here
  static let tryOf = ThrowingProvider<Int>.family { (pod, id: Int) in try pod.resolve(tryOf(id)) + 1 }  // here
  static let async = AsyncProvider<Int> { pod in try await pod.resolve(async) + 1 }  // here
  static let asyncOf = AsyncProvider<Int>.family { (pod, id: Int) in try await pod.resolve(asyncOf(id)) + 1 }  // here
  static let mainActor = MainActorProvider<Int> { pod in pod.resolve(mainActor) + 1 }  // here
  static let mainOf = MainActorProvider<Int>.family { (pod, id: Int) in pod.resolve(mainOf(id)) + 1 }  // here
}
