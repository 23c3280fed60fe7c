import Foundation
import Peapod
import Testing

/// Builders and hooks that change everything, the pods for which they run above all.
@Suite(.timeLimit(.minutes(30))) struct UpheavalTests {
  /// How many acts a program has on average.
  private static let acts = 40

  @Test("R11 R15 R19 R27 whatever builders and hooks change, what is kept is right, hooks run once, and all goes")
  func upheaval() {
    let seed = ModelTests.seed
    let isTraced = ModelTests.setting("TRACE") != nil
    print("upheaval: PEAPOD_MODEL_SEED=\(seed) PEAPOD_MODEL_OPERATIONS=\(ModelTests.operations) repeats this run")
    // Programs are short and many, so that of those that fail the shortest says most.
    var findings: [[String]] = []
    for number in 0..<max(1, ModelTests.operations / Self.acts) {
      if isTraced { print("upheaval: PEAPOD_MODEL_SEED=\(seed + number)") }
      let report = play(seed: seed + number)
      if !report.isEmpty { findings.append(report) }
    }
    guard let shortest = findings.min(by: { $0.count < $1.count }) else { return }
    Issue.record("\(findings.count) programs fail, this one in the fewest steps: \(shortest.joined(separator: "\n"))")
  }

  /// Plays one program; returns what was wrong, and how it came to that.
  private func play(seed: Int) -> [String] {
    let upheaval = Upheaval(seed: UInt64(seed))
    let ledger = upheaval.ledger
    for _ in 0..<upheaval.generator.below(Self.acts * 2) where ledger.problems.count == 0 {
      upheaval.act(besides: nil)
      if upheaval.generator.chance(30) { upheaval.checkAll() }
    }
    upheaval.end()
    // The teardown of another test may look at what is being disposed here, and retains it meanwhile.
    let end = ContinuousClock.now + .seconds(5)
    while ledger.live.load(ordering: .relaxed) != 0, ContinuousClock.now < end { sched_yield() }
    let live = ledger.live.load(ordering: .relaxed)
    if live != 0 { ledger.problems.append("\(live) instances are left") }
    let counts = (ledger.hooked.load(ordering: .relaxed), ledger.disposed.load(ordering: .relaxed))
    if counts.0 != counts.1 { ledger.problems.append("\(counts.0) instances have a hook, and \(counts.1) hooks ran") }
    guard ledger.problems.count > 0 else { return [] }
    return ["PEAPOD_MODEL_SEED=\(seed) PEAPOD_MODEL_OPERATIONS=1"] + ledger.problems.entries.prefix(5) + upheaval.story
  }
}
