import Logging

/// The services that all requests share.
public struct SharedServices: Sendable {
  let random: RandomSource
  let logger: Logger
  let metrics: RequestMetrics
  let authenticator: Authenticator
  let requestLimiter: RateLimiter
  let signInLimiter: RateLimiter

  /// Collects the services.
  ///
  /// - Parameters:
  ///   - random: Makes the identifiers of requests.
  ///   - logger: The server's.
  ///   - metrics: Counts requests.
  ///   - authenticator: Finds out who sends a request.
  ///   - requestLimiter: Counts the requests of an address.
  ///   - signInLimiter: Counts its attempts to sign up or in.
  public init(
    random: RandomSource, logger: Logger, metrics: RequestMetrics, authenticator: Authenticator,
    requestLimiter: RateLimiter, signInLimiter: RateLimiter
  ) {
    self.random = random
    self.logger = logger
    self.metrics = metrics
    self.authenticator = authenticator
    self.requestLimiter = requestLimiter
    self.signInLimiter = signInLimiter
  }
}
