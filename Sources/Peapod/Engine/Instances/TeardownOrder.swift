/// The order in which ended instances are disposed: dependents before their dependencies, otherwise the latest built first.
///
/// Direct dependencies are older than their dependents. So without deferred dependencies, the latest built first is the complete order. The
/// holder of a deferred dependency may be older than the answer, and the two may need each other. Instances that reach each other form a
/// strongly connected component, which is disposed as a whole, the latest built first (Tarjan, "Depth-First Search and Linear Graph
/// Algorithms", 1972).
struct TeardownOrder {
  /// The ended instances, the latest built first.
  let instances: [Instance]
  /// For each position, the positions that come after it.
  ///
  /// The positions behind the ended instances are those of live instances and questions between them, where nothing is disposed.
  private(set) var followers: [[Int]]

  init(_ search: inout FollowerSearch) {
    instances = search.instances
    // One instance has no order.
    if instances.count > 1 { search.followPaths() }
    followers = instances.count > 1 ? search.followers : [[]]
    if search.hasQuestions { separateComponents() }
  }

  /// Replaces the order within each strongly connected component.
  private mutating func separateComponents() {
    let components = stronglyConnectedComponents(of: followers)
    // The positions of a component, one after the other; others come before the first or after the last.
    var ends: [Int: (first: Int, last: Int)] = [:]
    var ordered = Array(repeating: Set<Int>(), count: followers.count)
    for position in followers.indices {
      let known = ends[components[position]]
      if let known { ordered[known.last].insert(position) }
      ends[components[position]] = (known?.first ?? position, position)
    }
    for position in followers.indices {
      for follower in followers[position] where components[follower] != components[position] {
        ordered[ends[components[position]]!.last].insert(ends[components[follower]]!.first)
      }
    }
    followers = ordered.map { Array($0) }
  }

  /// The positions of some instances, and of all instances that are disposed after them, directly or not.
  func followers(of first: [Int]) -> Set<Int> {
    var found = Set(first)
    var rest = first
    while let position = rest.popLast() { rest += followers[position].filter { found.insert($0).inserted } }
    return found.filter { $0 < instances.count }
  }
}

/// Follows the paths from dependents to ended instances.
///
/// Each live instance and each question on the way has a position behind those of the ended instances, so no path is followed twice.
struct FollowerSearch {
  /// What answers a question: a provider or a family, in one pod.
  private struct Answer: Hashable {
    let declaration, home: ObjectIdentifier
    init(_ declaration: Declaration, in home: PodState) {
      (self.declaration, self.home) = (ObjectIdentifier(declaration), ObjectIdentifier(home))
    }
  }

  private enum Node {
    case instance(Instance)
    case question(Question, holder: Instance)
  }

  /// The ended instances, the latest built first.
  let instances: [Instance]
  /// For each position, the positions to which its dependencies or answers lead.
  private(set) var followers: [[Int]] = []

  /// The serial of the oldest ended instance.
  ///
  /// Constants do not count: their serials are no times, and they are not disposed.
  private let oldest: UInt64
  private var nodes: [Node]
  private var positions: [ObjectIdentifier: Int]
  private var questionPositions: [HeldQuestion: Int] = [:]
  /// The pods in which the ended instances lived.
  private let places: Set<ObjectIdentifier?>
  /// Positions from which no path leads to an ended instance.
  private var deadEnds: Set<Int> = []
  /// The ended instances by provider or family, and by home.
  private lazy var endedByAnswer = instances.reduce(into: [Answer: [Instance]]()) { ended, instance in
    ended[Answer(instance.declaration, in: instance.home), default: []].append(instance)
    if let family = instance.declaration.family {
      ended[Answer(family, in: instance.home), default: []].append(instance)
    }
  }
  private let retained: RetainedObjects?

  /// `retained`: retains the answers to deferred dependencies while a lock is held.
  init(_ ended: [Instance], _ retained: RetainedObjects?) {
    instances = ended.count > 1 ? ended.sorted { $0.serial > $1.serial } : ended
    oldest = instances.last { !$0.isConstant }?.serial ?? .max
    places = Set(instances.map(\.home.place))
    nodes = instances.map { .instance($0) }
    positions = Dictionary(uniqueKeysWithValues: zip(instances.map { ObjectIdentifier($0) }, instances.indices))
    self.retained = retained
  }

  var hasQuestions: Bool { !questionPositions.isEmpty }

  func contains(_ instance: Instance) -> Bool {
    positions[ObjectIdentifier(instance)].map { $0 < instances.count } ?? false
  }

  /// Finds the followers of all positions.
  mutating func followPaths() {
    while followers.count < nodes.count { followers.append(steps(from: nodes[followers.count])) }
  }

