import Peapod
import Testing

/// Random overrides in two trees of pods, whose builders make inner pods, deferred dependencies and cross-pod requests.
///
/// Every answer must be what the overrides alone foretell: as though they had always been there, and never another
/// request's. `PEAPOD_MODEL_SEED` and `PEAPOD_MODEL_OPERATIONS` repeat a run and set its length.
@Suite(.timeLimit(.minutes(30))) struct AnswerTests {
  private static let steps = 60

  @Test("R3 R15 R17 R18 R19 R22 R26 R31 whatever is cached, each pod answers as its overrides foretell")
  func answers() {
    let seed = UInt64(ModelTests.seed)
    for number in 0..<UInt64(max(1, ModelTests.operations / Self.steps)) {
      let program = AnswerProgram(seed: seed &+ number, length: Self.steps)
      guard let mismatch = mismatch(program) else { continue }
      let shortest = shrink(program)
      Issue.record(
        """
        PEAPOD_MODEL_SEED=\(seed &+ number) PEAPOD_MODEL_OPERATIONS=\(Self.steps) repeats this: \(mismatch)
        The shortest program that fails: \(self.mismatch(shortest) ?? "")
        \(shortest)
        """)
      return
    }
  }

  private func mismatch(_ program: AnswerProgram) -> String? {
    do { try AnswerRun.play(program) } catch { return error.description }
    return nil
  }

  private func shrink(_ program: AnswerProgram) -> AnswerProgram {
    var shortest = program
    while let shorter = shortest.simpler.first(where: { mismatch($0) != nil }) { shortest = shorter }
    return shortest
  }
}
