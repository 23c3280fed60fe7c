import Hummingbird

/// Limits how often an address may try a password or sign up.
struct SignInLimitMiddleware: RouterMiddleware {
  let limiter: RateLimiter

  func handle(
    _ request: Request, context: NotesContext, next: (Request, NotesContext) async throws -> Response
  ) async throws -> Response {
    try limiter.admit(context.peer.address)
    return try await next(request, context)
  }
}
