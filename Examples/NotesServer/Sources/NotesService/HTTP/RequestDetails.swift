import Logging

/// The values that are different in every request.
public struct RequestDetails: Sendable {
  /// Names the request in the log and in answers.
  public let id: String
  /// Writes with the request's identifier.
  public let logger: Logger
  /// The user; `nil` where the route needs no user.
  public var user: User?
}
