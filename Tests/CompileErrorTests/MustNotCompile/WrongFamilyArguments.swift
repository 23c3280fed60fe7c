// A family's arguments have the number and the types that its builder names.
// modes: 5 6
// error: cannot convert value of type 'String' to expected argument type 'Int'
// error: have the same shape
import Peapod

let user = Provider.family { (_, id: Int) in "\(id)" }
let pair = Provider.family { (_, id: Int, name: String) in "\(id) \(name)" }
let async = AsyncProvider.family { (_, id: Int) in id }
let throwing = ThrowingProvider.family { (_, id: Int) in id }
let mainActor = MainActorProvider.family { (_, id: Int) in id }

func type(_ pod: Pod) -> String { pod.resolve(user("x")) }  // here
func swapped(_ pod: Pod) -> String { pod.resolve(pair("x", "y")) }  // here
func missing(_ pod: Pod) -> String { pod.resolve(user()) }  // here
func extra(_ pod: Pod) -> String { pod.resolve(user(1, 2)) }  // here
func throwing(_ pod: Pod) throws -> Int { try pod.resolve(throwing("x")) }  // here
func async(_ pod: Pod) async throws -> Int { try await pod.resolve(async("x")) }  // here
@MainActor func onMain(_ pod: Pod) -> Int { pod.resolve(mainActor("x")) }  // here
func make(_ pod: Pod) {
  let make = pod.factory(user)
  _ = make("x")  // here
}
func remove(_ pod: Pod) { pod.removeOverrideProvider(user("x")) }  // here
