import Synchronization

/// What the builders of a storm make: it knows from which leaves it was built, and what became of it.
final class StormItem: Sendable {
  let serial: Int
  let name: String
  let parts: [StormItem]
  /// The numbers of all instances of each leaf that it was built from, directly or not.
  let leaves: [Int: Set<Int>]
  private let storm: StormLedger
  /// When its hook began; 0 for never.
  private let disposedAt = Atomic<Int>(0)

  init(_ name: String, leaf: Int? = nil, isValue: Bool = false, _ parts: [StormItem] = [], in storm: StormLedger) {
    self.name = name
    self.parts = parts
    self.storm = storm
    // Values have negative numbers.
    serial = isValue ? -storm.tick() : storm.tick()
    var leaves = parts.reduce(into: [:]) { $0.merge($1.leaves) { $0.union($1) } }
    if let leaf { leaves[leaf] = [serial] }
    self.leaves = leaves
    storm.live.wrappingAdd(1, ordering: .relaxed)
  }

  deinit { storm.live.wrappingSubtract(1, ordering: .relaxed) }

  /// Its hook.
  func dispose(_ scope: ScopeChoice) {
    if scope.keeps { storm.disposedKept.append("\(name) \(serial)") }
    storm.disposed.wrappingAdd(1, ordering: .relaxed)
    let now = storm.tick()
    let (isFirst, _) = disposedAt.compareExchange(expected: 0, desired: now, ordering: .acquiringAndReleasing)
    if !isFirst { storm.problems.append("\(name) \(serial) was disposed twice") }
  }

  /// Called by whoever was given it by a request that began at some time.
  func check(since start: Int) {
    let end = disposedAt.load(ordering: .acquiring)
    if end != 0, end < start { storm.problems.append("\(name) \(serial) was given out after it was disposed") }
  }
}

/// What happened in a storm.
final class StormLedger: Sendable {
  let live = Atomic<Int>(0)
  /// How many instances were made that have a hook.
  let hooked = Atomic<Int>(0)
  let disposed = Atomic<Int>(0)
  /// Those of them that were kept by a pod.
  let disposedKept = Log(of: String.self)
  let problems = Log(of: String.self)
  private let clock = Atomic<Int>(0)

  func tick() -> Int { clock.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue }
}
