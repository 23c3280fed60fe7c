/// Visits an object, and the objects that the caller adds, each once and without recursion.
///
/// Retains what it visited, since an object at the address of a released one would count as seen.
struct Walk<Node: AnyObject> {
  /// The visited objects, and those that are to be visited.
  private(set) var found: [Node] = []
  private var visitedCount = 0
  private var seen: Set<ObjectIdentifier> = []

  init() {}

  /// If the caller adds the first object again, it is visited twice.
  init(from first: Node) { found = [first] }

  mutating func next() -> Node? {
    guard visitedCount < found.count else { return nil }
    visitedCount += 1
    return found[visitedCount - 1]
  }

  mutating func add(_ node: Node) {
    if seen.insert(ObjectIdentifier(node)).inserted { found.append(node) }
  }
}
