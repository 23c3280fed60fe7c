import HTTPTypes
import Hummingbird

/// Signing up, in and out.
enum AccountRoutes {
  static func addPublic(to group: RouterGroup<NotesContext>) {
    group.post("users") { request, context in
      let credentials: Credentials = try await request.json(context)
      return try await context.services.accounts.signUp(credentials).json(.created)
    }
    group.post("sessions") { request, context in
      let credentials: Credentials = try await request.json(context)
      let session = try await context.services.accounts.signIn(credentials)
      return try session.json(.created, headers: [.cacheControl: "no-store"])
    }
  }

  static func addPrivate(to group: RouterGroup<NotesContext>) {
    group.get("users/me") { _, context in
      guard let user = context.details.user else { throw ServiceError.signedOut }
      return try user.json()
    }
    group.delete("sessions/current") { _, context in
      guard let token = context.token else { throw ServiceError.signedOut }
      try await context.services.accounts.signOut(token)
      return Response(status: .noContent)
    }
  }
}
