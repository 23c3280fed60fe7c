import Foundation
import Peapod
import Testing

/// Random declarations and operations, in the library and in a model that was written from the rules alone.
///
/// `PEAPOD_MODEL_SEED` repeats a run, `PEAPOD_MODEL_OPERATIONS` sets its length, and `PEAPOD_MODEL_TRACE` tells the seed of
/// each program before it is played, for a run that ends in a crash.
///
/// Programs are new at each run and still find differences that have to be judged, rule or model; so this runs when it is
/// asked for, by a number of operations: `.ci/run model`.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct ModelTests {
  private nonisolated static let programLength = 200

  nonisolated static func setting(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment["PEAPOD_MODEL_\(name)"].flatMap { Int($0) }
  }

  nonisolated static var seed: Int { setting("SEED") ?? Int.random(in: 0..<1_000_000_000) }

  nonisolated static var isAskedFor: Bool { setting("OPERATIONS") != nil }

  @Test("R1 to R27 the library does what the model foretells", .enabled(if: isAskedFor))
  func libraryFollowsModel() async {
    let seed = Self.seed
    let total = Self.setting("OPERATIONS") ?? 40_000
    let isTraced = Self.setting("TRACE") != nil
    print("model: PEAPOD_MODEL_SEED=\(seed) PEAPOD_MODEL_OPERATIONS=\(total) repeats this run")
    var done = 0
    var programSeed = UInt64(seed)
    while done < total {
      let run = Run(seed: programSeed, length: min(Self.programLength, total - done))
      if isTraced { print("model: PEAPOD_MODEL_SEED=\(programSeed)") }
      if let mismatch = await run.firstMismatch() {
        let shrunk = await run.shrunk()
        Issue.record(
          """
          PEAPOD_MODEL_SEED=\(programSeed) PEAPOD_MODEL_OPERATIONS=\(run.operations.count) repeats this: \(mismatch)
          The shortest program that fails:

          \(await shrunk.source())
          """)
        return
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
      "resolve", "useHandles", "look", "withInstance", "begin", "step", "cancel", "builder", "value", "family",
      "removeOverride", "removeFamilyOverride", "removeAllOverrides", "clearScope", "clearInstance", "clearFamily",
      "dispose", "makeChild", "forgetPod", "forgetInstance", "withChild", "withOverrides", "failNextBuild",
    ]
    for step in steps { #expect(text.contains("\(step)(") || text.contains(step + "\n"), "no \(step)") }
  }
}
