// A kept member is found again by its arguments.
// modes: 5 6
// error: requires that 'Query' conform to 'Hashable'
import Peapod

struct Query: Sendable {
  var text: String
}

struct FlowScope: ProviderScope {}

let family = Provider.family { (_, query: Query) in query.text }  // here
let second = Provider.family { (_, _: Int, query: Query) in query.text }  // here
let custom = Provider.family(scope: FlowScope()) { (_, query: Query) in query.text }  // here
let throwing = ThrowingProvider.family { (_, query: Query) in query.text }  // here
let async = AsyncProvider.family { (_, query: Query) in query.text }  // here
let mainActor = MainActorProvider.family { (_, query: Query) in query.text }  // here
