import Synchronization

@testable import RepoReportCore

/// Keeps what is written to it.
final class RecordingConsole: Console {
  let isWatched: Bool
  private let written = Mutex(Streams())

  init(isWatched: Bool = false) {
    self.isWatched = isWatched
  }

  var output: String { written.withLock(\.output) }
  var errors: String { written.withLock(\.errors) }

  func write(_ text: String) {
    written.withLock { $0.output += text }
  }

  func writeError(_ text: String) {
    written.withLock { $0.errors += text }
  }

  private struct Streams {
    var output = ""
    var errors = ""
  }
}
