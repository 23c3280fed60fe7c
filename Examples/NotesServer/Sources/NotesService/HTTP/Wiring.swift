import Logging

/// How the parts of the service come together: the one thing that this module does not know.
public protocol Wiring: Sendable {
  /// What all requests share.
  var shared: SharedServices { get }

  /// What has been counted, in the text format of Prometheus.
  var metricsText: String { get }

  /// The objects that the service consists of, as a page of HTML.
  var graphPage: String { get }

  /// Calls an operation with the services of one request, and ends them afterwards.
  ///
  /// - Parameters:
  ///   - details: What is different in this request.
  ///   - operation: Answers the request.
  /// - Returns: What the operation returns.
  /// - Throws: What the operation throws.
  func withServices<Result>(
    for details: RequestDetails, _ operation: (any RequestServices) async throws -> Result
  ) async throws -> Result

  /// Closes what must be closed, when no request is answered any more.
  func shutDown() async
}
