import CoreMetrics
import Synchronization

/// Keeps the totals of all counters and timers, and writes them in the text format of Prometheus.
public final class Totals: MetricsFactory {
  private let totals = Mutex<[String: Total]>([:])

  /// Makes an empty set of totals.
  public init() {}

  /// The totals, sorted, a line for each.
  public var text: String {
    let lines = totals.withLock { totals in totals.flatMap { $0.value.lines(named: $0.key) } }
    return lines.sorted().map { $0 + "\n" }.joined()
  }

  private func total(_ label: String, _ dimensions: [(String, String)]) -> Total {
    let names = dimensions.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ",")
    return totals.withLock { totals in
      let name = names.isEmpty ? label : "\(label){\(names)}"
      let total = totals[name] ?? Total()
      totals[name] = total
      return total
    }
  }

  // MARK: - Making handlers

  /// Returns the total of a counter.
  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    total(label, dimensions)
  }

  /// Returns the total of what a recorder is told.
  public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    total(label, dimensions)
  }

  /// Returns the total of what a timer measures.
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    total(label, dimensions)
  }

  /// Keeps the total: others may use it.
  public func destroyCounter(_ handler: any CounterHandler) {}

  /// Keeps the total: others may use it.
  public func destroyRecorder(_ handler: any RecorderHandler) {}

  /// Keeps the total: others may use it.
  public func destroyTimer(_ handler: any TimerHandler) {}
}
