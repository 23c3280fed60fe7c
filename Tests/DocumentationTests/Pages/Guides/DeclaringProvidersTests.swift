// snippet: Kind declare
import Peapod
// end
import Testing

// snippet: Kind declare
private struct Settings: Sendable { let server: String }

private final class NoteStore: Sendable {
  let settings: Settings
  init(settings: Settings) { self.settings = settings }
}

private let settingsProvider = Provider { _ in Settings(server: "notes.example") }
private let noteStoreProvider = Provider { pod in NoteStore(settings: pod.resolve(settingsProvider)) }
// end

// snippet: Kind choice
private protocol Mailer: Sendable { var name: String { get } }
private struct SMTPMailer: Mailer { let name = "SMTP" }
private struct LogMailer: Mailer { let name = "log" }

private let usesMailServerProvider = Provider("uses a mail server") { _ in false }
private let smtpMailerProvider = Provider { _ in SMTPMailer() }
private let logMailerProvider = Provider { _ in LogMailer() }

private let mailerProvider = Provider<any Mailer> { pod in
  if pod.resolve(usesMailServerProvider) {
    pod.resolve(smtpMailerProvider)
  } else {
    pod.resolve(logMailerProvider)
  }
}
// end

// snippet: Kind throwing
private struct MissingSetting: Error { let name: String }

private let environmentProvider = Provider<[String: String]> { _ in [:] }
private let serverProvider = ThrowingProvider { pod in
  guard let server = pod.resolve(environmentProvider)["SERVER"] else {
    throw MissingSetting(name: "SERVER")
  }
  return Settings(server: server)
}
// end

// snippet: Kind async
private actor Database {
  private(set) var isOpen = false

  func open() async throws { isOpen = true }
  func close() async { isOpen = false }
}

private struct Notes: Sendable { let database: Database }

private let databaseProvider = AsyncProvider { _ in
  let database = Database()
  try await database.open()
  return database
} onDispose: { database in
  await database.close()
}
private let notesProvider = AsyncProvider { pod in
  Notes(database: try await pod.resolve(databaseProvider))
}
// end

// snippet: Kind main actor
private struct Clock: Sendable { let hour: Int }

@MainActor private final class GreetingModel {
  var text: String

  init(clock: Clock) { text = clock.hour < 12 ? "Good morning" : "Good day" }
}

private let clockProvider = Provider { _ in Clock(hour: 9) }
private let greetingModelProvider = MainActorProvider { pod in
  GreetingModel(clock: pod.resolve(clockProvider))
}
// end

// snippet: Kind async on the main actor
private let preparedModelProvider = AsyncProvider { @MainActor pod in
  let settings = try pod.resolve(serverProvider)
  let model = GreetingModel(clock: pod.resolve(clockProvider))
  model.text += " from \(settings.server)"
  return model
}
// end

// snippet: Kind families
private let endpointProvider = Provider.family { (pod, path: String) in
  "https://\(pod.resolve(environmentProvider)["SERVER"] ?? "localhost")/\(path)"
}
private let pageProvider = AsyncProvider.family { (pod, path: String, page: Int) in
  "\(pod.resolve(endpointProvider(path)))?page=\(page)"
}
// end

// snippet: Kind default isolation
nonisolated protocol FeedAPI: Sendable { func entries() -> [String] }
nonisolated struct LiveFeedAPI: FeedAPI { func entries() -> [String] { ["Hello"] } }

nonisolated let feedAPIProvider = Provider<any FeedAPI> { _ in LiveFeedAPI() }

final class FeedModel {
  private let api: any FeedAPI
  init(api: any FeedAPI) { self.api = api }
  var count: Int { api.entries().count }
}

let feedModelProvider = MainActorProvider { pod in
  FeedModel(api: pod.resolve(feedAPIProvider))
}
// end

@Suite("Declaring providers", .transcript)
struct DeclaringProvidersTests {
  private let pod = Pod()

  @Test("A builder chooses an implementation, and an override of what it chose by reaches it")
  func choice() throws {
    // snippet: Kind choice use
    let pod = Pod()
    print(pod.resolve(mailerProvider).name)
    pod.overrideProvider(usesMailServerProvider, withValue: true)
    print(pod.resolve(mailerProvider).name)
    // end
    try expectOutput(of: "Kind choice use")
    let other = Pod()
    _ = other.resolve(mailerProvider)
    #expect(other.isCached(logMailerProvider) && !other.isCached(smtpMailerProvider))
  }

  @Test("A thrown error is not cached")
  func throwing() throws {
    // snippet: Kind throwing use
    let pod = Pod()
    do {
      _ = try pod.resolve(serverProvider)
    } catch let error as MissingSetting {
      print("\(error.name) is not set")
    }

    pod.overrideProvider(environmentProvider, withValue: ["SERVER": "notes.example"])
    print(try pod.resolve(serverProvider).server)
    // end
    try expectOutput(of: "Kind throwing use")
    #expect(pod.resolve(noteStoreProvider).settings.server == "notes.example")
  }

  @Test("Two tasks share one build, and shutdown awaits the disposal closure")
  func async() async throws {
    // snippet: Kind async use
    async let first = pod.resolve(notesProvider)
    async let second = pod.resolve(notesProvider)
    let database = try await first.database
    print(try await second.database === database)

    await pod.shutdown()
    print(await database.isOpen)
    // end
    try expectOutput(of: "Kind async use")
  }

  @Test("Main-actor code resolves without await, other code with it")
  func mainActor() async throws {
    // snippet: Kind main actor use
    @MainActor func show(in pod: Pod) {
      print(pod.resolve(greetingModelProvider).text)
    }

    func load(in pod: Pod) async {
      let model = await pod.resolve(greetingModelProvider)
      print(await model.text)
    }
    // end
    await show(in: pod)
    await load(in: pod)
    try expectOutput(of: "Kind main actor use")

    pod.overrideProvider(environmentProvider, withValue: ["SERVER": "notes.example"])
    let model = try await pod.resolve(preparedModelProvider)
    #expect(await model.text == "Good morning from notes.example")
  }

  @Test("Every kind has a family")
  func families() async throws {
    pod.overrideProvider(environmentProvider, withValue: ["SERVER": "notes.example"])
    // snippet: Kind families use
    print(pod.resolve(endpointProvider("notes")))
    print(try await pod.resolve(pageProvider("notes", 2)))
    // end
    try expectOutput(of: "Kind families use")
  }

  @Test("The page's program for main-actor modules runs")
  func defaultIsolation() async {
    #expect(await MainActor.run { pod.resolve(feedModelProvider).count } == 1)
  }

  @Test("The page's program for main-actor modules compiles there without a warning", arguments: ["5", "6"])
  func compilesWithDefaultIsolation(languageMode: String) throws {
    let source = try #require(try Snippet.all()["Kind default isolation"]?.text)
    let arguments = ["-swift-version", languageMode, "-default-isolation", "MainActor"]
    #expect(try Compiler.output(of: "import Peapod\n" + source, arguments) == "")
  }
}
