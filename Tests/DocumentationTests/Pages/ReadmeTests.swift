// snippet: Readme first screen
import Peapod
// end

import Testing

// snippet: Readme first screen
private protocol Forecast: Sendable { var tomorrow: String { get } }
private struct Fixed: Forecast { var tomorrow: String }
private struct Advisor: Sendable {
  let forecast: any Forecast
  var advice: String { forecast.tomorrow == "rain" ? "Take an umbrella." : "Leave it at home." }
}
private let forecastProvider = Provider<any Forecast> { _ in Fixed(tomorrow: "rain") }
private let advisorProvider = Provider { pod in Advisor(forecast: pod.resolve(forecastProvider)) }
// end

// snippet: Readme declare
private struct Database: Sendable { let path: String }

private final class NoteStore: Sendable {
  let database: Database
  init(_ database: Database) { self.database = database }
}

private let databaseProvider = Provider { _ in Database(path: "notes.sqlite") }
private let noteStoreProvider = Provider { pod in NoteStore(pod.resolve(databaseProvider)) }
// end

// snippet: Readme scope
private struct SignUpScope: ProviderScope {}

private final class SignUpForm: Sendable {}

private let signUpFormProvider = Provider(scope: SignUpScope()) { _ in SignUpForm() }
// end

@Suite("README", .transcript)
struct ReadmeTests {
  @Test("The first screen prints what the page shows")
  func firstScreen() throws {
    // snippet: Readme first screen
    let pod = Pod()
    print(pod.resolve(advisorProvider).advice)
    pod.overrideProvider(forecastProvider) { _ in Fixed(tomorrow: "sun") }
    print(pod.resolve(advisorProvider).advice)  // built again, on top of the override
    pod.removeOverrideProvider(forecastProvider)
    print(pod.resolve(advisorProvider).advice)  // the first instance is back
    // end
    try expectOutput(of: "Readme first screen")
  }

  @Test("The five sections print what the page shows")
  func idea() throws {
    // snippet: Readme resolve
    let pod = Pod()
    let store = pod.resolve(noteStoreProvider)  // builds the database, then the store
    print(pod.resolve(noteStoreProvider) === store)
    // end
    try expectOutput(of: "Readme resolve")

    // snippet: Readme override
    pod.overrideProvider(databaseProvider) { _ in Database(path: ":memory:") }
    print(pod.resolve(noteStoreProvider).database.path)

    pod.removeOverrideProvider(databaseProvider)
    print(pod.resolve(noteStoreProvider) === store)
    // end
    try expectOutput(of: "Readme override")

    // snippet: Readme clear
    let form = pod.resolve(signUpFormProvider)
    pod.clearCachedInstances(forScope: SignUpScope())
    print(pod.resolve(signUpFormProvider) === form)
    // end
    try expectOutput(of: "Readme clear")
  }
}
