/// What changes what a pod answers: overrides, clears, and the ends of pods.
extension ReferenceModel {
  // MARK: - Overrides

  mutating func apply(_ change: Change, to pod: Int) {
    lastOverride += 1
    lastChange += 1
    var replaced: ReferencePod.Layer?
    switch change {
    case .builder(let member, let recipe, let scope):
      let layer = ReferencePod.Layer(id: lastOverride, original: lastChange, content: .builder(recipe, scope))
      replaced = pods[pod]?.memberOverrides[member, default: []].put(layer)
    case .value(let member):
      lastSerial += 1
      instances[lastSerial] = value(lastSerial, of: member, lastOverride)
      let layer = ReferencePod.Layer(id: lastOverride, original: lastChange, content: .value(serial: lastSerial))
      replaced = pods[pod]?.memberOverrides[member, default: []].put(layer)
    case .family(let node, let recipe):
      let layer = ReferencePod.Layer(id: lastOverride, original: lastChange, content: .builder(recipe, nil))
      replaced = pods[pod]?.familyOverrides[node, default: []].put(layer)
    }
    end(replaced.map { [$0] } ?? [])
    detachOriginals(below: pod) { change.concerns($0) }
  }

  private func value(_ serial: Int, of member: Member, _ override: Int) -> ReferenceInstance {
    ReferenceInstance(
      serial: serial, member: member, definition: override, scope: .alwaysCreateNew, owner: 0, home: 0, choices: [:],
      parts: [], hasHook: false)
  }

  mutating func removeOverrides(in pod: Int, _ remove: (inout ReferencePod) -> [ReferencePod.Layer]) {
    guard var changed = pods[pod] else { return }
    let removed = remove(&changed)
    pods[pod] = changed
    end(removed)
    let ids = Set(removed.map(\.id))
    for (number, build) in builds where choices(of: build).keys.contains(where: { ids.contains($0.beneath) }) {
      builds[number]?.isDetached = true
    }
  }

  /// What an override asked for beneath itself is built while the override changes: it is not kept (rule 11).
  private mutating func detachOriginals(below pod: Int, where isChanged: (Member) -> Bool) {
    let reached = pods(below: pod)
    for (number, build) in builds {
      let isMeant = choices(of: build).keys.contains {
        $0.beneath != 0 && isChanged($0.member) && reached.contains($0.pod ?? build.view)
      }
      if isMeant { builds[number]?.isDetached = true }
    }
  }

  /// Overrides are gone: what was built from them is disposed, and what is being built is what was built just before.
  private mutating func end(_ removed: [ReferencePod.Layer]) {
    let ids = Set(removed.map(\.id))
    for (number, build) in builds where !agrees(build.view, with: choices(of: build)) {
      builds[number]?.isDetached = true
    }
    dispose(
      kept.filter { serial in
        guard let instance = instances[serial] else { return false }
        return ids.contains(instance.definition) || instance.choices.values.contains { ids.contains($0.definition) }
      })
  }

  // MARK: - Clears

  mutating func clear(_ scope: ScopeChoice, from pod: Int) {
    var ending: Set<Int> = []
    for scope in scope.cleared {
      let reached = pods(below: owner(of: scope, from: pod)) { $0.owned.contains(scope) }
      ending.formUnion(kept.filter { instances[$0]?.scope == scope && reached.contains(instances[$0]?.home ?? 0) })
      detachBuilds(in: reached) { $0.definition.scope == scope }
    }
    dispose(ending)
  }

  /// Clears each member in the pod in which its instance lives, as seen from one, and in all pods below that.
  mutating func clear(_ members: [Member], from pod: Int) {
    var ending: Set<Int> = []
    for member in members {
      let definition = definition(of: member, beneath: 0, from: pod)
      var home = keptInstance(of: member, definition, from: pod)?.home ?? pod
      for build in builds.values where build.member == member && agrees(pod, with: choices(of: build)) {
        home = self.home(of: build)
      }
      let reached = pods(below: home)
      ending.formUnion(kept.filter { instances[$0]?.member == member && reached.contains(instances[$0]?.home ?? 0) })
      detachBuilds(in: reached) { $0.member == member }
    }
    dispose(ending)
  }

