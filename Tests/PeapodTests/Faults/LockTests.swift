import Foundation
import Testing

@testable import Peapod

/// The lock of the engine, by itself.
@Suite struct LockTests {
  /// What only the holder of the lock reads and writes.
  private final class Guarded: @unchecked Sendable {
    // Safe: read and written with the lock held.
    private var count = 0
    private let lock = Lock()

    func add(_ meanwhile: () -> Void = {}) {
      lock.withLock {
        let old = count
        meanwhile()
        count = old + 1
      }
    }

    var total: Int { lock.withLock { count } }
  }

  @Test("One thread at a time holds the lock", arguments: [2, 8, 32])
  func oneAtATime(threads: Int) async throws {
    let guarded = Guarded()
    let rounds = 20_000 / threads
    try await runThreads(threads) { _ in for _ in 0..<rounds { guarded.add() } }
    #expect(guarded.total == threads * rounds)
  }

  @Test("Who had to sleep goes on when the lock is free, one after the other")
  func sleepers() async throws {
    let guarded = Guarded()
    for _ in 0..<20 {
      let before = guarded.total
      // Each holds it for longer than anyone looks again.
      try await runThreads(6) { _ in guarded.add { Thread.sleep(forTimeInterval: 0.002) } }
      #expect(guarded.total == before + 6)
    }
  }

  @Test("An error of the body leaves the lock free")
  func error() {
    struct Refused: Error {}
    let lock = Lock()
    #expect(throws: Refused.self) { try lock.withLock { () throws(Refused) in throw Refused() } }
    #expect(lock.withLock { 1 } == 1)
  }
}
