/// Gives equal things one object, without keeping that object alive and without running `==` under a lock.
final class Interner<Node: AnyObject & Sendable>: @unchecked Sendable {
  /// A weak reference in an object of its own: to copy it costs less than to copy the weak reference.
  private final class Reference {
    let hash: Int
    weak var node: Node?

    init(_ node: Node, hash: Int) {
      self.hash = hash
      self.node = node
    }
  }

  // Safe: read and written under `lock` alone. A reference taken under it is released outside: the release may be the
  // last one, and the end of a node comes back here.
  @exclusivity(unchecked) private var buckets: [Int: [Reference]] = [:]
  /// The first ones of the buckets that were looked at last, by the lowest bits of the hash.
  // Safe: the buckets keep them, and whoever changes a bucket empties this under the same hold of the lock.
  @exclusivity(unchecked) private var recent: [Unmanaged<Reference>?] = []
  private static var recentCount: Int { 64 }
  private var deaths = 0
  private let lock = EngineLock()

  init() {}

  /// The first live node with a hash, which is mostly the only one; allocates nothing.
  @inline(__always)
  func first(hash: Int) -> Node? { lock.withLock { first(of: hash) } }

  /// Returns the live node that is equal, or else keeps track of a new one.
  ///
  /// - Complexity: O(1) without hash collisions, but slower than ``first(hash:)``, which is to be asked first. `isEqual` and
  ///   `make` run without a lock.
  func find(hash: Int, isEqual: (Node) -> Bool, make: () -> Node) -> Node {
    var fresh: Node?
    while true {
      let known = lock.withLock { nodes(in: buckets[hash]) }
      for node in known where isEqual(node) { return node }
      let new = fresh ?? make()
      fresh = new
      let (isAdded, _) = lock.withLock { () -> (Bool, [Node]) in
        let current = nodes(in: buckets[hash])
        guard current.allSatisfy({ node in known.contains { $0 === node } }) else { return (false, current) }
        buckets[hash] = (current + [new]).map { Reference($0, hash: hash) }
        forgetRecent()
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
        return live.isEmpty ? nil : bucket.filter { $0.node != nil }
      }
      forgetRecent()
      return held
    }
  }

  /// The first node with a hash; the last ones found are found again without a look at the table, which hashes the hash.
  private func first(of hash: Int) -> Node? {
    let place = hash & (Self.recentCount - 1)
    if !recent.isEmpty, let reference = recent[place],
      let node = reference._withUnsafeGuaranteedRef({ $0.hash == hash ? $0.node : nil })
    {
      return node
    }
    guard let reference = buckets[hash]?.first else { return nil }
    if recent.isEmpty { recent = Array(repeating: nil, count: Self.recentCount) }
    recent[place] = .passUnretained(reference)
    return reference.node
  }

  private func forgetRecent() {
    for place in recent.indices { recent[place] = nil }
  }

  private func nodes(in bucket: [Reference]?) -> [Node] {
    bucket?.compactMap(\.node) ?? []
  }
}
