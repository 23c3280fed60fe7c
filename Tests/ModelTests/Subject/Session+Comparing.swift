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

  /// Waits a moment, so that the library learns of the ends of all hooks; it may do so after the ledger.
  ///
  /// Then the order of the next step is not compared.
  private func letLibraryCatchUp() async {
    let hasLateHooks = subject.workshop.ledger.withLock { ledger in
      defer { (ledger.isAhead, ledger.hasLateHooks) = (ledger.hasLateHooks, false) }
      return ledger.hasLateHooks
    }
    guard hasLateHooks else { return }
    for _ in 0..<20 { await Task.yield() }
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
