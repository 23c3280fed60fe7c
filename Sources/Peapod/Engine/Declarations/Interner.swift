/// Gives equal keys one object, without retaining that object and without running `==` under a lock.
final class Interner<Node: AnyObject & Sendable>: @unchecked Sendable {
  /// One node of a bucket.
  ///
  /// Links are added at the front of a bucket, so a search in the bucket needs no copy.
  private final class Link: @unchecked Sendable {
    // Safe: `next` is constant until the link is deallocated.
    let hash: Int
    weak let node: Node?
    private(set) var next: Link?

    init(_ node: Node, hash: Int, next: Link?) {
      self.hash = hash
      self.node = node
      self.next = next
    }

    deinit {
      // In a loop, not recursively, since many nodes whose hashes collide make a long list.
      var rest = next
      next = nil
      while isKnownUniquelyReferenced(&rest) {
        let following = rest?.next
        rest?.next = nil
        rest = following
      }
    }
  }

  // Safe: read and written under `lock` alone. Nodes are read and released without the lock, since the deinitializer of a node calls
  // `noteDeath()`, which takes the lock.
  @exclusivity(unchecked) private var buckets: [Int: Link] = [:]
  @exclusivity(unchecked) private var deaths = 0
  private let lock = Lock()

  init() {}

  /// Returns the latest node with a hash if the node is alive; usually this is the only node.
  ///
  /// Allocates nothing.
  func first(hash: Int) -> Node? {
    lock.withLock { buckets[hash] }?.node
  }

  /// Returns the live node for which `isEqual` holds, or adds a new node.
  ///
  /// `isEqual` and `make` run without a lock.
  ///
  /// - Complexity: O(nodes with this hash), as a `Dictionary` with chains.
  func find(hash: Int, isEqual: (Node) -> Bool, make: () -> Node) -> Node {
    var examined: Link?
    var fresh: Node?
    while true {
      let head = lock.withLock { buckets[hash] }
      var link = head
      // Links behind `examined` were compared in an earlier round.
      while let current = link, current !== examined {
        if let node = current.node, isEqual(node) { return node }
        link = current.next
      }
      examined = head
      let new = fresh ?? make()
      fresh = new
      let isAdded = lock.withLock {
        guard buckets[hash] === head else { return false }
        buckets[hash] = Link(new, hash: hash, next: head)
        return true
      }
      if isAdded { return new }
    }
  }

  /// The live nodes.
  var all: [Node] {
    let heads = lock.withLock { Array(buckets.values) }
    var found: [Node] = []
    for head in heads {
      var link: Link? = head
      while let current = link {
        if let node = current.node { found.append(node) }
        link = current.next
      }
    }
    return found
  }

  /// Called when a node is deallocated; sometimes removes the links of deallocated nodes.
  ///
  /// - Complexity: O(1) amortized, since a sweep begins only when half of the links may be dead.
  func noteDeath() {
    let old: [Int: Link]? = lock.withLock {
      deaths += 1
      guard deaths > 32, deaths * 2 > buckets.count else { return nil }
      deaths = 0
      return buckets
    }
    guard let old else { return }
    // Without the lock, since the sweep reads nodes. Buckets that change meanwhile are left as they are.
    for (hash, head) in old {
      var live: [Node] = []
      var count = 0
      var link: Link? = head
      while let current = link {
        count += 1
        if let node = current.node { live.append(node) }
        link = current.next
      }
      guard live.count < count else { continue }
      let retained = live.reversed().reduce(nil as Link?) { Link($1, hash: hash, next: $0) }
      lock.withLock {
        if buckets[hash] === head { buckets[hash] = retained }
      }
    }
  }
}
