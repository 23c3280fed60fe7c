import Logging

/// How the parts of the service come together: the one thing that this module does not know.
public protocol Wiring: Sendable {
  /// The services that all requests share.
  var shared: SharedServices { get }

  /// The totals, in the text format of Prometheus.
  var metricsText: String { get }

  /// The objects that the service consists of, as a page of HTML.
  var graphPage: String { get }

  /// Calls an operation with the services of one request, and ends them afterwards.
  ///
  /// - Parameters:
  ///   - details: The values of this request.
  ///   - operation: Answers the request.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation.
  func withServices<Result>(
    for details: RequestDetails, _ operation: (any RequestServices) async throws -> Result
  ) async throws -> Result

  /// Closes what must be closed, when no request is answered any more.
  func shutDown() async
}
