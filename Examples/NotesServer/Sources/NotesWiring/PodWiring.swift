import Logging
import NotesService
import Peapod

/// The service wired with Peapod: one pod for the server, and a child of it for each request.
public struct PodWiring: Wiring {
  private let pod: Pod

  /// The services that all requests share.
  public let shared: SharedServices

  /// Prepares the shared instances, and so opens the database.
  ///
  /// The log gets the providers whose builders took longest, at the level `info`.
  ///
  /// - Parameter pod: The pod of the server.
  /// - Throws: `StorageError` if the database cannot be used.
  public init(_ pod: Pod) async throws {
    self.pod = pod
    let logger = pod.resolve(loggerProvider)
    do {
      let preparation = try await pod.prepare(
        settingsProvider, databaseProvider, accountRepositoryProvider, noteRepositoryProvider)
      logger.info("prepared", metadata: preparation.metadata)
    } catch let error as PreparationError {
      logger.error("could not be prepared", metadata: ["provider": "\(error.provider.name)"])
      throw error.underlyingError
    }
    shared = pod.resolve(sharedServicesProvider)
  }

  /// The totals.
  public var metricsText: String { pod.resolve(totalsProvider).text }

  /// The graph of the pod, with the requests that are being answered.
  public var graphPage: String { GraphPage(of: pod.graph).html }

  /// Answers a request in a child pod of its own.
  ///
  /// The child overrides only the values of the request. Their dependents live in the child; all other instances are shared.
  ///
  /// - Parameters:
  ///   - details: The values of this request.
  ///   - operation: Answers it.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation.
  public func withServices<Result>(
    for details: RequestDetails, _ operation: (any RequestServices) async throws -> Result
  ) async throws -> Result {
    let child = pod.makeChild(details.id, owning: [.request]) { child in
      child.overrideProvider(requestIDProvider, withValue: details.id)
      child.overrideProvider(requestLoggerProvider, withValue: details.logger)
      if let user = details.user { child.overrideProvider(userProvider, withValue: user) }
    }
    // No instance of a request has a disposal closure, so the child is released with its services. `withChild` would
    // also await disposal closures and set `Pod.current`, which no code needs here.
    return try await operation(PodServices(pod: child))
  }

  /// Shuts the pod down: closes the database after everything that uses it.
  public func shutDown() async {
    await pod.shutdown()
  }
}

/// The services of one request, which its pod builds when a handler uses them.
private struct PodServices: RequestServices {
  let pod: Pod

  var accounts: AccountService { pod.resolve(accountServiceProvider) }
  var notes: NoteService { pod.resolve(noteServiceProvider) }
}

extension Preparation {
  /// The duration and the critical path, for the log.
  fileprivate var metadata: Logger.Metadata {
    let steps = criticalPath.map { "\($0.provider.name) \($0.exclusiveDuration)" }
    return ["duration": "\(duration)", "path": "\(steps.joined(separator: ", "))"]
  }
}
