// snippet: Startup declare
import Peapod
// end
import PeapodTesting
import Testing

#if canImport(ServiceLifecycle)
  // snippet: Startup service
  import Logging
  import ServiceLifecycle
// end
#endif

// snippet: Startup declare
private struct Settings: Sendable { let server: String }

private final class Database: Sendable {
  let settings: Settings
  init(settings: Settings) async throws {
    self.settings = settings
    try await Task.sleep(for: .milliseconds(20))
  }
}

private final class Session: Sendable {
  let database: Database
  init(database: Database) { self.database = database }
}

@MainActor private final class Menu {}

private let settingsProvider = ThrowingProvider("settings") { _ in Settings(server: "notes.example") }
private let databaseProvider = AsyncProvider("database") { pod in
  try await Database(settings: try pod.resolve(settingsProvider))
}
private let sessionProvider = AsyncProvider("session") { pod in
  Session(database: try await pod.resolve(databaseProvider))
}
private let menuProvider = MainActorProvider("menu") { _ in Menu() }
// end

// snippet: Startup service
private struct AppService: Service {
  let pod: Pod

  func run() async throws {
    do {
      try await pod.prepare(sessionProvider, menuProvider)
      try await gracefulShutdown()  // Run your server here, until the shutdown begins.
    } catch {
      await pod.shutdown()
      throw error
    }
    await pod.shutdown()
  }
}
// end

// Stand-ins for swift-service-lifecycle, with the names and effects of its 2.13.0, and for the logger of swift-log.

private protocol Service: Sendable {
  func run() async throws
}

private enum UnixSignal { case sigterm, sigint }

private struct Logger {
  let label: String
}

private struct ServiceGroup {
  let services: [any Service]
  let gracefulShutdownSignals: [UnixSignal]
  let logger: Logger

  func run() async throws {
    for service in services { try await service.run() }
  }
}

/// Returns at once, as though a signal had arrived.
private func gracefulShutdown() async throws {}

@Suite("Startup", .transcript)
struct StartupTests {
  @Test("prepare resolves concurrently and names the critical path")
  func prepare() async throws {
    // snippet: Startup prepare
    let pod = Pod("App")
    let preparation = try await pod.prepare(sessionProvider, menuProvider)
    print(preparation.criticalPath.map(\.provider.name))
    print(pod.isCached(databaseProvider), pod.isCached(menuProvider))
    // end
    try expectOutput(of: "Startup prepare")

    // snippet: Startup steps
    for step in preparation.criticalPath {
      print(step.provider.name, step.exclusiveDuration)
    }
    // end
    #expect(Transcript.current?.take().split(separator: "\n").count == 3)

    // snippet: Startup failure
    struct NoServer: Error {}

    let offline = pod.makeChild("offline") {
      $0.overrideProvider(settingsProvider) { _ in throw NoServer() }
    }
    do {
      try await offline.prepare(sessionProvider, menuProvider)
    } catch let error as PreparationError {
      print("\(error.provider.name):", error.underlyingError)
    }
    // end
    try expectOutput(of: "Startup failure")
  }

  @Test("A service prepares the pod and shuts it down")
  func service() async throws {
    let pod = Pod("App")
    let recorder = ResolutionRecorder(observing: pod)
    // snippet: Startup services
    let services = ServiceGroup(
      services: [AppService(pod: pod)], gracefulShutdownSignals: [.sigterm, .sigint], logger: Logger(label: "app"))
    try await services.run()
    // end
    #expect(recorder.buildCount(of: sessionProvider) == 1)
    #expect(!pod.isCached(sessionProvider) && !pod.isCached(menuProvider))

    struct NoServer: Error {}
    pod.overrideProvider(settingsProvider) { _ in throw NoServer() }
    await #expect(throws: PreparationError.self) { try await AppService(pod: pod).run() }
  }
}
