import Foundation
import Peapod
import PeapodSystem

@testable import RepoReportCore

/// One run of the program on recorded repositories, and what came of it.
struct Run {
  var succeeded: Bool
  var output: String
  var errors: String

  /// Runs the program on the one pod that it always uses.
  ///
  /// Within the block of overrides that pod acts as a new one, so that any number of tests can do this at once.
  init(
    _ paths: [String], runner: any ProcessRunner, settings: Settings = Settings(), isWatched: Bool = false
  ) async {
    let console = RecordingConsole(isWatched: isWatched)
    succeeded = await Pod.shared.withOverrides {
      $0.useDeterministicSystem(now: .stopped, seed: 0)
      $0.overrideProvider(processRunnerProvider, withValue: runner)
      $0.overrideProvider(consoleProvider, withValue: console)
      $0.overrideProvider(settingsProvider, withValue: settings)
    } operation: {
      await ReportSession(in: .shared).run(paths)
    }
    output = console.output
    errors = console.errors
  }
}