  /// Whether the rules say nothing of a step: clearing one provider, from a child, while its answer is a value that was given.
  func isLeftOpen(_ action: Action, in pod: Int) -> Bool {
    let members: [Member] =
      switch action {
      case .clearInstance(let member): [member]
      case .clearFamily(let node): (0..<World.argumentCount).map { Member(node: node, argument: $0) }
      default: []
      }
    return pods[pod]?.parent != nil
      && members.contains { member in
        if case .value = definition(of: member, beneath: 0, from: pod).content { true } else { false }
      }
  }

  mutating func dispose(_ pod: Int) {
    let reached = pods(below: pod)
    detachBuilds(in: reached) { _ in true }
    dispose(kept.filter { reached.contains(instances[$0]?.home ?? 0) })
  }

  private mutating func detachBuilds(in reached: Set<Int>, where isMeant: (ReferenceBuild) -> Bool) {
    for (number, build) in builds where isMeant(build) && build.definition.scope != .graph {
      if reached.contains(home(of: build)) { builds[number]?.isDetached = true }
    }
  }

  // MARK: - Children and blocks

  mutating func makeChild(of parent: Int, owning: [ScopeChoice], _ changes: [Change]) -> Int {
    let child = addPod(ReferencePod(parent: parent, owned: Set(owning.flatMap(\.family))))
    for change in changes { apply(change, to: child) }
    return child
  }

  /// A new and empty pod with the configuration of another, below such ones of those above (rule 18).
  mutating func makeBlock(of pod: Int) -> Int {
    guard var copy = pods[pod] else { fatalError("no pod") }
    copy.parent = copy.parent.map { makeBlock(of: $0) }
    func inherited(_ layer: ReferencePod.Layer) -> ReferencePod.Layer {
      lastOverride += 1
      copiedOverrides[lastOverride] = layer.id
      return ReferencePod.Layer(
        id: lastOverride, original: layer.original, content: layer.content, isInherited: true)
    }
    for (member, layers) in copy.memberOverrides { copy.memberOverrides[member] = layers.map(inherited) }
    for (node, layers) in copy.familyOverrides { copy.familyOverrides[node] = layers.map(inherited) }
    let block = addPod(copy)
    copiedPods[block] = pod
    return block
  }

  /// Ends the pods to which nothing refers any longer, the lowest first.
  mutating func collectPods() {
    while let gone = pods.keys.filter({ isUnreferenced($0) }).max() {
      dispose(gone)
      gonePods[gone] = pods.removeValue(forKey: gone)
    }
  }

  private func isUnreferenced(_ pod: Int) -> Bool {
    !variables.contains(pod) && !pinned.contains(pod) && !acting.values.contains(pod)
      && !pods.values.contains { $0.parent == pod }
      && !builds.values.contains { $0.view == pod }
  }
}

// MARK: - The ends of instances

extension ReferenceModel {
  /// Disposes instances, in their turn even where a builder uses them (rule 11).
  mutating func dispose(_ ending: some Sequence<Int>) {
    let ending = ending.compactMap { instances[$0] }
    kept.subtract(ending.map(\.serial))
    end(ending)
  }

  /// Calls the hooks of instances: dependents before what they depend on, otherwise the latest built first (rule 27).
  private mutating func end(_ ending: [ReferenceInstance]) {
    var rest = ending.sorted { $0.serial > $1.serial }
    let earlier = dying
    for instance in rest { dying[instance.serial] = instance }
    let order = order(among: rest)
    for instance in rest {
      for dependent in order[instance.serial] ?? [] { hookOrder.append((dependent, instance.serial)) }
      for (serial, earlier) in earlier where depends(earlier, on: instance.serial, withHandles: false) {
        hookOrder.append((serial, instance.serial))
      }
    }
    while !rest.isEmpty {
      let left = Set(rest.map(\.serial))
      let next = rest.firstIndex { (order[$0.serial] ?? []).isDisjoint(with: left) } ?? 0
      let instance = rest.remove(at: next)
      if instance.hasHook { events.append(.disposed(serial: instance.serial)) }
    }
  }

