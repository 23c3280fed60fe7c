// With main-actor default isolation, what a plain builder uses has to leave the main actor by name.
// modes: 6-main-actor 6-approachable
// error: call to main actor-isolated instance method 'greet()' in a synchronous nonisolated context
// error: main actor-isolated conformance of 'Item' to 'Hashable' cannot satisfy conformance requirement for a 'Sendable' type parameter
import Peapod

protocol Greeter: Sendable {
  func greet() -> String
}

struct LiveGreeter: Greeter {
  func greet() -> String { "hello" }
}

struct Item: Hashable, Sendable {
  let id: Int
}

nonisolated let greeter = Provider<any Greeter> { _ in LiveGreeter() }
nonisolated let greeting = Provider { pod in pod.resolve(greeter).greet() }  // here
nonisolated let price = Provider.family { (_, item: Item) in 3 }  // here
