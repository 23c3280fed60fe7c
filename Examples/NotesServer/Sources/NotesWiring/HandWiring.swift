import Logging
import NotesService

/// The same service wired by hand, to compare with.
public struct HandWiring: Wiring {
  private let settings: Settings
  private let clock = WallClock.system
  private let random = RandomSource.system
  private let totals = Totals()
  private let database: NotesDatabase
  private let accounts: AccountRepository
  private let notes: NoteRepository
  private let hasher: PasswordHasher

  /// The services that all requests share.
  public let shared: SharedServices

  /// Makes everything that requests share, and so opens the database.
  ///
  /// - Parameters:
  ///   - settings: The settings of the server.
  ///   - logger: The server's own log.
  /// - Throws: `StorageError` if the database cannot be used.
  public init(settings: Settings, logger: Logger) throws {
    self.settings = settings
    database = try NotesDatabase(path: settings.databasePath, logger: logger)
    accounts = AccountRepository(database: database)
    notes = NoteRepository(database: database, clock: clock, random: random)
    hasher = PasswordHasher(cost: settings.passwordCost, random: random)
    shared = SharedServices(
      random: random,
      logger: logger,
      metrics: RequestMetrics(factory: totals),
      authenticator: Authenticator(accounts: accounts, clock: clock),
      requestLimiter: RateLimiter(rate: settings.requestRate, clock: clock),
      signInLimiter: RateLimiter(rate: settings.signInRate, clock: clock))
  }

  /// The totals.
  public var metricsText: String { totals.text }

  /// Nothing: objects that were wired by hand know of no graph.
  public var graphPage: String { "<!doctype html><title>Graph</title><p>Wired by hand: there is no graph." }

  /// Answers a request with services that are made when a handler asks.
  ///
  /// - Parameters:
  ///   - details: The values of this request.
  ///   - operation: Answers it.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation.
  public func withServices<Result>(
    for details: RequestDetails, _ operation: (any RequestServices) async throws -> Result
  ) async throws -> Result {
    try await operation(HandServices(wiring: self, details: details))
  }

  /// Closes the database.
  public func shutDown() async {
    await database.close()
  }

  /// The services of one request.
  private struct HandServices: RequestServices {
    let wiring: HandWiring
    let details: RequestDetails

    var accounts: AccountService {
      AccountService(
        accounts: wiring.accounts, hasher: wiring.hasher, clock: wiring.clock, random: wiring.random,
        sessionLifetime: wiring.settings.sessionLifetime, logger: details.logger)
    }

    var notes: NoteService {
      guard let user = details.user else { fatalError("there is no user in a request that needs none") }
      return NoteService(notes: wiring.notes.notes(of: user))
    }
  }
}
