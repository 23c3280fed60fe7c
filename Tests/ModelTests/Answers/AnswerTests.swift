import Peapod
import Testing

/// Random overrides in two trees of pods, whose builders make inner pods, deferred dependencies and cross-pod requests.
///
/// Some builders are async. A race holds one of them at a known point, while an override changes and other requests begin.
///
/// Every answer must be what the overrides alone foretell: as though they had always been there, and never another
/// request's. `PEAPOD_MODEL_SEED` and `PEAPOD_MODEL_OPERATIONS` repeat a run and set its length.
@Suite(.timeLimit(.minutes(30))) struct AnswerTests {
  private static let steps = 60

  @Test("R3 R8 R10 R11 R15 R17 R18 R19 R22 R26 R31 whatever is cached, each pod answers as its overrides foretell")
  func answers() async throws {
    let seed = UInt64(ModelTests.seed)
    for number in 0..<UInt64(max(1, ModelTests.operations / Self.steps)) {
      if ModelTests.setting("TRACE") != nil { print("model: PEAPOD_MODEL_SEED=\(seed &+ number)") }
      let program = AnswerProgram(seed: seed &+ number, length: Self.steps)
      guard let mismatch = try await mismatch(program) else { continue }
      let shortest = try await shrink(program)
      Issue.record(
        """
        PEAPOD_MODEL_SEED=\(seed &+ number) PEAPOD_MODEL_OPERATIONS=\(Self.steps) repeats this: \(mismatch)
        The shortest program that fails: \(try await self.mismatch(shortest) ?? "")
        \(shortest)
        """)
      return
    }
  }

  private func mismatch(_ program: AnswerProgram) async throws -> String? {
    // A request in a task is awaited with the thread blocked.
    try await blocking {
      do throws(AnswerRun.Mismatch) { try AnswerRun.play(program) } catch { return error.description }
      return nil
    }
  }

  private func shrink(_ program: AnswerProgram) async throws -> AnswerProgram {
    var shortest = program
    search: while true {
      for shorter in shortest.simpler where try await mismatch(shorter) != nil {
        shortest = shorter
        continue search
      }
      return shortest
    }
  }
}
