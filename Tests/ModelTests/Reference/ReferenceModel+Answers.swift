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
  private func definition(
    of member: Member, in chain: [ReferencePod], where isMeant: (Int) -> Bool
  ) -> Definition? {
    for pod in chain {
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
    definition(of: member, beneath: beneath, in: chain(pod).compactMap { pods[$0] })
  }

  private func definition(of member: Member, beneath: Int, in chain: [ReferencePod]) -> Definition {
    var isBeneath = false
    let next = definition(of: member, in: chain) { id in
      defer { if id == beneath { isBeneath = true } }
      return isBeneath
    }
    // Above the pod that has the override, everything is beneath it.
    guard beneath != 0, let next else { return definition(of: member, in: chain) { _ in true }! }
    return next
  }

  /// The nearest pod upwards that owns a scope, else the root (rule 20).
  func owner(of scope: ScopeChoice, from pod: Int) -> Int {
    let chain = chain(pod)
    return chain.first { pods[$0]?.owned.contains(scope) == true } ?? chain[chain.count - 1]
  }

  private func answer(_ choice: Choice, from pod: Int) -> Choice.Answer {
    let chain = chain(choice.pod ?? pod, through: choice.inner)
    let definition = definition(of: choice.member, beneath: choice.beneath, in: chain.map(\.pod))
    let owner = chain.first { $0.pod.owned.contains(definition.scope) } ?? chain[chain.count - 1]
    return Choice.Answer(definition: definition.id, owner: owner.id)
  }

  /// The chain of a pod as it is seen through inner pods like those that a builder made, the nearest of them first.
  private func chain(_ pod: Int, through inner: [Int]) -> [(id: Int, pod: ReferencePod)] {
    var chain = chain(pod).compactMap { id in pods[id].map { (id: id, pod: $0) } }
    if chain.isEmpty { chain = [(pod, ReferencePod())] }
    for id in inner.reversed() {
      guard let own = pods[id] ?? gonePods[id] else { continue }
      if innerPods[id]?.isBlock == true { chain[0].pod.add(given: own) } else { chain.insert((id, own), at: 0) }
    }
    return chain
  }

  /// Whether all choices would be the same for a pod.
  func agrees(_ pod: Int, with choices: Choices) -> Bool {
    choices.allSatisfy { choice, expected in
      let answer = answer(choice, from: pod)
      guard answer.definition == expected.definition else { return false }
      // What an inner pod overrides is constant, whoever owns its scope.
      return answer.owner == expected.owner || !choice.inner.isEmpty && isGivenInside(expected.definition)
    }
  }

  /// Whether an override belongs to an inner pod itself.
  private func isGivenInside(_ definition: Int) -> Bool {
    innerPods.keys.contains { id in
      (pods[id] ?? gonePods[id])?.layers.contains { $0.id == definition && !$0.isInherited } ?? false
    }
  }

  /// The outermost pod of the chain that would build it the same way (rule 19).
  func home(of choices: Choices, from pod: Int) -> Int {
    chain(pod).last { agrees($0, with: choices) } ?? pod
  }

  /// The pod in which the instance of a build will live, as far as is known.
  ///
  /// What a pod made again of its parent's lives in that pod, and with it all that is built from it.
  func home(of build: ReferenceBuild) -> Int {
    let chain = chain(build.view)
    let homes = build.parts.compactMap { instances[$0]?.home } + [home(of: choices(of: build), from: build.view)]
    return chain.first { homes.contains($0) } ?? build.view
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
      choices.merge(seen(self.choices(of: awaited), from: build.view, asking: awaited.view)) { former, _ in former }
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

extension ReferenceModel {
  /// What a builder that runs for one pod takes over by asking another: what an inner pod of its own changed is constant,
  /// and all else is seen from its own pod.
  func seen(_ choices: Choices, from view: Int, asking other: Int) -> Choices {
    var (choices, pod) = (choices, other)
    while pod != view {
      guard let inner = innerPods[pod] else {
        return mapped(choices) { Choice(pod: pod, inner: $0.inner, member: $0.member, beneath: $0.beneath) }
      }
      let id = pod
      choices = mapped(choices) { choice in
        let beneath = inner.isBlock ? copiedOverrides[choice.beneath] ?? choice.beneath : choice.beneath
        return Choice(pod: nil, inner: choice.inner + [id], member: choice.member, beneath: beneath)
      } answer: { answer in
        guard inner.isBlock else { return answer }
        return Choice.Answer(
          definition: copiedOverrides[answer.definition] ?? answer.definition,
          owner: copiedPods[answer.owner] ?? answer.owner)
      }
      pod = inner.outer
    }
    return choices
  }

  /// Changes those choices that are seen from the pod that asks.
  private func mapped(
    _ choices: Choices, _ change: (Choice) -> Choice, answer: (Choice.Answer) -> Choice.Answer = { $0 }
  ) -> Choices {
    Dictionary(
      choices.map { $0.pod == nil ? (change($0), answer($1)) : ($0, $1) }, uniquingKeysWith: { former, _ in former })
  }
}
