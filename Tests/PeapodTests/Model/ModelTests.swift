import Foundation
import Testing

/// Random declarations and operations, in the library and in a model that was written from the rules alone.
///
/// `PEAPOD_SEED` repeats a run, `PEAPOD_OPERATIONS` sets its length, and `PEAPOD_TRACE` tells the seed of each world
/// before it is entered, for a run that ends in a crash.
@MainActor
struct ModelTests {
  private static let runLength = 200

  private static func number<Number: FixedWidthInteger>(_ name: String) -> Number? {
    ProcessInfo.processInfo.environment[name].flatMap { Number($0) }
  }

  @Test("R1 R2 R3 R4 R13 R15 R16 R17 R22 R27 the library does what the model foretells")
  func libraryFollowsModel() {
    let seed: UInt64 = Self.number("PEAPOD_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))
    let total: Int = Self.number("PEAPOD_OPERATIONS") ?? 100_000
    let isTraced = ProcessInfo.processInfo.environment["PEAPOD_TRACE"] != nil
    print("model-based test: PEAPOD_SEED=\(seed) PEAPOD_OPERATIONS=\(total)")
    var done = 0
    var worldSeed = seed
    while done < total {
      let run = Run(seed: worldSeed, length: min(Self.runLength, total - done))
      if isTraced { print("world PEAPOD_SEED=\(worldSeed)") }
      if run.firstMismatch() != nil {
        let shrunk = run.shrunk()
        Issue.record(
          """
          PEAPOD_SEED=\(worldSeed) PEAPOD_OPERATIONS=\(run.operations.count) repeats this
          \(shrunk.world)
          \(shrunk.operations.map(\.description).joined(separator: "\n"))
          \(shrunk.firstMismatch().map(\.description) ?? "no mismatch when repeated")
          """)
        return
      }
      done += run.operations.count
      worldSeed &+= 1
    }
  }
}
