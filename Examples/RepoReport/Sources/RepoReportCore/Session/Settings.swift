import Foundation
import Peapod

/// The settings of the command line.
public struct Settings: Sendable {
  var since: Date?
  var format: ReportFormat
  var graph: GraphStyle?
  /// How many rows a list in a report has at most.
  var rows: Int

  /// Makes settings; a report about the whole history, as plain text, is what most people want.
  public init(since: Date? = nil, format: ReportFormat = .text, graph: GraphStyle? = nil, rows: Int = 10) {
    self.since = since
    self.format = format
    self.graph = graph
    self.rows = rows
  }
}

/// The settings; the command line overrides them.
public let settingsProvider = Provider { _ in Settings() }
