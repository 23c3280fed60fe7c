import Peapod
import Synchronization

/// Counts the commits that were read from all repositories, in one line that is written over and over.
final class ProgressLine: Sendable {
  private static let step = 250
  private static let eraseLine = "\r\u{1B}[2K"

  private let console: any Console
  private let commits = Mutex(0)

  init(console: any Console) {
    self.console = console
  }

  func advance() {
    let count = commits.withLock { count in
      count += 1
      return count
    }
    if console.isWatched && count.isMultiple(of: Self.step) {
      console.writeError("\(Self.eraseLine)\(count) commits read")
    }
  }

  func erase() {
    if console.isWatched { console.writeError(Self.eraseLine) }
  }
}

/// One line for all: child pods share it, because nothing in it belongs to a repository.
let progressLineProvider = Provider { pod in
  ProgressLine(console: pod.resolve(consoleProvider))
}
