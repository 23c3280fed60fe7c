/// What is different from what the model foretold.
struct Difference {
  var text: String
  /// Whether it cannot go away by waiting.
  var isFinal: Bool
}

extension Subject {
  /// Compares what was done since the last time, and what is there.
  ///
  /// Where tasks have a part in it, the order between hooks and builders is not foretold.
  func difference(
    from expected: Outcome, _ order: [(dependent: Int, dependency: Int)], isAsync: Bool
  ) -> Difference? {
    workshop.ledger.withLock { ledger in
      if !isAsync, !ledger.isAhead, ledger.events != expected.events {
        // A main-actor hook that was started off the main actor may not be over yet, and others wait for it.
        let mayFollow = workshop.world.flavour.hasAsync && expected.events.starts(with: ledger.events)
        return Difference(text: "expected: \(expected.events)\n  actual:   \(ledger.events)", isFinal: !mayFollow)
      }
      let builds = (expected.events.filter { !$0.isDisposal }, ledger.events.filter { !$0.isDisposal })
      if builds.0 != builds.1 {
        let isPrefix = builds.0.starts(with: builds.1)
        return Difference(text: "expected builds: \(builds.0)\n  actual builds:   \(builds.1)", isFinal: !isPrefix)
      }
      let disposals = (Self.disposals(in: expected.events), Self.disposals(in: ledger.events))
      if disposals.0 != disposals.1 {
        let isPart = Set(disposals.1).count == disposals.1.count && Set(disposals.0).isSuperset(of: disposals.1)
        return Difference(
          text: "expected to be disposed: \(disposals.0)\n  actually disposed:       \(disposals.1)", isFinal: !isPart)
      }
      for (dependent, dependency) in order {
        guard let start = ledger.hooks.firstIndex(of: dependency) else { continue }
        guard ledger.hooks.contains(dependent), !ledger.hooks[..<start].contains(-dependent) else { continue }
        return Difference(
          text: "\(dependency) was disposed before \(dependent), which was built from it", isFinal: true)
      }
      if ledger.answers != expected.answers {
        return Difference(
          text: "expected answers: \(expected.answers)\n  actual answers:   \(ledger.answers)", isFinal: false)
      }
      if Set(ledger.gates.keys) != expected.gates {
        return Difference(
          text: "expected at gates: \(expected.gates.sorted())\n  actually at gates: \(ledger.gates.keys.sorted())",
          isFinal: false)
      }
      if ledger.live.count != expected.liveCount {
        return Difference(
          text:
            "expected alive: \(expected.liveCount)\n  actually alive: \(ledger.live.count), \(ledger.live.keys.sorted())",
          isFinal: !isAsync && !workshop.world.flavour.hasAsync)
      }
      if ledger.begun != expected.begun || ledger.moving != 0 {
        return Difference(text: "a task has not come to ask, or a builder to rest", isFinal: false)
      }
      if ledger.running != expected.tasks { return Difference(text: "a task or a hook has not ended", isFinal: false) }
      return nil
    }
  }

  func forgetEvents() {
    workshop.ledger.withLock { ($0.events, $0.hooks) = ([], []) }
  }

  private static func disposals(in events: [Outcome.Event]) -> [Int] {
    events.compactMap { if case .disposed(let serial) = $0 { serial } else { nil } }.sorted()
  }
}
