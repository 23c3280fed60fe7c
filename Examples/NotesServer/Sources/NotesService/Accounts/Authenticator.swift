/// Finds out who sends a request.
public struct Authenticator: Sendable {
  private let accounts: AccountRepository
  private let clock: WallClock

  /// Makes an authenticator.
  ///
  /// - Parameters:
  ///   - accounts: Knows the sessions.
  ///   - clock: Tells which have ended.
  public init(accounts: AccountRepository, clock: WallClock) {
    self.accounts = accounts
    self.clock = clock
  }

  /// Returns the user whose token this is.
  func user(of token: SessionToken?) async throws -> User {
    guard let token, let user = try await accounts.user(of: token, at: clock.now) else { throw ServiceError.signedOut }
    return user
  }
}
