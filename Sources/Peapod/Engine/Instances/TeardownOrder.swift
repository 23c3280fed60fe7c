/// The order in which ended instances are disposed: dependents before their dependencies, otherwise the latest built first.
///
/// Direct dependencies are older than their dependents. So without deferred dependencies, the latest built first is the complete order. The
/// holder of a deferred dependency may be older than the answer, and the two may need each other. Instances that reach each other form a
/// strongly connected component, which is disposed as a whole, the latest built first (Tarjan, "Depth-First Search and Linear Graph
/// Algorithms", 1972).
struct TeardownOrder {
  /// The ended instances, the latest built first.
  let instances: [Instance]
  /// For each position, the positions that are disposed after it.
  private(set) var followers: [[Int]]

  private let positions: [ObjectIdentifier: Int]

  /// `retained`: retains the answers to deferred dependencies while a lock is held.
  init(_ ended: [Instance], _ retained: RetainedObjects?) {
    instances = ended.count > 1 ? ended.sorted { $0.serial > $1.serial } : ended
    positions = Dictionary(uniqueKeysWithValues: zip(instances.map { ObjectIdentifier($0) }, instances.indices))
    followers = Array(repeating: [], count: instances.count)
    var deferred = followers
    var answers = DeferredAnswers(instances, retained)
    var hasDeferred = false
    for position in instances.indices {
      (followers[position], deferred[position]) = reached(from: instances[position], &answers)
      hasDeferred = hasDeferred || !deferred[position].isEmpty
    }
    guard hasDeferred else { return }
    let all = zip(followers, deferred).map { $0 + $1 }
    let components = stronglyConnectedComponents(of: all)
    // The positions of a component, one after the other; others come before the first or after the last.
    var ends: [Int: (first: Int, last: Int)] = [:]
    var ordered = Array(repeating: Set<Int>(), count: instances.count)
    for position in instances.indices {
      let known = ends[components[position]]
      if let known { ordered[known.last].insert(position) }
      ends[components[position]] = (known?.first ?? position, position)
    }
    for position in instances.indices {
      for follower in all[position] where components[follower] != components[position] {
        ordered[ends[components[position]]!.last].insert(ends[components[follower]]!.first)
      }
    }
    followers = ordered.map { Array($0) }
  }

  func contains(_ instance: Instance) -> Bool { positions[ObjectIdentifier(instance)] != nil }

  /// Some positions, and all positions that are disposed after them, directly or not.
  func followers(of first: [Int]) -> Set<Int> {
    var found = Set(first)
    var rest = first
    while let position = rest.popLast() { rest += followers[position].filter { found.insert($0).inserted } }
    return found
  }

  /// Returns the nearest ended instances on the paths from an instance: on direct paths, and on paths with a deferred dependency.
  ///
  /// Calls for many instances share their `answers`, so that no call repeats a path that leads to no ended instance.
  func reached(from instance: Instance, _ answers: inout DeferredAnswers) -> (direct: [Int], deferred: [Int]) {
    guard !instance.dependencies.isEmpty, mayReach(from: instance) else { return ([], []) }
    let own = positions[ObjectIdentifier(instance)]
    var direct: Set<Int> = []
    var deferred: Set<Int> = []
    var seen: [ObjectIdentifier: Bool] = [:]
    var rest = [(instance: instance, isDeferred: false)]
    while let (current, isDeferred) = rest.popLast() {
      func add(_ other: Instance, isDeferred: Bool, isForeign: Bool = false) {
        if let position = positions[ObjectIdentifier(other)], !isForeign {
          if position != own { if isDeferred { deferred.insert(position) } else { direct.insert(position) } }
        } else if mayReach(from: other), !answers.deadEnds.contains(ObjectIdentifier(other)),
          seen[ObjectIdentifier(other)].map({ $0 && !isDeferred }) ?? true
        {
          // A direct path counts more than a deferred path.
          seen[ObjectIdentifier(other)] = isDeferred
          rest.append((other, isDeferred))
        }
      }
      for dependency in current.dependencies {
        switch dependency {
        case .instance(let other), .crossPod(let other, _): add(other, isDeferred: isDeferred)
        case .deferred(let question):
          for other in answers.answers(to: question, heldIn: current.home) {
            // A holder that outlives the top-level resolve builds a graph-scoped instance of its own.
            let isWithinResolve = current.scopeKind == .graph || current.scopeKind == .alwaysCreateNew
            add(other, isDeferred: true, isForeign: other.scopeKind == .graph && !isWithinResolve)
          }
        }
      }
    }
    if direct.isEmpty, deferred.isEmpty, own == nil { answers.deadEnds.formUnion(seen.keys) }
    return (Array(direct), Array(deferred.subtracting(direct)))
  }

  /// Whether an instance can depend on an ended one: direct dependencies are older than their dependents.
  private func mayReach(from instance: Instance) -> Bool {
    instance.serial >= instances.last?.serial ?? 0 || !instance.traits.isDisjoint(with: [.isDeferred, .isCrossPod])
  }
}

/// The instances, cached or ended, to which deferred dependencies lead during a teardown.
struct DeferredAnswers {
  /// Instances from which no path leads to an ended instance.
  fileprivate(set) var deadEnds: Set<ObjectIdentifier> = []
  private let instances: [Instance]
  /// The ended instances by provider and by family.
  private lazy var ended = instances.reduce(into: [ObjectIdentifier: [Instance]]()) { ended, instance in
    ended[ObjectIdentifier(instance.declaration), default: []].append(instance)
    if let family = instance.declaration.family { ended[ObjectIdentifier(family), default: []].append(instance) }
  }
  private let retained: RetainedObjects?

  init(_ instances: [Instance], _ retained: RetainedObjects?) {
    self.instances = instances
    self.retained = retained
  }

  mutating func answers(to question: Question, heldIn home: PodState) -> [Instance] {
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
