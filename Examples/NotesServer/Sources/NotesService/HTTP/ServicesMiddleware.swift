import Hummingbird

/// Gives a request services of its own, for as long as it is answered.
struct ServicesMiddleware: RouterMiddleware {
  let wiring: any Wiring

  func handle(
    _ request: Request, context: NotesContext, next: (Request, NotesContext) async throws -> Response
  ) async throws -> Response {
    try await wiring.withServices(for: context.details) { services in
      var context = context
      context.requestServices = services
      return try await next(request, context)
    }
  }
}
