import NotesService
import Peapod

/// The service wired with Peapod: one pod for the server, and a child of it for each request.
public struct PodWiring: Wiring {
  private let pod: Pod

  /// What all requests share.
  public let shared: SharedServices

  /// Takes what requests share from a pod, and so opens the database.
  ///
  /// - Parameter pod: The pod of the server.
  /// - Throws: `StorageError` if the database cannot be used.
  public init(_ pod: Pod) async throws {
    self.pod = pod
    _ = try await pod.resolve(databaseProvider)
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
