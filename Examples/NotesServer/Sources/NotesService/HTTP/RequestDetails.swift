import Logging

/// What is different in every request.
public struct RequestDetails: Sendable {
  /// Names the request in the log and in answers.
  public let id: String
  /// Writes with the request's identifier.
  public let logger: Logger
  /// Who asks; `nil` where nobody has to say.
  public var user: User?
}
