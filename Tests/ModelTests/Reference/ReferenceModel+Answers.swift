/// What counts as seen from a pod.
extension ReferenceModel {
  /// A pod and those above it, the root last.
  func chain(_ pod: Int) -> [Int] {
    var chain = [pod]
    while let parent = pods[chain[chain.count - 1]]?.parent { chain.append(parent) }
    return chain
  }

  /// The nearest pod upwards that changes anything, else the root: what is asked of a pod that changes nothing is built for
  /// that one, whatever the pod comes to change meanwhile (rule 11).
  func effective(_ pod: Int) -> Int {
    let chain = chain(pod)
    return chain.first { pods[$0].map { !$0.owned.isEmpty || !$0.layers.isEmpty } ?? false } ?? chain[chain.count - 1]
  }

  /// A pod and all below it, without those that a condition leaves out and what is below them.
  func pods(below pod: Int, unless isLeftOut: (ReferencePod) -> Bool = { _ in false }) -> Set<Int> {
    var found: Set<Int> = [pod]
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for (id, other) in pods where !found.contains(id) && other.parent.map(found.contains) == true && !isLeftOut(other)
      {
        found.insert(id)
        isGrowing = true
      }
    }
    return found
  }

  /// The definitions of a member as seen from a pod: the nearest pod's first, a member's before its family's.
  private func definition(of member: Member, from pod: Int, where isMeant: (Int) -> Bool) -> Definition? {
    for id in chain(pod) {
      guard let pod = pods[id] else { continue }
      for layer in (pod.memberOverrides[member] ?? []) + (pod.familyOverrides[member.node] ?? [])
      where isMeant(layer.id) {
        var scope = world.nodes[member.node].scope
        if case .builder(_, let own?) = layer.content { scope = own }
        return Definition(id: layer.id, original: layer.original, content: layer.content, scope: scope)
      }
    }
    let node = world.nodes[member.node]
    return isMeant(0) ? Definition(id: 0, content: .builder(node.recipe, nil), scope: node.scope) : nil
  }

  /// The definition that counts: beneath an override, the next one after it (rule 17).
  func definition(of member: Member, beneath: Int, from pod: Int) -> Definition {
    var isBeneath = false
    let next = definition(of: member, from: pod) { id in
      defer { if id == beneath { isBeneath = true } }
      return isBeneath
    }
    // Above the pod that has the override, everything is beneath it.
    guard beneath != 0, let next else { return definition(of: member, from: pod) { _ in true }! }
    return next
  }

  /// The nearest pod upwards that owns a scope, else the root (rule 20).
  func owner(of scope: ScopeChoice, from pod: Int) -> Int {
    let chain = chain(pod)
    return chain.first { pods[$0]?.owned.contains(scope) == true } ?? chain[chain.count - 1]
  }

  private func answer(_ choice: Choice, from pod: Int) -> Choice.Answer {
    let pod = choice.pod ?? pod
    let definition = definition(of: choice.member, beneath: choice.beneath, from: pod)
    return Choice.Answer(definition: definition.id, owner: owner(of: definition.scope, from: pod))
  }

  /// Whether all choices would be the same for a pod.
  func agrees(_ pod: Int, with choices: Choices) -> Bool {
    choices.allSatisfy { answer($0, from: pod) == $1 }
  }

  /// The outermost pod of the chain that would build it the same way (rule 19).
  func home(of choices: Choices, from pod: Int) -> Int {
    chain(pod).last { agrees($0, with: choices) } ?? pod
  }
}

// MARK: - What is there

extension ReferenceModel {
  /// The instance that a pod would give, if it is there.
  func keptInstance(of member: Member, _ definition: Definition, from pod: Int) -> ReferenceInstance? {
    guard definition.scope != .alwaysCreateNew, definition.scope != .graph else { return nil }
    let chain = chain(pod)
    let owner = owner(of: definition.scope, from: pod)
    let found = kept.lazy.compactMap { instances[$0] }.filter { instance in
      instance.member == member && instance.definition == definition.id && instance.owner == owner
        && chain.contains(instance.home) && agrees(pod, with: instance.choices)
    }
    let right = Array(found)
    guard right.contains(where: { $0.scope == .weak }) else { return right.max { $0.serial < $1.serial } }
    let alive = alive()
    return right.filter { alive.contains($0.serial) }.max { $0.serial < $1.serial }
  }

  /// The choices that a build rests on so far, what it is waiting for included; as seen from its pod.
  func choices(of build: ReferenceBuild) -> Choices {
    let answer = Choice.Answer(definition: build.definition.id, owner: build.owner)
    var choices = build.choices
    choices[Choice(pod: nil, member: build.member, beneath: build.beneath)] = answer
    if let awaited = build.waitsFor.flatMap({ builds[$0] }) {
      choices.merge(self.choices(of: awaited).seen(from: build.view, asking: awaited.view)) { former, _ in former }
    }
    return choices
  }

  /// The outermost build of the chain that led to a build.
  func outermost(_ build: Int) -> Int {
    var outermost = build
    while let parent = builds[outermost]?.parent, builds[parent] != nil { outermost = parent }
    return outermost
  }
}

extension Choices {
  /// What a builder that runs for one pod takes over by asking another.
  func seen(from pod: Int, asking other: Int) -> Choices {
    guard pod != other else { return self }
    return Dictionary(
      map { (Choice(pod: $0.pod ?? other, member: $0.member, beneath: $0.beneath), $1) },
      uniquingKeysWith: { a, _ in a })
  }
}
