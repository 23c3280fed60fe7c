import Logging
import NotesService
import Peapod

/// The service wired with Peapod: one pod for the server, and a child of it for each request.
public struct PodWiring: Wiring {
  private let pod: Pod

  /// What all requests share.
  public let shared: SharedServices

  /// Prepares what requests share, and so opens the database.
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

  /// What has been counted.
  public var metricsText: String { pod.resolve(totalsProvider).text }

  /// The graph of the pod, with the requests that are being answered.
  public var graphPage: String { GraphPage(of: pod.graph).html }

  /// Answers a request in a child pod of its own.
  ///
  /// Only what the request is about is overridden. What is built from that lives in the child; all else is shared.
  ///
  /// - Parameters:
  ///   - details: What is different in this request.
  ///   - operation: Answers it.
  /// - Returns: What the operation returns.
  /// - Throws: What the operation throws.
  public func withServices<Result>(
    for details: RequestDetails, _ operation: (any RequestServices) async throws -> Result
  ) async throws -> Result {
    let child = pod.makeChild(details.id, owning: [.request]) { child in
      child.overrideProvider(requestIDProvider, withValue: details.id)
      child.overrideProvider(requestLoggerProvider, withValue: details.logger)
      if let user = details.user { child.overrideProvider(userProvider, withValue: user) }
    }
    // Nothing that belongs to a request has an end to wait for. So the child goes with its services: `withChild`, which
    // waits for hooks and makes the child the current pod, would be for nothing here.
    return try await operation(PodServices(pod: child))
  }

  /// Shuts the pod down: closes the database after everything that uses it.
  public func shutDown() async {
    await pod.shutdown()
  }
}

/// The services of one request: what its pod builds when a handler asks.
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
