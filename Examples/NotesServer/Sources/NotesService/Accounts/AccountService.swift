import Logging

/// Signs up, in and out, on behalf of one request.
public struct AccountService: Sendable {
  private let accounts: AccountRepository
  private let hasher: PasswordHasher
  private let clock: WallClock
  private let random: RandomSource
  private let sessionLifetime: Duration
  private let logger: Logger

  /// Makes the service.
  ///
  /// - Parameters:
  ///   - accounts: Where users and sessions are stored.
  ///   - hasher: Checks passwords.
  ///   - clock: Tells the time.
  ///   - random: Makes identifiers and tokens.
  ///   - sessionLifetime: How long a token is good for.
  ///   - logger: The request's.
  public init(
    accounts: AccountRepository, hasher: PasswordHasher, clock: WallClock, random: RandomSource,
    sessionLifetime: Duration, logger: Logger
  ) {
    self.accounts = accounts
    self.hasher = hasher
    self.clock = clock
    self.random = random
    self.sessionLifetime = sessionLifetime
    self.logger = logger
  }

  func signUp(_ credentials: Credentials) async throws -> User {
    try credentials.validate()
    let user = User(id: random.identifier(), name: credentials.name)
    try await accounts.insert(user, passwordHash: hasher.hash(credentials), at: clock.now)
    logger.info("signed up", metadata: ["user": "\(user.id)"])
    return user
  }

  func signIn(_ credentials: Credentials) async throws -> Session {
    // Nobody can have signed up with more, and it would be hashed.
    guard Credentials.passwordLengths.contains(credentials.password.utf8.count) else {
      throw ServiceError.wrongCredentials
    }
    let known = try await accounts.user(named: credentials.name)
    guard try await hasher.isCorrect(credentials, known?.passwordHash), let user = known?.user else {
      throw ServiceError.wrongCredentials
    }
    let token = SessionToken(from: random)
    let now = clock.now
    let expiresAt = now.adding(sessionLifetime)
    try await accounts.insertSession(token, of: user, until: expiresAt, at: now)
    logger.info("signed in", metadata: ["user": "\(user.id)"])
    return Session(token: token.text, expiresAt: expiresAt)
  }

  func signOut(_ token: SessionToken) async throws {
    try await accounts.removeSession(token)
  }
}
