/// Some instances and their dependencies, with edges from each dependency to its dependents.
///
/// An instance refers to its dependencies only. The rare steps that need dependents, such as an override, reverse the edges in a
/// breadth-first search in O(instances + edges). User code does not run meanwhile.
///
/// A question is a node between its holders and its answers. So the factory of a family needs an edge for each holder and one for each
/// member, not one for each pair of them.
struct DependencyGraph {
  /// The nodes; `nil` for a question.
  private var all: [Instance?] = []
  private var positions: [ObjectIdentifier: Int] = [:]
  private var questionNodes: [HeldQuestion: (position: Int, answers: [Instance])] = [:]
  /// For each position, the positions of the dependents.
  private var edges: [[Int]] = []
  private var questions: [(question: Question, holder: Int)] = []
  /// The positions of the former answers of hidden holders.
  private var formerPositions: [ObjectIdentifier: Int] = [:]
  /// The lists made for holders that are about to be hidden; holders of equal questions share a list.
  private var lists: [HeldQuestion: FormerAnswers] = [:]

  /// Follows the dependencies of instances.
  ///
  /// A deferred dependency leads to the instances that answer the question now. If the holder is hidden, it leads to those that answered
  /// the question before, if `followsFormerAnswers`, and otherwise only to the values of its `Lazy`s. `retained`: retains the visited
  /// objects, since a lock is held.
  init(_ starts: [Instance], followsFormerAnswers: Bool = false, _ retained: RetainedObjects) {
    for start in starts { _ = position(of: start) }
    var current = 0
    while current < all.count {
      defer { current += 1 }
      guard let instance = all[current] else { continue }
      for dependency in instance.dependencies {
        switch dependency {
        case .instance(let other): edges[position(of: other)].append(current)
        case .crossPod(let other, let pod):
          // From the home itself, in a build for a child that changes the dependency.
          if pod === instance.home { edges[position(of: other)].append(current) }
        case .deferred(let question):
          questions.append((question, current))
          if instance.hiddenCount == 0 {
            edges[position(of: question, heldIn: instance.home, retained)].append(current)
          }
          // The value of a `Lazy` concerns a hidden holder too.
          for other in question.cachedLazyDependencies(retained) { edges[position(of: other)].append(current) }
        }
      }
      // Most hidden instances hold nothing deferred.
      guard followsFormerAnswers, instance.hiddenCount != 0, instance.dependencies.contains(where: \.isDeferred) else {
        continue
      }
      for answers in retained.add(instance.home.formerAnswers(of: instance)) {
        edges[position(of: answers, retained)].append(current)
      }
    }
  }

  /// The instances, without the questions: those from which the search began, and their dependencies in any pod.
  var instances: [Instance] { all.compactMap { $0 } }

  private mutating func position(of instance: Instance) -> Int {
    if let known = positions[ObjectIdentifier(instance)] { return known }
    positions[ObjectIdentifier(instance)] = all.count
    return add(instance)
  }

  private mutating func position(of question: Question, heldIn home: PodState, _ retained: RetainedObjects) -> Int {
    let key = HeldQuestion(question, in: home)
    if let known = questionNodes[key] { return known.position }
    let own = add(nil)
    let answers = question.answers(for: home, retained)
    questionNodes[key] = (own, answers)
    for answer in answers { edges[position(of: answer)].append(own) }
    return own
  }

  private mutating func position(of answers: FormerAnswers, _ retained: RetainedObjects) -> Int {
    if let known = formerPositions[ObjectIdentifier(answers)] { return known }
    let own = add(nil)
    formerPositions[ObjectIdentifier(answers)] = own
    for answer in retained.add(answers.instances) { edges[position(of: answer)].append(own) }
    return own
  }

  /// The present answers to the deferred dependencies of an instance that is about to be hidden.
  mutating func answers(of holder: Instance) -> [FormerAnswers] {
    holder.dependencies.compactMap { dependency in
      guard case .deferred(let question) = dependency else { return nil }
      let key = HeldQuestion(question, in: holder.home)
      let answers = lists[key] ?? FormerAnswers(questionNodes[key]?.answers ?? [])
      lists[key] = answers
      return answers
    }
  }

  private mutating func add(_ node: Instance?) -> Int {
    all.append(node)
    edges.append([])
    return all.count - 1
  }

