import Foundation
import Peapod
import PeapodSystem
import PeapodUI

protocol Greeter: Sendable {
  func greet(_ name: String) -> String
}
struct Polite: Greeter {
  func greet(_ name: String) -> String { "Good day, \(name)." }
}
struct Brief: Greeter {
  func greet(_ name: String) -> String { "Hi, \(name)." }
}
struct FlowScope: ProviderScope {}
class Draft {
  var text = ""
}

let greeterProvider = Provider<any Greeter> { _ in Polite() }
let welcomeProvider = Provider(scope: FlowScope()) { pod in pod.resolve(greeterProvider).greet("Ada") }
let draftProvider = Provider(scope: .alwaysCreateNew) { _ in Draft() }
let lengthProvider = ThrowingProvider { pod in pod.resolve(welcomeProvider).count }

struct Ticket {
  @Injected(.uuid) var uuid
  @LazyInjected(.date) var date
}

func checkSystem() {
  let pod = Pod()
  precondition(pod.resolve(.date).now > .distantPast)
  pod.useDeterministicSystem(now: .distantPast, seed: 1)
  pod.overrideProvider(.clock, withValue: ManualClock())
  precondition(pod.resolve(.clock) is ManualClock && pod.isCached(.clock))
  let ticket = Pod.$current.withValue(pod) { Ticket() }
  precondition(ticket.uuid() == UUID(uuidString: "00000000-0000-0000-0000-000000000000"))
  precondition(ticket.date.now == .distantPast)
}

@main struct Swift5 {
  static func main() throws {
    checkSystem()
    let pod = Pod()
    precondition(pod.resolve(welcomeProvider) == "Good day, Ada.")
    precondition(pod.isCached(welcomeProvider))
    pod.clearCachedInstances(forScope: FlowScope())
    precondition(!pod.isCached(welcomeProvider))
    pod.overrideProvider(greeterProvider) { _ in Brief() }
    let length = try pod.resolve(lengthProvider)
    precondition(length == "Hi, Ada.".count)
    let draft = pod.resolve(draftProvider)
    draft.text = pod.resolve(welcomeProvider)
    precondition(pod.resolve(draftProvider).text.isEmpty)
    pod.removeOverrideProvider(greeterProvider)
    precondition(pod.resolve(welcomeProvider) == "Good day, Ada.")
    print("Swift 5: \(draft.text)")
  }
}
