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
        home = self.home(of: choices(of: build), from: build.view)
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
      if reached.contains(home(of: choices(of: build), from: build.view)) { builds[number]?.isDetached = true }
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
      return ReferencePod.Layer(
        id: lastOverride, original: layer.original, content: layer.content, isInherited: true)
    }
    for (member, layers) in copy.memberOverrides { copy.memberOverrides[member] = layers.map(inherited) }
    for (node, layers) in copy.familyOverrides { copy.familyOverrides[node] = layers.map(inherited) }
    return addPod(copy)
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
  /// Disposes instances, those with hooks as soon as no builder uses them any longer whose own instance is to be disposed (rule 11).
  ///
  /// What those were built from is kept as long. `build`: the one that just made it.
  mutating func dispose(_ ending: some Sequence<Int>, madeBy build: Int? = nil) {
    var rest = ending.compactMap { instances[$0] }
    kept.subtract(rest.map(\.serial))
    let isAwaited = build.map(isAwaited) ?? false
    let used = used(except: build)
    func hold(where waits: (ReferenceInstance) -> Bool) {
      for instance in rest where waits(instance) { held[instance.serial] = instance }
      rest.removeAll { held[$0.serial] != nil }
    }
    hold { $0.hasHook && (isAwaited || used.contains($0.serial)) }
    if build == nil, !held.isEmpty {
      let kept = reachable(from: held.keys, withHandles: true)
      hold { kept.contains($0.serial) }
    }
    end(rest)
  }

  /// A build is over: disposes what waited for that.
  mutating func disposeHeld() {
    guard !held.isEmpty else { return }
    let used = used(except: nil)
    let waiting = held.values.filter { $0.hasHook && used.contains($0.serial) }.map(\.serial)
    let kept = reachable(from: waiting, withHandles: true)
    let free = held.values.filter { !kept.contains($0.serial) }
    for instance in free { held[instance.serial] = nil }
    end(free)
  }

  /// Whether the instance that a build makes goes at its end.
  private func isEnding(_ build: ReferenceBuild) -> Bool {
    build.isDetached && !build.isIsolated && build.definition.scope != .alwaysCreateNew
  }

  /// Whether such a build waits for another one, directly or not.
  private func isAwaited(_ build: Int) -> Bool {
    builds[build]?.waiters.contains { waiter in
      guard case .build(let number) = waiter, let asker = builds[number] else { return false }
      return isEnding(asker) || isAwaited(number)
    } ?? false
  }

  /// What such builds were given so far, they and those they wait for, and all that it was built from.
  private func used(except build: Int?) -> Set<Int> {
    var parts: [Int] = []
    for (number, ending) in builds where number != build && isEnding(ending) {
      var next: ReferenceBuild? = ending
      while let current = next {
        parts += current.parts.filter { $0 != 0 } + current.failedParts
        next = current.waitsFor.flatMap { builds[$0] }
      }
    }
    return reachable(from: parts, withHandles: true)
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

  /// What a handle leads to: the latest instance that it may have given, gone or not; where nothing is kept, what now stands
  /// for all that such instances were built from.
  private func leads(of handle: ReferenceInstance.Handle, in holder: ReferenceInstance) -> [Int] {
    guard let answer = holder.choices[Choice(pod: nil, member: handle.target, beneath: 0)] else { return [] }
    let chain = chain(holder.home)
    let given = remembered.values.filter {
      $0.member == handle.target && $0.definition == answer.definition && $0.owner == answer.owner
        && chain.contains($0.home)
    }
    guard let scope = given.first?.scope, scope == .alwaysCreateNew || scope == .graph else {
      return given.filter(\.wasKept).map(\.serial).max().map { [$0] } ?? []
    }
    return given.flatMap { $0.parts + $0.failedParts }.map { latest(after: $0) }
  }

  /// The latest instance that was made in the same way as another.
  private func latest(after serial: Int) -> Int {
    guard let instance = remembered[serial], instance.wasKept else { return serial }
    let others = remembered.values.filter {
      $0.wasKept && $0.member == instance.member && $0.definition == instance.definition && $0.home == instance.home
    }
    return others.map(\.serial).max() ?? serial
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
    for build in builds.values { rest += build.parts + build.graph }
    rest += held.keys
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
