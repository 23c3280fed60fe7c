// The pod's methods take providers, families and scopes, each in its place.
// modes: 5 6
// error: 'resolve' is unavailable: pass a provider, not a type: declare `let xProvider = Provider { … }`
// error: no exact matches in call to instance method 'resolve'
// error: requires that 'Provider<Int>' conform to 'ProviderScope'
// error: requires that 'String' conform to 'ProviderScope'
// error: requires that 'ProviderFamily<Provider<String>, Int>' conform to 'ProviderProtocol'
// error: cannot convert return expression of type 'Int' to return type 'String'
// error: to expected argument type 'Provider<Value>'
// error: cannot convert value of type 'String' to expected element type 'any ProviderScope'
// error: cannot convert value of type 'String' to expected argument type
// also: generic parameter 'Value' could not be inferred
import Peapod

let number = Provider { _ in 3 }
let user = Provider.family { (_, id: Int) in "\(id)" }

func resolveFamily(_ pod: Pod) -> String { pod.resolve(user) }  // here
func resolveType(_ pod: Pod) -> Int { pod.resolve(Int.self) }  // here
func clearProvider(_ pod: Pod) { pod.clearCachedInstances(forScope: number) }  // here
func clearText(_ pod: Pod) { pod.clearCachedInstances(forScope: "flow") }  // here
func clearFamily(_ pod: Pod) { pod.clearCachedInstance(of: user) }  // here
func wrongResult(_ pod: Pod) -> String { pod.resolve(number) }  // here
func lazyFamily(_ pod: Pod) { _ = pod.lazy(user) }  // here
func lazyThrowing(_ pod: Pod) { _ = pod.lazy(ThrowingProvider { _ in 3 }) }  // here
func owning(_ pod: Pod) { _ = pod.makeChild(owning: ["flow"]) }  // here
let noScope = Provider(scope: "flow") { _ in 3 }  // here
