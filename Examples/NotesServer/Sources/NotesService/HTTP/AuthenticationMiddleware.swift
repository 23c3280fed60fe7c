import HTTPTypes
import Hummingbird

/// Lets in who shows a valid token.
struct AuthenticationMiddleware: RouterMiddleware {
  let authenticator: Authenticator

  func handle(
    _ request: Request, context: NotesContext, next: (Request, NotesContext) async throws -> Response
  ) async throws -> Response {
    let token = request.headers[.authorization].flatMap(Self.token)
    var context = context
    context.details.user = try await authenticator.user(of: token)
    context.token = token
    return try await next(request, context)
  }

  private static func token(in header: String) -> SessionToken? {
    let parts = header.split(separator: " ")
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return SessionToken(parts[1])
  }
}
