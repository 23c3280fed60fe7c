/// Gives equal keys one object, without retaining that object and without running `==` under a lock.
final class Interner<Node: AnyObject & Sendable>: @unchecked Sendable {
  private struct WeakNode {
    weak var node: Node?
  }

  private struct Bucket {
    var nodes: [WeakNode] = []
    /// Distinguishes these nodes from the nodes before and after a change; zero for none.
    var version = 0
    /// How many nodes were deallocated since the last change.
    var deaths = 0

    var live: [WeakNode] { nodes.filter { $0.node != nil } }
  }

  // Safe: read and written under `lock` alone. Nodes are read and released without the lock, since the deinitializer of a node calls
  // `removeDeallocated`, which takes the lock.
  @exclusivity(unchecked) private var buckets: [Int: Bucket] = [:]
  @exclusivity(unchecked) private var lastVersion = 0
  private let lock = Lock()

  init() {}

  /// Returns the latest node with a hash if the node is alive; usually this is the only node.
  ///
  /// Allocates nothing.
  @inline(never)
  func first(hash: Int) -> Node? {
    lock.withLock { buckets[hash]?.nodes }?.last?.node
  }

  /// Returns the live node for which `isEqual` holds, or adds a new node.
  ///
  /// `isEqual` and `make` run without a lock.
  ///
  /// - Complexity: O(nodes with this hash), as a `Dictionary` with chains.
  func find(hash: Int, isEqual: (Node) -> Bool, make: () -> Node) -> Node {
    var fresh: Node?
    while true {
      let bucket = lock.withLock { buckets[hash] } ?? Bucket()
      for position in bucket.nodes.indices.reversed() {
        if let node = bucket.nodes[position].node, isEqual(node) { return node }
      }
      let new = fresh ?? make()
      fresh = new
      if replace(bucket, hash: hash, with: bucket.live + [WeakNode(node: new)]) { return new }
    }
  }

  var all: [Node] { lock.withLock { Array(buckets.values) }.flatMap { $0.nodes.compactMap(\.node) } }

  /// Removes the deallocated nodes with a hash, if half of the nodes may be deallocated; called by the deinitializer of a node.
  ///
  /// - Complexity: O(1) amortized.
  func removeDeallocated(hash: Int) {
    while let bucket = lock.withLock({ noteDeath(hash) }), !replace(bucket, hash: hash, with: bucket.live) {}
  }

  private func noteDeath(_ hash: Int) -> Bucket? {
    buckets[hash]?.deaths += 1
    return buckets[hash].flatMap { $0.deaths * 2 > $0.nodes.count ? $0 : nil }
  }

  /// Changes the nodes of a bucket, unless they have changed meanwhile.
  private func replace(_ bucket: Bucket, hash: Int, with nodes: [WeakNode]) -> Bool {
    lock.withLock {
      guard buckets[hash]?.version ?? 0 == bucket.version else { return false }
      lastVersion += 1
      buckets[hash] = nodes.isEmpty ? nil : Bucket(nodes: nodes, version: lastVersion)
      return true
    }
  }
}
