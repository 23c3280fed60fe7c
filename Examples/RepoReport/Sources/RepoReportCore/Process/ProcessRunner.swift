import Peapod
import PeapodSystem

/// The standard output of a program, piece by piece, produced no faster than it is read.
///
/// It ends with a `ProcessFailure` if the program does not succeed.
typealias ProcessOutput = AsyncThrowingStream<[UInt8], any Error>

/// Runs other programs.
protocol ProcessRunner: Sendable {
  /// Returns the path of an installed program, or `nil` if there is none of that name.
  func locate(_ program: String) -> String?

  /// Starts a program, and returns what it writes.
  func output(of command: Command) throws -> ProcessOutput
}

let processRunnerProvider = Provider<any ProcessRunner> { pod in
  SystemProcessRunner(environment: pod.resolve(.environment))
}