  /// For each of some instances, those of them that depend on it, directly or not.
  private func dependents(among ending: [ReferenceInstance], withHandles: Bool) -> [Int: Set<Int>] {
    var dependents: [Int: Set<Int>] = [:]
    for instance in ending {
      for part in reachable(from: [instance.serial], withHandles: withHandles) where part != instance.serial {
        dependents[part, default: []].insert(instance.serial)
      }
    }
    return dependents
  }

  /// For each of some instances, those of them that end before it.
  ///
  /// Where handles made a loop, only what was built from what counts within it.
  private func order(among ending: [ReferenceInstance]) -> [Int: Set<Int>] {
    let all = dependents(among: ending, withHandles: true)
    let built = dependents(among: ending, withHandles: false)
    return Dictionary(
      uniqueKeysWithValues: all.map { part, others in
        let first = others.filter { other in
          all[other]?.contains(part) != true || built[part]?.contains(other) == true
        }
        return (part, first)
      })
  }

  private func depends(_ instance: ReferenceInstance, on serial: Int, withHandles: Bool) -> Bool {
    reachable(from: instance.parts + instance.failedParts, withHandles: withHandles).contains(serial)
  }

  /// All that some instances were built from, directly or not, themselves included.
  private func reachable(from serials: some Sequence<Int>, withHandles: Bool) -> Set<Int> {
    var found: Set<Int> = []
    var rest = Array(serials)
    while let serial = rest.popLast() {
      guard let instance = instances[serial] ?? dying[serial] ?? remembered[serial], found.insert(serial).inserted
      else { continue }
      rest += instance.parts + instance.failedParts
      if withHandles { rest += instance.handles.flatMap { leads(of: $0, in: instance) } }
    }
    return found
  }

  /// What a handle leads to: the instance that its question would be answered by, or was until just now.
  ///
  /// Nothing is cached of transients, so handles of these lead nowhere.
  private func leads(of handle: ReferenceInstance.Handle, in holder: ReferenceInstance) -> [Int] {
    guard let answer = holder.choices[Choice(pod: nil, member: handle.target, beneath: 0)] else { return [] }
    let chain = chain(holder.home)
    let given = remembered.values.filter {
      ($0.wasKept || $0.scope == .graph && holder.scope == .graph)
        && (kept.contains($0.serial) || dying[$0.serial] != nil) && $0.member == handle.target
        && $0.definition == answer.definition && $0.owner == answer.owner
        && chain.contains($0.home)
    }
    return given.map(\.serial).max().map { [$0] } ?? []
  }

  private func valuesOfGonePods(from pod: Int) -> [Int] {
    guard let gone = gonePods[pod] else { return [] }
    let values = gone.layers.compactMap { if case .value(let serial) = $0.content { serial } else { nil } }
    return values + (gone.parent.map(valuesOfGonePods) ?? [])
  }

  /// All that is alive: what pods keep, what overrides and variables hold, what is just being used, and the parts of it.
  ///
  /// A lazy holds what it gave, and a block what older lazies gave within it.
  func alive() -> Set<Int> {
    var rest = kept.filter { instances[$0]?.scope != .weak } + hands.compactMap(\.self)
    for pod in pods.values {
      for layer in pod.layers { if case .value(let serial) = layer.content { rest.append(serial) } }
    }
    for build in builds.values {
      rest += build.parts + build.graph
      // A build refers to all that its parts were built from, and so to the values of overrides that are gone meanwhile.
      rest += reachable(from: build.parts + build.failedParts, withHandles: false).filter { remembered[$0] == nil }
    }
    for values in lazyValues.values { rest += values.values }
    var found: Set<Int> = []
    while let serial = rest.popLast() {
      guard let instance = instances[serial], found.insert(serial).inserted else { continue }
      if world.flavour.holdsParts { rest += instance.parts }
      for handle in instance.handles where handle.isLazy { if let value = handle.value { rest.append(value) } }
      if !instance.handles.isEmpty { rest += valuesOfGonePods(from: instance.home) }
    }
    return found
  }
}
