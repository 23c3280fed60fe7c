import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// Runs the service until it is told to stop, and then ends it in order.
public struct Server: Sendable {
  private let wiring: any Wiring
  private let host: String
  private let port: Int
  private let group: ServiceGroup

  /// Makes a server.
  ///
  /// - Parameters:
  ///   - wiring: How the parts of the service come together.
  ///   - host: Where to listen.
  ///   - port: Where to listen; 0 for any port that is free.
  ///   - signals: The signals that stop the process.
  ///   - onRunning: Told where the server listens, as soon as it does.
  public init(
    wiring: any Wiring, host: String, port: Int, signals: [UnixSignal] = [.sigterm, .sigint],
    onRunning: @escaping @Sendable (SocketAddress?) -> Void
  ) {
    self.wiring = wiring
    self.host = host
    self.port = port
    let application = NotesApplication.make(wiring: wiring, host: host, port: port, onRunning: onRunning)
    group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [application], gracefulShutdownSignals: signals, logger: wiring.shared.logger))
  }

  /// Answers requests until it is to stop, then finishes those in flight, and shuts the service down.
  ///
  /// - Throws: `ListeningError` if it cannot listen, or what else the server threw; after the service was shut down.
  public func run() async throws {
    let outcome: Result<Void, any Error>
    do {
      outcome = .success(try await group.run())
    } catch {
      outcome = .failure(ListeningError(error, host: host, port: port) ?? error)
    }
    // Now that no request is left that could use it.
    await wiring.shutDown()
    try outcome.get()
  }

  /// Asks the server to stop, as a signal would.
  public func stop() async {
    await group.triggerGracefulShutdown()
  }
}
