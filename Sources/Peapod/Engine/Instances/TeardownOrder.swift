/// The order in which ended instances are disposed: dependents before their dependencies, otherwise the latest built first.
///
/// Direct dependencies are older than their dependents. So without deferred dependencies, the latest built first is the complete order. The
/// holder of a deferred dependency may be older than the answer, and the two may need each other. Instances that reach each other form a
/// strongly connected component, in which only direct dependencies count (Tarjan, "Depth-First Search and Linear Graph Algorithms", 1972).
struct TeardownOrder {
  /// The ended instances, the latest built first.
  let instances: [Instance]
  /// For each position, the positions that come after it.
  ///
  /// The positions of ended instances come first. All others are *gates*, which are passed at once: instances whose disposal is running,
  /// other instances on a path between two, and the entrance and the exit of each component.
  private(set) var followers: [[Int]]
  /// The positions of the instances whose disposal is running, which come before the ended instances that they lead to.
  let running: Range<Int>

  /// `retained`: retains the answers to deferred dependencies while a lock is held.
  init(_ ended: [Instance], behind disposing: [Instance], _ retained: RetainedObjects?) {
    instances = ended.count > 1 ? ended.sorted { $0.serial > $1.serial } : ended
    running = instances.count..<instances.count + disposing.count
    let edges = TeardownPaths(instances, behind: disposing, retained).edges
    followers = edges.map { $0.map(\.position) }
    guard edges.contains(where: { $0.contains(where: \.isDeferred) }) else { return }
    let components = StronglyConnectedComponents(followers).components
    let sizes = components.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
    var gates: [Int: (entrance: Int, exit: Int)] = [:]
    for (component, size) in sizes where size > 1 {
      gates[component] = (followers.count, followers.count + 1)
      followers += [[], []]
    }
    var ordered = Array(repeating: Set<Int>(), count: followers.count)
    for position in edges.indices {
      let component = components[position]
      for (follower, isDeferred) in edges[position] {
        if components[follower] != component {
          ordered[gates[component]?.exit ?? position].insert(gates[components[follower]]?.entrance ?? follower)
        } else if !isDeferred {
          ordered[position].insert(follower)
        }
      }
      guard let gate = gates[component] else { continue }
      ordered[gate.entrance].insert(position)
      ordered[position].insert(gate.exit)
    }
    followers = ordered.map { Array($0) }
  }

  /// The instance at a position; `nil` for a gate.
  func instance(at position: Int) -> Instance? { position < instances.count ? instances[position] : nil }

  /// Some positions, and all positions that come after them, directly or not.
  func followers(of first: [Int]) -> Set<Int> {
    var found = Set(first)
    var rest = first
    while let position = rest.popLast() { rest += followers[position].filter { found.insert($0).inserted } }
    return found
  }
}

/// The dependencies of ended instances and of instances whose disposal is running, and all instances on paths between them.
private struct TeardownPaths {
  /// For each position, the positions of the dependencies.
  private(set) var edges: [[(position: Int, isDeferred: Bool)]] = []
  private var all: [Instance] = []
  /// The positions of instances, but for those whose disposal is running, since nothing comes before these any longer.
  private var positions: [Visit: Int] = [:]

  private struct Visit: Hashable {
    let id: ObjectIdentifier
    /// Whether a deferred dependency leads to a graph-scoped instance: a later resolve builds its own, so only the dependencies come after.
    let isPassed: Bool
  }

  private let smallestSerial: UInt64
  private let ended: [ObjectIdentifier: [Instance]]
  private let retained: RetainedObjects?

  init(_ instances: [Instance], behind disposing: [Instance], _ retained: RetainedObjects?) {
    smallestSerial = instances.last?.serial ?? 0
    self.retained = retained
    ended = instances.reduce(into: [:]) { ended, instance in
      ended[ObjectIdentifier(instance.declaration), default: []].append(instance)
      if let family = instance.declaration.family { ended[ObjectIdentifier(family), default: []].append(instance) }
    }
    for instance in instances {
      positions[Visit(id: ObjectIdentifier(instance), isPassed: false)] = all.count
      all.append(instance)
    }
    all += disposing
    while edges.count < all.count {
      let instance = all[edges.count]
      edges.append(mayReach(from: instance) ? dependencies(of: instance) : [])
    }
  }

  private mutating func dependencies(of instance: Instance) -> [(position: Int, isDeferred: Bool)] {
    instance.dependencies.flatMap { dependency -> [(position: Int, isDeferred: Bool)] in
      switch dependency {
      case .instance(let other), .crossPod(let other, _): position(of: other).map { [($0, false)] } ?? []
      case .deferred(let question):
        answers(to: question, heldIn: instance.home).compactMap { other in
          position(of: other, isPassed: other.scopeKind == .graph).map { ($0, true) }
        }
      }
    }
  }

  /// The position of an instance; `nil` if no path leads from it to an ended instance.
  private mutating func position(of instance: Instance, isPassed: Bool = false) -> Int? {
    let visit = Visit(id: ObjectIdentifier(instance), isPassed: isPassed)
    if let known = positions[visit] { return known }
    guard mayReach(from: instance) else { return nil }
    positions[visit] = all.count
    all.append(instance)
    return all.count - 1
  }

  /// Whether an instance can depend on an ended one: direct dependencies are older than their dependents.
  private func mayReach(from instance: Instance) -> Bool {
    instance.serial >= smallestSerial || !instance.traits.isDisjoint(with: [.isDeferred, .isCrossPod])
  }

  /// The instances, cached or ended, to which a deferred dependency leads.
  private func answers(to question: Question, heldIn home: PodState) -> [Instance] {
    let view = question.pod ?? home
    let known = (ended[ObjectIdentifier(question.declaration)] ?? []).filter {
      ($0.definition === question.definition
        || question.declaration is FamilyDeclaration && $0.definition?.target === $0.declaration)
        && view.isBelow(orSame: $0.home)
        // A pod between the two that owns the scope has an answer of its own.
        && $0.home.isBelow(orSame: view.home(of: $0.definition, $0.scope.identity))
    }
    return known + question.answers(for: home, retained)
  }
}

/// The strongly connected components of a graph, found without recursion.
struct StronglyConnectedComponents {
  /// For each node, the number of its component.
  private(set) var components: [Int]

  init(_ successors: [[Int]]) {
    let count = successors.count
    components = Array(repeating: -1, count: count)
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
  }
}