  /// Returns the instances that depend, directly or not, on an instance for which a condition holds, or hold such a question.
  ///
  /// `includingThemselves`: whether the instances for which `matches` holds are returned too. `followsAnswers`: whether the holder of a
  /// deferred dependency depends on the answers. `isUnconcerned`: whether an instance that resolved its own provider does not depend on such
  /// an instance.
  func dependents(
    includingThemselves: Bool = false, followsAnswers: Bool = true, where matches: (Instance) -> Bool,
    orQuestion matchesQuestion: (Question, _ holder: Instance) -> Bool = { _, _ in false },
    exceptFor isUnconcerned: (Instance) -> Bool = { _ in false }
  ) -> Set<ObjectIdentifier> {
    let meant = all.indices.filter { all[$0].map(matches) ?? false }
    var edges = followsAnswers ? edges : zip(all, edges).map { $0 == nil ? [] : $1 }
    var isFound = Array(repeating: false, count: all.count)
    if includingThemselves { for position in meant { isFound[position] = true } }
    var rest: [Int] = []
    func find(_ position: Int) {
      guard !isFound[position] else { return }
      isFound[position] = true
      rest.append(position)
    }
    func findDependents(of position: Int, startingAt start: Instance) {
      for dependent in edges[position] {
        guard let holder = all[dependent] else {
          findDependents(of: dependent, startingAt: start)
          // So that the next answer does not visit the same holders again.
          edges[dependent].removeAll { isFound[$0] }
          continue
        }
        // A decorator does not depend on an override that takes precedence over the decorator.
        if !(holder.declaration === start.declaration && isUnconcerned(holder)) { find(dependent) }
      }
    }
    for position in meant { if let start = all[position] { findDependents(of: position, startingAt: start) } }
    for (question, position) in questions {
      if let holder = all[position], matchesQuestion(question, holder) { find(position) }
    }
    while let position = rest.popLast() {
      for dependent in edges[position] { find(dependent) }
    }
    return Set(all.indices.lazy.filter { isFound[$0] }.compactMap { all[$0].map { ObjectIdentifier($0) } })
  }
}

extension Question {
  /// The existing instances that the holder would resolve now: a cached instance or a transient's record; for a family, the instances of
  /// all members.
  ///
  /// `holderHome`: the pod of the holder. `retained`: retains the visited objects. Called without the locks of pods.
  func answers(for holderHome: PodState, _ retained: RetainedObjects? = nil) -> [Instance] {
    let present = own(in: (pod ?? holderHome).effective, retained)
    guard let innerPod, !innerPod.isCompact else { return cachedLazyDependencies(retained) + present }
    _ = retained?.add([innerPod])
    return own(in: innerPod.effective, retained) + present
  }

  /// The dependencies of the value of a `Lazy`, as long as the value is cached.
  func cachedLazyDependencies(_ retained: RetainedObjects?) -> [Instance] {
    guard let innerPod else { return [] }
    _ = retained?.add([innerPod])
    guard innerPod.isCompact else { return [] }
    let values = innerPod.cachedInstances
    _ = retained?.add(values)
    return values.flatMap { $0.dependencies.compactMap(\.instance) }
  }

  /// The existing instances that answer this question in one pod.
  private func own(in view: PodState, _ retained: RetainedObjects?) -> [Instance] {
    guard let family = declaration as? FamilyDeclaration else {
      let found = view.answer(to: declaration, definition, isCopied: view.isSubstitute, retained).map { [$0] } ?? []
      return retained?.add(found) ?? found
    }
    let members = family.members.all
    let definitions = members.map { view.definition(of: $0) }
    let found = zip(members, definitions).compactMap { view.answer(to: $0, $1, retained) }
    _ = (retained?.add(members), retained?.add(definitions.compactMap { $0 }))
    return retained?.add(found) ?? found
  }
}

extension PodState {
  /// The visible instance, or the latest record, of a definition as seen from this pod.
  func answer(
    to declaration: Declaration, _ definition: Override?, isCopied: Bool = false, _ retained: RetainedObjects? = nil
  ) -> Instance? {
    let definition = isCopied ? self.definition(of: declaration) : definition
    if isCopied, let definition { _ = retained?.add([definition]) }
    var record: Instance?
    for state in selfAndAncestors {
      let visible = state.withLock { held -> Instance? in
        let candidates = state.instances(of: declaration, held)
        if record == nil, let found = candidates.first(where: { $0.state == .record && $0.definition === definition }) {
          record = found
          _ = retained?.add([found])
        }
        return candidates.first { $0.isVisible(as: definition, held) }
      }
      if let visible { return visible }
    }
    return record
  }
}
