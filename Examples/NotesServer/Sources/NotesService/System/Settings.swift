/// The settings of the service.
public struct Settings: Sendable {
  /// The file of the database, or `nil` for one in memory.
  public var databasePath: String?
  /// How many requests an address may make.
  public var requestRate = Rate(perSecond: 100, burst: 200)
  /// How often an address may sign up or in; each attempt costs much computing time.
  public var signInRate = Rate(perSecond: 0.2, burst: 10)
  /// How slow it is to try a password.
  public var passwordCost = PasswordCost.recommended
  /// How long a token is good for.
  public var sessionLifetime = Duration.seconds(30 * 24 * 3600)

  /// Makes settings that suit a small server.
  ///
  /// - Parameter databasePath: The file of the database, or `nil` for one in memory.
  public init(databasePath: String? = nil) {
    self.databasePath = databasePath
  }
}
