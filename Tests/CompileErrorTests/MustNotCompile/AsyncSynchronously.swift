// An async provider suspends, so what is synchronous cannot ask for it.
// modes: 5 6
// error: 'async' call in a function that does not support concurrency
// also: call can throw
import Peapod

let number = AsyncProvider { _ in 3 }
let member = AsyncProvider.family { (_, id: Int) in id }

func resolve(_ pod: Pod) throws -> Int { try pod.resolve(number) }  // here
func resolveMember(_ pod: Pod) throws -> Int { try pod.resolve(member(1)) }  // here
func make(_ pod: Pod) throws {
  let make = pod.factory(number)
  _ = try make()  // here
  let makeMember = pod.factory(member)
  _ = try makeMember(1)  // here
}
func use(_ pod: Pod) throws { try pod.withFreshInstance(of: number) { _ = $0 } }  // here
func end(_ pod: Pod) {
  pod.shutdown()  // here
  pod.shutdown(scope: .singleton)  // here
}

let plain = Provider { pod in pod.resolve(number) }  // here
let tried = Provider { pod in try? pod.resolve(number) }  // here
let throwing = ThrowingProvider { pod in try pod.resolve(number) }  // here
let mainActor = MainActorProvider { pod in pod.resolve(number) }  // here
let family = ThrowingProvider.family { (pod, _: Int) in try pod.resolve(number) }  // here
