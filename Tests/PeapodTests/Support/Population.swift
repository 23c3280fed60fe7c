/// Counts the instances of `Tracked` that it made and those that are still alive.
final class Population: Sendable {
  private let counts = Locked((made: 0, live: Set<Int>()))

  var made: Int { counts.withLock { $0.made } }
  var live: Int { counts.withLock { $0.live.count } }
  var liveSerials: Set<Int> { counts.withLock { $0.live } }

  /// Makes an instance, numbered from 1 in the order of making.
  func make(
    keeping parts: [any Sendable] = [], onDeinit: (@Sendable (_ serial: Int) -> Void)? = nil
  ) -> Tracked {
    Tracked(in: self, keeping: parts, onDeinit: onDeinit)
  }

  fileprivate func enter() -> Int {
    counts.withLock {
      $0.made += 1
      $0.live.insert($0.made)
      return $0.made
    }
  }

  fileprivate func leave(_ serial: Int) {
    counts.withLock { _ = $0.live.remove(serial) }
  }
}

/// An instance whose birth and death can be seen.
final class Tracked: Sendable {
  let serial: Int
  let parts: [any Sendable]
  private let population: Population
  private let onDeinit: (@Sendable (_ serial: Int) -> Void)?

  init(
    in population: Population = Population(), keeping parts: [any Sendable] = [],
    onDeinit: (@Sendable (_ serial: Int) -> Void)? = nil
  ) {
    self.population = population
    self.parts = parts
    self.onDeinit = onDeinit
    serial = population.enter()
  }

  deinit {
    population.leave(serial)
    onDeinit?(serial)
  }
}
