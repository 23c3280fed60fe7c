import InMemoryLogging
import Logging
import NotesService
import NotesWiring
import Peapod
import PeapodSystem
import Testing

/// The service with a clock, a random source and a database of its own, so that tests run in parallel.
struct TestService: Sendable {
  let pod = Pod("test")
  let clock = TestClock()
  let log = InMemoryLogHandler()

  init(_ configure: (inout Settings) -> Void = { _ in }) {
    var settings = Settings()
    settings.passwordCost = PasswordCost(rounds: 16, blockSize: 1, parallelism: 1)
    settings.requestRate = Rate(perSecond: 1000, burst: 10_000)
    settings.signInRate = Rate(perSecond: 100, burst: 1000)
    configure(&settings)
    let log = log
    pod.overrideProvider(settingsProvider, withValue: settings)
    pod.overrideProvider(.date, withValue: clock.date)
    pod.overrideProvider(randomProvider, withValue: CountingRandom().source)
    pod.overrideProvider(loggerProvider, withValue: Logger(label: "test") { _ in log })
  }

  /// Runs a test with a client of the service, and shuts the service down.
  func run<Result: Sendable>(
    over transport: Transport = .inProcess, _ test: @escaping @Sendable (any Client) async throws -> Result
  ) async throws -> Result {
    let wiring = try await PodWiring(pod)
    switch transport {
    case .inProcess:
      defer { pod.dispose() }
      return try await test(InProcessClient(wiring))
    case .socket:
      return try await RunningServer.with(wiring) { server in try await test(SocketClient(port: server.port)) }
    }
  }

  /// How often something was logged.
  func logged(_ message: String) -> Int {
    log.entries.count { "\($0.message)" == message }
  }
}
