import Foundation

/// The reason why there is no report, in words for the user.
public enum ReportError: Error, Equatable, CustomStringConvertible {
  /// There is no git on this machine.
  case gitNotFound
  /// A path leads to no repository.
  case notARepository
  /// Git said that something else is wrong.
  case gitFailed(String)
  /// Git wrote something that is no log.
  case unreadableLog(String)
  /// A text is no date.
  case unreadableDate(String)

  /// Says in one line what is wrong.
  public var description: String {
    switch self {
    case .gitNotFound: "git was not found; install it, or add its folder to PATH"
    case .notARepository: "this is no git repository"
    case .gitFailed(let message): "git failed: \(message)"
    case .unreadableLog(let reason): "the output of git log makes no sense: \(reason)"
    case .unreadableDate(let text):
      "'\(text)' is no date; write it as in 2026-01-31, 2026-01-31T12:00:00Z, yesterday or '2 weeks ago'"
    }
  }

  /// Finds the reason in what git wrote to standard error.
  init(_ failure: ProcessFailure) {
    let lines = failure.message.split(whereSeparator: \.isNewline)
    if lines.contains(where: { $0.contains("not a git repository") || $0.contains("cannot change to") }) {
      self = .notARepository
    } else {
      let line = lines.first { $0.hasPrefix("fatal:") } ?? lines.first
      self = .gitFailed(line.map(String.init) ?? "it ended with status \(failure.status)")
    }
  }
}
