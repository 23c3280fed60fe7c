import Peapod

/// Where a program writes.
protocol Console: Sendable {
  /// Standard error is a terminal, so that somebody is watching.
  var isWatched: Bool { get }

  /// Writes to standard output.
  func write(_ text: String)

  /// Writes to standard error.
  func writeError(_ text: String)
}

let consoleProvider = Provider<any Console> { _ in SystemConsole() }
