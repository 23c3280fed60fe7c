import Synchronization

@testable import RepoReportCore

/// Answers like git, from recordings.
final class RecordedGit: ProcessRunner {
  private let recordings: [String: Recording]
  private let beforeLog: @Sendable () async -> Void
  private let run = Mutex<[Command]>([])

  /// Makes a git that knows repositories by their paths, and waits for `beforeLog` before it writes a log.
  init(_ recordings: [String: Recording], beforeLog: @escaping @Sendable () async -> Void = {}) {
    self.recordings = recordings
    self.beforeLog = beforeLog
  }

  /// The commands that were run, in their order.
  var commands: [Command] { run.withLock { $0 } }

  func locate(_ program: String) -> String? { "/usr/bin/\(program)" }

  func output(of command: Command) -> ProcessOutput {
    run.withLock { $0.append(command) }
    let recording = recordings[command.arguments[1]] ?? .missing
    let answer = Self.answer(to: command.arguments.dropFirst(2), from: recording)
    let isLog = command.arguments[2] == "log"
    let pieces = AnswerPieces(answer)
    return ProcessOutput { [beforeLog] in
      if isLog { await beforeLog() }
      return try pieces.next()
    }
  }

  private static func answer(
    to arguments: ArraySlice<String>, from recording: Recording
  ) -> Result<[[UInt8]], ProcessFailure> {
    if let failure = recording.failure { return .failure(failure) }
    switch (arguments.first, arguments.last) {
    case ("rev-parse", "HEAD"):
      return recording.hasCommits ? .success([]) : .failure(ProcessFailure(status: 1, message: ""))
    case ("rev-parse", _):
      return .success([Array("\(recording.isShallow)\n".utf8)])
    case ("show", _):
      guard let mailMap = recording.mailMap else { return .failure(ProcessFailure(status: 128, message: "fatal:")) }
      return .success([Array(mailMap.utf8)])
    default:
      return .success(recording.log)
    }
  }
}
