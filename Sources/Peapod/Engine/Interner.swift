/// Gives equal things one object, without keeping that object alive and without running `==` under a lock.
final class Interner<Node: AnyObject & Sendable>: @unchecked Sendable {
  /// A weak reference in an object of its own: to copy it costs less than to copy the weak reference.
  private final class Reference {
    weak var node: Node?

    init(_ node: Node) { self.node = node }
  }

  // Safe: read and written under `lock` alone. A reference taken under it is released outside: the release may be the
  // last one, and the end of a node comes back here.
  private var buckets: [Int: [Reference]] = [:]
  private var deaths = 0
  private let lock = EngineLock()

  init() {}

  /// Returns the live node that is equal, or else keeps track of a new one.
  ///
  /// - Complexity: O(1) without hash collisions. `isEqual` and `make` run without a lock.
  func find(hash: Int, isEqual: (Node) -> Bool, make: () -> Node) -> Node {
    // The common case, one node for the hash, allocates nothing.
    if let only = lock.withLock({ buckets[hash]?.first?.node }), isEqual(only) { return only }
    var fresh: Node?
    while true {
      let known = lock.withLock { nodes(in: buckets[hash]) }
      for node in known where isEqual(node) { return node }
      let new = fresh ?? make()
      fresh = new
      let (isAdded, _) = lock.withLock { () -> (Bool, [Node]) in
        let current = nodes(in: buckets[hash])
        guard current.allSatisfy({ node in known.contains { $0 === node } }) else { return (false, current) }
        buckets[hash] = (current + [new]).map { Reference($0) }
        return (true, current)
      }
      if isAdded { return new }
    }
  }

  /// The live nodes.
  var all: [Node] {
    lock.withLock { buckets.values.flatMap { nodes(in: $0) } }
  }

  /// Called when a node has gone; now and then forgets the references to those.
  ///
  /// - Complexity: O(1) amortised: it sweeps when half of the table may be dead.
  func noteDeath() {
    _ = lock.withLock { () -> [Node] in
      deaths += 1
      guard deaths > 32, deaths * 2 > buckets.count else { return [] }
      deaths = 0
      var held: [Node] = []
      buckets = buckets.compactMapValues { bucket in
        let live = nodes(in: bucket)
        held += live
        return live.isEmpty ? nil : live.map { Reference($0) }
      }
      return held
    }
  }

  private func nodes(in bucket: [Reference]?) -> [Node] {
    bucket?.compactMap(\.node) ?? []
  }
}
