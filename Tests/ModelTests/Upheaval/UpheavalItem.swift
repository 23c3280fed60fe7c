import Peapod

/// What the builders of an upheaval make: it knows by which definitions it and all that it was built from were made.
final class UpheavalItem: Sendable {
  let name: String
  /// For each node among these, the numbers of the definitions.
  let makers: [Int: Set<Int>]
  /// What it holds beside that: pods, handles, and what it got from elsewhere.
  private let others: [any Sendable]
  private let ledger: StormLedger
  private let disposedAt = Locked<Int?>(nil)

  init(_ name: String, makers: [Int: Set<Int>], others: [any Sendable] = [], in ledger: StormLedger) {
    self.name = name
    self.makers = makers
    self.others = others
    self.ledger = ledger
    ledger.live.wrappingAdd(1, ordering: .relaxed)
  }

  deinit { ledger.live.wrappingSubtract(1, ordering: .relaxed) }

  /// Its hook.
  func dispose() {
    ledger.disposed.wrappingAdd(1, ordering: .relaxed)
    let now = ledger.tick()
    let isFirst = disposedAt.withLock { time in
      defer { time = time ?? now }
      return time == nil
    }
    if !isFirst { ledger.problems.append("\(name) was disposed twice") }
  }

  /// Called by whoever was given it by a request that began at some time.
  func check(since start: Int) {
    if let end = disposedAt.withLock({ $0 }), end < start {
      ledger.problems.append("\(name) was given out after it was disposed")
    }
  }
}
