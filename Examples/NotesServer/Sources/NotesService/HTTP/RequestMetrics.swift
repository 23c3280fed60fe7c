import Metrics

/// Counts requests and their answers, and how long they took.
public struct RequestMetrics: Sendable {
  private let received: Counter
  private let answered: [Counter]
  private let duration: Metrics.Timer

  /// Makes the counters.
  ///
  /// - Parameter factory: The factory of the counters and timers.
  public init(factory: any MetricsFactory) {
    received = Counter(label: "notes_requests_received", dimensions: [], factory: factory)
    answered = (1...5).map {
      Counter(label: "notes_requests_answered", dimensions: [("status", "\($0)xx")], factory: factory)
    }
    duration = Metrics.Timer(label: "notes_request_duration", dimensions: [], factory: factory)
  }

  func receive() {
    received.increment()
  }

  func answer(status: Int, after elapsed: Duration) {
    answered[min(max(status / 100, 1), 5) - 1].increment()
    duration.recordNanoseconds(
      elapsed.components.seconds * 1_000_000_000 + elapsed.components.attoseconds / 1_000_000_000)
  }
}
