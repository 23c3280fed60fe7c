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
  ///
  /// The positions behind the instances are those of questions: holders come before, answers after. There is nothing to dispose.
  private(set) var followers: [[Int]]

  init(_ search: inout FollowerSearch) {
    instances = search.instances
    followers = []
    for instance in instances { followers.append(search.followers(of: instance)) }
    guard !search.answers.isEmpty else { return }
    followers += search.answers
    separateComponents()
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

/// Finds the ended instances on the paths from dependents.
///
/// Each question has a position behind those of the instances, so that its answers are visited once and not for each holder.
struct FollowerSearch {
  /// The ended instances, the latest built first.
  let instances: [Instance]
  /// For each question that was found, the nearest ended instances and questions on the paths from the answers.
  private(set) var answers: [[Int]] = []

  private let positions: [ObjectIdentifier: Int]
  private var questions: [(question: Question, holder: Instance)] = []
  private var questionPositions: [HeldQuestion: Int] = [:]
  /// Instances from which no path leads to an ended instance or a question.
  private var deadEnds: Set<ObjectIdentifier> = []
  /// The ended instances by provider and by family.
  private lazy var endedByProvider = instances.reduce(into: [ObjectIdentifier: [Instance]]()) { ended, instance in
    ended[ObjectIdentifier(instance.declaration), default: []].append(instance)
    if let family = instance.declaration.family { ended[ObjectIdentifier(family), default: []].append(instance) }
  }
  private let retained: RetainedObjects?

  /// `retained`: retains the answers to deferred dependencies while a lock is held.
  init(_ ended: [Instance], _ retained: RetainedObjects?) {
    instances = ended.count > 1 ? ended.sorted { $0.serial > $1.serial } : ended
    positions = Dictionary(uniqueKeysWithValues: zip(instances.map { ObjectIdentifier($0) }, instances.indices))
    self.retained = retained
  }

  func contains(_ instance: Instance) -> Bool { positions[ObjectIdentifier(instance)] != nil }

  /// The nearest ended instances and questions on the paths from an instance.
  mutating func followers(of instance: Instance) -> [Int] {
    let found = mayReachEnded(instance) ? nearest([], [instance]) : []
    // The answers may lead to further questions.
    while answers.count < questions.count {
      let (question, holder) = questions[answers.count]
      let all = allAnswers(to: question, heldIn: holder.home)
      // A holder that outlives the top-level resolve builds a graph-scoped instance of its own.
      let others = holder.isWithinResolve ? [] : all.filter { $0.scopeKind == .graph }
      answers.append(nearest(holder.isWithinResolve ? all : all.filter { $0.scopeKind != .graph }, others))
    }
    return found
  }

  /// The nearest ended instances on the paths from an instance.
  mutating func endedFollowers(of instance: Instance) -> [Int] {
    var rest = followers(of: instance)
    var found = Set(rest)
    while let position = rest.popLast() {
      guard position >= instances.count else { continue }
      rest += answers[position - instances.count].filter { found.insert($0).inserted }
    }
    return found.filter { $0 < instances.count }
  }

  /// Follows paths until each comes to an ended instance or a question, or ends.
  ///
  /// `first`: instances that may have ended. `passed`: instances whose dependencies count, but not they themselves.
  private mutating func nearest(_ first: [Instance], _ passed: [Instance]) -> [Int] {
    var found: Set<Int> = []
    var seen: Set<ObjectIdentifier> = []
    var rest = passed
    func add(_ other: Instance) {
      if let position = positions[ObjectIdentifier(other)] {
        found.insert(position)
      } else if mayReachEnded(other), !deadEnds.contains(ObjectIdentifier(other)),
        seen.insert(ObjectIdentifier(other)).inserted
      {
        rest.append(other)
      }
    }
    for instance in first { add(instance) }
    while let current = rest.popLast() {
      for dependency in current.dependencies {
        switch dependency {
        case .instance(let other), .crossPod(let other, _): add(other)
        case .deferred(let question): found.insert(position(of: question, heldBy: current))
        }
      }
    }
    if found.isEmpty { deadEnds.formUnion(seen) }
    return Array(found)
  }

  private mutating func position(of question: Question, heldBy holder: Instance) -> Int {
    let key = HeldQuestion(question, in: holder.home, isWithinResolve: holder.isWithinResolve)
    if let known = questionPositions[key] { return known }
    questions.append((question, holder))
    questionPositions[key] = instances.count + questions.count - 1
    return instances.count + questions.count - 1
  }

  /// The instances, cached or ended, to which a deferred dependency leads.
  private mutating func allAnswers(to question: Question, heldIn home: PodState) -> [Instance] {
    let view = question.pod ?? home
    let ended = (endedByProvider[ObjectIdentifier(question.declaration)] ?? []).filter {
      ($0.definition === question.definition
        || question.declaration is FamilyDeclaration && $0.definition?.target === $0.declaration)
        && view.isBelow(orSame: $0.home)
        // A pod between the two that owns the scope has an answer of its own.
        && $0.home.isBelow(orSame: view.home(of: $0.definition, $0.scope.identity))
    }
    return ended + question.answers(for: home, retained)
  }

  /// Whether an instance can depend on an ended one: direct dependencies are older than their dependents.
  private func mayReachEnded(_ instance: Instance) -> Bool {
    instance.serial >= instances.last?.serial ?? 0 || !instance.traits.isDisjoint(with: [.isDeferred, .isCrossPod])
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
