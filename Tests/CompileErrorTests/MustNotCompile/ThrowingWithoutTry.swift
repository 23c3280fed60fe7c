// A failed build is handled where it is asked for.
// modes: 5 6
// error: call can throw
import Peapod

let number = ThrowingProvider { _ in 3 }
let member = ThrowingProvider.family { (_, id: Int) in id }
let async = AsyncProvider { _ in 3 }

func resolve(_ pod: Pod) -> Int { pod.resolve(number) }  // here
func resolveMember(_ pod: Pod) -> Int { pod.resolve(member(1)) }  // here
func resolveAsync(_ pod: Pod) async -> Int { await pod.resolve(async) }  // here
func make(_ pod: Pod) {
  let make = pod.factory(number)
  _ = make()  // here
  let makeMember = pod.factory(member)
  _ = makeMember(1)  // here
}
