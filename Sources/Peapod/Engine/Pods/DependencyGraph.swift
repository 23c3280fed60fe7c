/// The instances that some instances were built from, with the edges turned around.
///
/// Instances know their dependencies only. The rare steps that need dependents, such as an override, turn the edges around: breadth-first
/// search in O(instances + edges). User code does not run meanwhile.
struct DependencyGraph {
  private let starts: [Instance]
  private var dependents: [ObjectIdentifier: [Instance]] = [:]
  private var all: [Instance] = []
  private var questions: [(question: Question, holder: Instance)] = []

  /// Follows the dependencies of instances.
  ///
  /// A deferred dependency leads to the instances that answer it now. `kept`: retains what was looked at, since a lock is held.
  init(_ starts: [Instance], _ kept: Kept) {
    self.starts = starts
    var seen = Set(starts.map { ObjectIdentifier($0) })
    all = starts
    var position = 0
    while position < all.count {
      let instance = all[position]
      position += 1
      for dependency in instance.dependencies {
        switch dependency {
        case .instance(let other): add(other, to: instance, &seen)
        case .crossPod: break
        case .deferred(let question):
          questions.append((question, instance))
          // A hidden holder has nothing to do with the answers of this time, but a `Lazy` keeps its value.
          let answers =
            instance.hiddenCount == 0 ? question.answers(for: instance.home, kept) : question.keptAnswers(kept)
          for other in answers { add(other, to: instance, &seen) }
        }
      }
    }
  }

  private mutating func add(_ dependency: Instance, to dependent: Instance, _ seen: inout Set<ObjectIdentifier>) {
    dependents[ObjectIdentifier(dependency), default: []].append(dependent)
    if seen.insert(ObjectIdentifier(dependency)).inserted { all.append(dependency) }
  }

  /// Returns the instances that depend, directly or not, on an instance that a condition names, or hold such a question.
  ///
  /// `includingThemselves`: whether the named instances are returned too. `isUnconcerned`: whether an instance that resolved its own provider
  /// does not depend on the named instance.
  mutating func dependents(
    includingThemselves: Bool = false, where isMeant: (Instance) -> Bool, orQuestion isMeantToo: (Question) -> Bool,
    exceptFor isUnconcerned: (Instance) -> Bool = { _ in false }
  ) -> Set<ObjectIdentifier> {
    let meant = all.filter(isMeant)
    var found: Set<ObjectIdentifier> = includingThemselves ? Set(meant.map { ObjectIdentifier($0) }) : []
    // A decorator does not depend on what comes before it.
    var rest: [Instance] = []
    for instance in meant {
      for dependent in dependents[ObjectIdentifier(instance)] ?? []
      where !(dependent.declaration === instance.declaration && isUnconcerned(dependent)) {
        if found.insert(ObjectIdentifier(dependent)).inserted { rest.append(dependent) }
      }
    }
    for (question, holder) in questions where isMeantToo(question) {
      if found.insert(ObjectIdentifier(holder)).inserted { rest.append(holder) }
    }
    while let instance = rest.popLast() {
      for dependent in dependents[ObjectIdentifier(instance)] ?? []
      where found.insert(ObjectIdentifier(dependent)).inserted { rest.append(dependent) }
    }
    return found
  }
}

extension Question {
  /// The instances that the holder of this question would resolve now, as far as they exist: a cached one, or the record of a transient;
  /// for a family those of all members.
  ///
  /// `holderHome`: the pod of the holder. Called without the locks of pods. `kept`: retains what was looked at.
  func answers(for holderHome: PodState, _ kept: Kept? = nil) -> [Instance] {
    let present = own(in: (pod ?? holderHome).effective, kept)
    guard let innerPod, !innerPod.isCompact else { return keptAnswers(kept) + present }
    _ = kept?.keep([innerPod])
    return own(in: innerPod.effective, kept) + present
  }

  /// What the value of a `Lazy` was built from, as long as that is cached.
  func keptAnswers(_ kept: Kept?) -> [Instance] {
    guard let innerPod, innerPod.isCompact else { return [] }
    let values = innerPod.cachedInstances
    _ = kept?.keep([innerPod])
    _ = kept?.keep(values)
    return values.flatMap { $0.dependencies.compactMap(\.instance) }
  }

  /// The same in one pod.
  private func own(in view: PodState, _ kept: Kept?) -> [Instance] {
    guard let family = declaration as? FamilyDeclaration else {
      let found = view.answer(to: declaration, definition, isCopied: view.isSubstitute).map { [$0] } ?? []
      return kept?.keep(found) ?? found
    }
    let members = family.members.all
    let found = members.compactMap { view.answer(to: $0, view.definition(of: $0)) }
    _ = kept?.keep(members)
    return kept?.keep(found) ?? found
  }
}

extension PodState {
  /// The visible instance, or the latest record, of a definition as seen from this pod.
  func answer(
    to declaration: Declaration, _ definition: Override?, isCopied: Bool = false
  ) -> Instance? {
    let definition = isCopied ? self.definition(of: declaration) : definition
    var record: Instance?
    var state: PodState? = self
    while let current = state {
      let found = current.lock.withLock { () -> Instance? in
        var next = current.table.first(declaration)
        while let candidate = next {
          if candidate.isVisible(as: definition) { return candidate }
          if candidate.state == .record, candidate.definition === definition, record == nil { record = candidate }
          next = candidate.next
        }
        return nil
      }
      if let found { return found }
      state = current.parent
    }
    return record
  }
}
