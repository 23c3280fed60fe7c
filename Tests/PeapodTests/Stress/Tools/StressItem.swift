import Synchronization

/// An instance that knows of which user it was built, and whether it was disposed.
final class StressItem: Sendable {
  let name: String
  let parts: [StressItem]
  let user: String
  let revision: Int
  private let ledger: StressLedger
  /// When its disposal closure ran; 0 for never.
  private let disposedAt = Atomic<Int>(0)

  init(_ name: String, in ledger: StressLedger, _ parts: [StressItem] = [], user: String = "", revision: Int = 0) {
    (self.name, self.ledger, self.parts, self.user, self.revision) = (name, ledger, parts, user, revision)
    ledger.built.append(name)
    ledger.live.wrappingAdd(1, ordering: .relaxed)
  }

  deinit { ledger.live.wrappingSubtract(1, ordering: .relaxed) }

  /// The disposal closure of its provider.
  func dispose() {
    let now = ledger.tick()
    let isFirst = disposedAt.compareExchange(expected: 0, desired: now, ordering: .acquiringAndReleasing).exchanged
    if !isFirst { ledger.problems.append("\(name) was disposed twice") }
    ledger.disposed.append(name)
  }

  /// Checks an instance that a request returned which began at some time.
  func check(since start: Int) {
    let end = disposedAt.load(ordering: .acquiring)
    if end != 0, end < start { ledger.problems.append("\(name) was returned after it was disposed") }
  }
}

/// What happened in a stress test.
final class StressLedger: Sendable {
  let live = Atomic<Int>(0)
  let built = Log(of: String.self)
  let disposed = Log(of: String.self)
  let problems = Log(of: String.self)
  private let clock = Atomic<Int>(0)

  func tick() -> Int { clock.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue }

  /// How many of each name were built, or disposed.
  static func counts(_ log: Log<String>) -> [String: Int] {
    Dictionary(grouping: log.entries, by: \.self).mapValues(\.count)
  }
}
