import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1

/// The outermost middleware: names each request, counts it, limits how many there are, and turns errors into problems.
struct RequestMiddleware: RouterMiddleware {
  let shared: SharedServices

  func handle(
    _ request: Request, context: NotesContext, next: (Request, NotesContext) async throws -> Response
  ) async throws -> Response {
    let start = ContinuousClock.now
    shared.metrics.receive()

    let id = shared.random.identifier(bytes: 9)
    var logger = shared.logger
    logger[metadataKey: "request"] = "\(id)"
    var context = context
    context.logger = logger
    context.details = RequestDetails(id: id, logger: logger)

    var response: Response
    do {
      try shared.requestLimiter.admit(context.peer.address)
      response = try await next(request, context)
    } catch let error as HTTPParserError {
      // The rest cannot be read: the server answers it and closes the connection.
      shared.metrics.answer(status: 400, after: .now - start)
      throw error
    } catch {
      response = try refuse(error, context)
    }
    response.headers[.requestID] = id
    shared.metrics.answer(status: response.status.code, after: .now - start)
    logger.debug("\(request.method) \(request.uri.path) \(response.status.code)")
    return response
  }

  private func refuse(_ error: any Error, _ context: NotesContext) throws -> Response {
    var refusal = Refusal(error)
    refusal.problem.requestID = context.details.id
    if refusal.isFault { context.logger.error("request failed", metadata: ["error": "\(error)"]) }
    return try refusal.problem.response(headers: refusal.headers)
  }
}

extension HTTPField.Name {
  static let requestID = Self("X-Request-ID")!
}
