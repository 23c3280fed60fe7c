import Foundation
import Peapod
import PeapodSystem
import PeapodTesting
import Testing

@testable import RepoReportCore

extension Trait where Self == OverridesTrait {
  /// Runs each test on the pod of the program, with recordings of the repositories `.`, `a` and `b` for git.
  static var recorded: Self {
    .overrides(of: .shared) {
      $0.useDeterministicSystem(now: .stopped, seed: 0)
      $0.overrideProvider(processRunnerProvider, withValue: RecordedGit([".": .small, "a": .small, "b": .small]))
      $0.overrideProvider(consoleProvider, withValue: RecordingConsole())
    }
  }
}

extension Pod {
  /// The output of the program in a test that is `recorded`.
  var output: String { (resolve(consoleProvider) as? RecordingConsole)?.output ?? "" }
}
