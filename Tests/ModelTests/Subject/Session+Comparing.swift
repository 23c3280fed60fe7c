@testable import Peapod

/// Comparing what was done with what was foretold.
extension Session {
  func compare(
    _ step: String, _ expectedAnswer: Outcome.Answer, _ answer: Outcome.Answer, isAsync: Bool, isAwaited: Bool
  ) async {
    guard mismatch == nil else { return }
    let order = model.hookOrder
    let hasRun = !isAwaited || areHooksDone()
    let expected = model.takeOutcome(expectedAnswer)
    let end = ContinuousClock.now + patience
    var difference = subject.difference(from: expected, order, isAsync: isAsync)
    while difference?.isFinal == false, ContinuousClock.now < end {
      await Task.yield()
      difference = subject.difference(from: expected, order, isAsync: isAsync)
    }
    if difference == nil, !hasRun {
      difference = Difference(text: "it returned before the hooks that it waits for were done", isFinal: true)
    }
    if let difference { fail("\(step)\n  \(difference.text)") }
    subject.forgetEvents()
    await letLibraryCatchUp()
  }

  /// Waits a moment until the library has learnt of the ends of all hooks, so that the next step finds what the model expects.
  ///
  /// Other tests may have hooks under way for longer. Then the order of the next steps is not compared.
  private func letLibraryCatchUp() async {
    let ledger = subject.workshop.ledger
    guard ledger.withLock({ $0.hasLateHooks }) else { return }
    let end = ContinuousClock.now + .milliseconds(10)
    var isIdle = Teardown.isIdle
    while !isIdle, ContinuousClock.now < end {
      await Task.yield()
      isIdle = Teardown.isIdle
    }
    ledger.withLock { ($0.hasLateHooks, $0.isAhead) = (!isIdle, !isIdle) }
  }

  func fail(_ description: String) {
    mismatch = description
    script.note(description)
  }

  /// Whether the hooks of all that was disposed have run.
  private func areHooksDone() -> Bool {
    let disposed = model.events.compactMap { if case .disposed(let serial) = $0 { -serial } else { nil } }
    let done = subject.workshop.ledger.withLock { Set($0.hooks) }
    return done.isSuperset(of: disposed)
  }
}

extension Teardown {
  /// Whether no disposal closure runs anywhere.
  fileprivate static var isIdle: Bool { !RunningDisposals.exist }
}
