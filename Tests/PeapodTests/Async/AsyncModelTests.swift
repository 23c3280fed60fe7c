import Peapod
import Testing

/// Random operations on async providers against a naive model.
@Suite(.timeLimit(.minutes(20))) struct AsyncModelTests {
  @Test("R8 to R17 100,000 random resolves, cancels, clears, overrides and failures answer as the model says")
  func againstModel() async {
    let seed = Dice.seed()
    print("PEAPOD_SEED=\(seed) repeats the async model test")
    var dice = Dice(seed: seed)
    var left = rounds(100_000)
    while left > 0 {
      let plan = StagePlan(using: &dice)
      let operations = (0..<min(left, 100 + dice.below(200))).map { _ in StageOperation(in: plan, using: &dice) }
      left -= operations.count
      let census = Census()
      guard await StageRun(plan, in: census, patience: 100_000).play(operations) == nil else {
        Issue.record("seed \(seed): \(await shortest(plan, operations))")
        return
      }
      await eventually("nothing is left alive") { census.alive == 0 }
    }
  }

  /// Takes operations out of a failing program for as long as it goes on failing.
  private func shortest(_ plan: StagePlan, _ failing: [StageOperation]) async -> String {
    func failure(_ operations: [StageOperation]) async -> (after: Int, difference: String)? {
      await StageRun(plan, in: Census(), patience: 2_000).play(operations)
    }
    var operations = failing
    var found = await failure(operations)
    if let found { operations = Array(operations.prefix(found.after + 1)) }
    var size = operations.count / 2
    while size > 0 {
      var start = 0
      while start < operations.count {
        let fewer = Array(operations[..<start] + operations[min(start + size, operations.count)...])
        if let stillFound = await failure(fewer) {
          operations = fewer
          found = stillFound
        } else {
          start += size
        }
      }
      size /= 2
    }
    let program = operations.map(\.description).joined(separator: "\n")
    return "\(found?.difference ?? "it does not fail every time")\n\(plan)\n\(program)"
  }
}
