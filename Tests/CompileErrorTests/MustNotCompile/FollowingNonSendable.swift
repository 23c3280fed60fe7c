// What is sent to a reader must be Sendable, and a main-actor provider is followed on the main actor.
// modes: 6
// error: type 'Draft' does not conform to the 'Sendable' protocol
// error: call to main actor-isolated instance method 'updates(of:)' in a synchronous nonisolated context
import Peapod

final class Draft { var text = "" }

@MainActor
final class Model {}

let draftProvider = Provider(scope: .alwaysCreateNew) { _ in Draft() }
let modelProvider = MainActorProvider { _ in Model() }

func follow(_ pod: Pod) {
  _ = pod.updates(of: draftProvider)  // here
}

func followElsewhere(_ pod: Pod) {
  _ = pod.updates(of: modelProvider)  // here
}
