import Foundation

/// The standard streams of this process.
struct SystemConsole: Console {
  var isWatched: Bool { isatty(STDERR_FILENO) == 1 }

  func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }

  func writeError(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
