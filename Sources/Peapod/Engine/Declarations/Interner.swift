/// Gives equal keys one object, without retaining that object and without running `==` under a lock.
final class Interner<Node: AnyObject & Sendable>: @unchecked Sendable {
  /// One node of a bucket.
  ///
  /// A bucket is a list to which links are added at the front, so that a look at it needs no copy.
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
      // One after the other: a bucket of many members whose hashes collide is a long list.
      var rest = next
      next = nil
      while isKnownUniquelyReferenced(&rest) {
        let following = rest?.next
        rest?.next = nil
        rest = following
      }
    }
  }

  // Safe: read and written under `lock` alone. A node that was read under the lock is released without it: the release may be the
  // last one, and the deinitializer of a node calls `noteDeath()`.
  @exclusivity(unchecked) private var buckets: [Int: Link] = [:]
  @exclusivity(unchecked) private var deaths = 0
  private let lock = Lock()

  init() {}

  /// Returns the first live node with a hash, which usually is the only one.
  ///
  /// Allocates nothing.
  func first(hash: Int) -> Node? {
    lock.withLock { buckets[hash] }?.node
  }

  /// Returns the live node that is equal, or adds a new one.
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

  /// Called when a node is deallocated; now and then removes the links of such nodes.
  ///
  /// - Complexity: O(1) amortized: it sweeps when half of the links may be dead.
  func noteDeath() {
    let old: [Int: Link]? = lock.withLock {
      deaths += 1
      guard deaths > 32, deaths * 2 > buckets.count else { return nil }
      deaths = 0
      return buckets
    }
    guard let old else { return }
    // Without the lock, since it reads nodes. Buckets that change meanwhile are left as they are.
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
      let kept = live.reversed().reduce(nil as Link?) { Link($1, hash: hash, next: $0) }
      lock.withLock {
        if buckets[hash] === head { buckets[hash] = kept }
      }
    }
  }
}
