import HTTPTypes
import Hummingbird

/// Hides what is behind it from other machines, also from those behind a proxy on this one.
struct LoopbackMiddleware: RouterMiddleware {
  func handle(
    _ request: Request, context: NotesContext, next: (Request, NotesContext) async throws -> Response
  ) async throws -> Response {
    let isForwarded = [.forwarded, .xForwardedFor].contains { request.headers[$0] != nil }
    guard context.peer.isLoopback, !isForwarded else { throw HTTPError(.notFound) }
    return try await next(request, context)
  }
}

extension HTTPField.Name {
  fileprivate static let forwarded = Self("Forwarded")!
  fileprivate static let xForwardedFor = Self("X-Forwarded-For")!
}
