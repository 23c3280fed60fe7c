import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// The service as an HTTP server.
public enum NotesApplication {
  /// Makes the server; it is a `Service` of ServiceLifecycle.
  ///
  /// - Parameters:
  ///   - wiring: How the parts of the service come together.
  ///   - host: Where to listen.
  ///   - port: Where to listen; 0 for any port that is free.
  ///   - onRunning: Told where the server listens, as soon as it does.
  /// - Returns: The server.
  public static func make(
    wiring: any Wiring, host: String, port: Int, onRunning: @escaping @Sendable (SocketAddress?) -> Void = { _ in }
  ) -> some ApplicationProtocol {
    Application(
      responder: router(wiring: wiring).buildResponder(),
      server: .http1(configuration: connections),
      configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: "notes-server"),
      onServerRunning: { onRunning($0.localAddress) },
      logger: wiring.shared.logger)
  }

  /// How much a connection may send before a request is understood, and how long it may be silent.
  private static let connections = HTTP1Channel.Configuration(
    idleTimeout: .seconds(60),
    httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
      maxHeaderFieldSize: 8 * 1024, maxHeaderListSize: 16 * 1024, maxHeaderFieldCount: 100))

  static func router(wiring: any Wiring) -> Router<NotesContext> {
    let router = Router(context: NotesContext.self)
    router.addMiddleware { RequestMiddleware(shared: wiring.shared) }
    router.get("health") { _, _ in Response(status: .noContent) }

    AccountRoutes.addPublic(
      to: router.group().addMiddleware {
        SignInLimitMiddleware(limiter: wiring.shared.signInLimiter)
        ServicesMiddleware(wiring: wiring)
      })

    let users = router.group().addMiddleware {
      AuthenticationMiddleware(authenticator: wiring.shared.authenticator)
      ServicesMiddleware(wiring: wiring)
    }
    AccountRoutes.addPrivate(to: users)
    NoteRoutes.add(to: users)

    DebugRoutes.add(to: router.group().addMiddleware { LoopbackMiddleware() }, wiring: wiring)
    return router
  }
}
