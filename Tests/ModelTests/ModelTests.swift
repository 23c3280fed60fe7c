import Foundation
import Peapod
import Testing

/// Random declarations and operations, in the library and in a model that was written from the rules alone.
///
/// `PEAPOD_MODEL_SEED` repeats a run, `PEAPOD_MODEL_OPERATIONS` sets its length, and `PEAPOD_MODEL_TRACE` tells the seed of
/// each program before it is played, for a run that ends in a crash. `PEAPOD_MODEL_FINDINGS` says after how many programs
/// that fail a run ends; one, if it is not given.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct ModelTests {
  private nonisolated static let programLength = 200

  nonisolated static func setting(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment["PEAPOD_MODEL_\(name)"].flatMap { Int($0) }
  }

  nonisolated static var operations: Int { setting("OPERATIONS") ?? 15_000 }

  /// The same at each run, so that a change is not held up by a difference that was there before it.
  nonisolated static var seed: Int { setting("SEED") ?? 200_000 }

  @Test("R1 to R27 the library does what the model foretells")
  func libraryFollowsModel() async {
    let seed = Self.seed
    let total = Self.operations
    let isTraced = Self.setting("TRACE") != nil
    print("model: PEAPOD_MODEL_SEED=\(seed) PEAPOD_MODEL_OPERATIONS=\(total) repeats this run")
    let findings = Self.setting("FINDINGS") ?? 1
    var found = 0
    var done = 0
    var programSeed = UInt64(seed)
    while done < total {
      let run = Run(seed: programSeed, length: min(Self.programLength, total - done))
      if isTraced { print("model: PEAPOD_MODEL_SEED=\(programSeed)") }
      if let mismatch = await run.firstMismatch() {
        // To shrink a program takes minutes.
        print("model: PEAPOD_MODEL_SEED=\(programSeed) differs: \(mismatch)")
        let shrunk = await run.shrunk()
        found += 1
        Issue.record(
          """
          PEAPOD_MODEL_SEED=\(programSeed) PEAPOD_MODEL_OPERATIONS=\(run.operations.count) repeats this: \(mismatch)
          The shortest program that fails:

          \(await shrunk.source())
          """)
        if found == findings { return }
      }
      done += run.operations.count
      programSeed &+= 1
    }
  }

  @Test("the model's programs are the same for the same seed, and contain every kind of step")
  func programs() {
    let runs = (1...100).map { Run(seed: $0, length: Self.programLength) }
    let again = (1...100).map { Run(seed: $0, length: Self.programLength) }
    #expect("\(runs)" == "\(again)")
    let text = runs.flatMap(\.operations).map { "\($0.action)" }.joined(separator: "\n")
    let steps = [
      "resolve", "useHandles", "look", "withFreshInstance", "begin", "step", "cancel", "builder", "value", "family",
      "removeOverride", "removeFamilyOverride", "removeAllOverrides", "clearScope", "clearInstance", "clearFamily",
      "dispose", "makeChild", "forgetPod", "forgetInstance", "withChild", "withOverrides", "failNextBuild",
    ]
    for step in steps { #expect(text.contains("\(step)(") || text.contains(step + "\n"), "no \(step)") }
  }
}