  /// The nearest ended instances on the paths from an instance.
  mutating func endedFollowers(of instance: Instance) -> [Int] {
    guard let start = position(of: instance) else { return [] }
    followPaths()
    var seen: Set<Int> = [start]
    var rest = [start]
    var found: [Int] = []
    while let position = rest.popLast() {
      if position < instances.count {
        found.append(position)
      } else {
        rest += followers[position].filter { !deadEnds.contains($0) && seen.insert($0).inserted }
      }
    }
    if found.isEmpty { deadEnds.formUnion(seen) }
    return found
  }

  private mutating func steps(from node: Node) -> [Int] {
    switch node {
    case .instance(let instance): return steps(from: instance)
    case .question(let question, let holder):
      let answers = answers(to: question, heldIn: holder.home)
      // A holder that outlives the top-level resolve builds a graph-scoped instance of its own, with such dependencies.
      return answers.flatMap { answer in
        if answer.scopeKind == .graph, !holder.isWithinResolve { return steps(from: answer) }
        return position(of: answer).map { [$0] } ?? []
      }
    }
  }

  private mutating func steps(from instance: Instance) -> [Int] {
    instance.dependencies.compactMap { dependency in
      switch dependency {
      case .instance(let other), .crossPod(let other, _): position(of: other)
      case .deferred(let question): position(of: question, heldBy: instance)
      }
    }
  }

  /// The position of an instance, or `nil` if no path from it leads to an ended instance, as far as its age and its home tell.
  private mutating func position(of instance: Instance) -> Int? {
    if let known = positions[ObjectIdentifier(instance)] { return known }
    // Direct dependencies are older than their dependents.
    guard instance.serial >= oldest || !instance.traits.isDisjoint(with: [.isDeferred, .isCrossPod]) else { return nil }
    // So the end of a request visits nothing of the root, whose instances cannot depend on those of the request.
    guard
      !instance.traits.isDisjoint(with: .reachesOtherPods)
        || instance.home.climb({ places.contains($0.place) })
    else { return nil }
    positions[ObjectIdentifier(instance)] = nodes.count
    nodes.append(.instance(instance))
    return nodes.count - 1
  }

  private mutating func position(of question: Question, heldBy holder: Instance) -> Int {
    let key = HeldQuestion(question, in: holder.home, isWithinResolve: holder.isWithinResolve)
    if let known = questionPositions[key] { return known }
    questionPositions[key] = nodes.count
    nodes.append(.question(question, holder: holder))
    return nodes.count - 1
  }

  /// The instances, cached or ended, to which a deferred dependency leads.
  private mutating func answers(to question: Question, heldIn home: PodState) -> [Instance] {
    let view = question.pod ?? home
    let candidates = view.selfAndAncestors.flatMap { endedByAnswer[Answer(question.declaration, in: $0)] ?? [] }
    let ended = candidates.filter {
      ($0.definition === question.definition
        || question.declaration is FamilyDeclaration && $0.definition?.target === $0.declaration)
        // A pod between the two that owns the scope has an answer of its own.
        && $0.home.isBelow(orSame: view.home(of: $0.definition, $0.scope.identity))
    }
    return ended + question.answers(for: home, retained)
  }
}

extension Instance {
  /// Whether this instance can hold a graph-scoped instance, which ends with the top-level resolve.
  fileprivate var isWithinResolve: Bool { scopeKind == .graph || scopeKind == .alwaysCreateNew }
}

/// Returns for each node of a graph the number of its strongly connected component; found without recursion.
func stronglyConnectedComponents(of successors: [[Int]]) -> [Int] {
  let count = successors.count
  var components = Array(repeating: -1, count: count)
  var numbers = Array(repeating: -1, count: count)
  var lowest = Array(repeating: 0, count: count)
  var stack: [Int] = []
  var next = 0
  var componentCount = 0
  for start in 0..<count where numbers[start] < 0 {
    var path: [(node: Int, position: Int)] = [(start, 0)]
    while let (node, position) = path.last {
      if position == 0 {
        numbers[node] = next
        lowest[node] = next
        next += 1
        stack.append(node)
      }
      if position < successors[node].count {
        path[path.count - 1].position += 1
        let successor = successors[node][position]
        if numbers[successor] < 0 {
          path.append((successor, 0))
        } else if components[successor] < 0 {
          lowest[node] = min(lowest[node], numbers[successor])
        }
        continue
      }
      if lowest[node] == numbers[node] {
        while let member = stack.popLast() {
          components[member] = componentCount
          if member == node { break }
        }
        componentCount += 1
      }
      path.removeLast()
      if let parent = path.last?.node { lowest[parent] = min(lowest[parent], lowest[node]) }
    }
  }
  return components
}
