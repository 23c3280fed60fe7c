/// Building, which for synchronous kinds is done at once and for async ones goes from gate to gate.
extension ReferenceModel {
  enum Reply {
    case ready(serial: Int, Choices)
    /// What the attempt was built from counts for whoever handles the error.
    case failed(Outcome.Failure, Choices, parts: [Int])
    case waiting(build: Int)
  }

  /// Answers a request by a builder, by a task, or by the program itself.
  mutating func request(
    _ member: Member, beneath: Int, from pod: Int, by requester: ReferenceBuild.Requester?, isIsolated: Bool = false
  ) -> Reply {
    let pod = effective(pod)
    let definition = definition(of: member, beneath: beneath, from: pod)
    let owner = owner(of: definition.scope, from: pod)
    let choice = Choice(pod: nil, member: member, beneath: beneath)
    let own = [choice: Choice.Answer(definition: definition.id, owner: owner)]
    guard case .builder(let recipe, _) = definition.content else {
      guard case .value(let serial) = definition.content else { fatalError("no value") }
      return .ready(serial: serial, own)
    }
    if !isIsolated {
      if let instance = graphInstance(of: member, definition, from: pod, by: requester)
        ?? keptInstance(of: member, definition, from: pod)
      {
        return .ready(serial: instance.serial, own.merging(instance.choices) { former, _ in former })
      }
      if let build = buildUnderWay(of: member, definition, from: pod, by: requester), let requester {
        builds[build]?.waiters.append(requester)
        return .waiting(build: build)
      }
    }
    var build = ReferenceBuild(
      member: member, beneath: beneath, definition: definition, recipe: recipe, owner: owner, view: pod, path: "",
      isIsolated: isIsolated)
    if case .build(let parent) = requester { build.parent = parent }
    build.path = path(by: requester)
    lastBuild += 1
    let number = lastBuild
    builds[number] = build
    if let reply = advance(number) { return reply }
    if let requester { builds[number]?.waiters.append(requester) }
    return .waiting(build: number)
  }

  private mutating func path(by requester: ReferenceBuild.Requester?) -> String {
    let way: String
    switch requester {
    case nil: return ""
    case .caller(let caller): way = "\(caller)"
    case .build(let parent): way = "\(builds[parent]?.path ?? "")/\(builds[parent]?.asked ?? 0)"
    }
    paths[way, default: 0] += 1
    return way + String(repeating: "'", count: paths[way]! - 1)
  }

  private func graphInstance(
    of member: Member, _ definition: Definition, from pod: Int, by requester: ReferenceBuild.Requester?
  ) -> ReferenceInstance? {
    guard definition.scope == .graph, case .build(let build) = requester else { return nil }
    let (chain, owner) = (chain(pod), owner(of: .graph, from: pod))
    return builds[outermost(build)]?.graph.lazy.compactMap { instances[$0] }.first {
      $0.member == member && $0.definition == definition.id && $0.owner == owner && chain.contains($0.home)
        && agrees(pod, with: $0.choices)
    }
  }

  private func buildUnderWay(
    of member: Member, _ definition: Definition, from pod: Int, by requester: ReferenceBuild.Requester?
  ) -> Int? {
    guard world.nodes[member.node].kind == .async, definition.scope != .alwaysCreateNew else { return nil }
    let outermostBuild: Int? = if case .build(let build) = requester { outermost(build) } else { nil }
    return builds.first { number, build in
      build.member == member && build.definition.id == definition.id && !build.isDetached && !build.isIsolated
        && chain(pod).contains(home(of: build)) && agrees(pod, with: choices(of: build))
        && (definition.scope != .graph || outermost(number) == outermostBuild)
    }?.key
  }

  /// Takes a build as far as it goes; returns what it gave if that is to its end.
  private mutating func advance(_ number: Int) -> Reply? {
    while let build = builds[number] {
      if world.mustPass(build.recipe, of: build.member, before: build.asked), build.passed < build.asked {
        builds[number]?.isAtGate = true
        return nil
      }
      guard build.asked < build.recipe.asks.count else { return end(number) }
      let ask = build.recipe.asks[build.asked]
      let target = ask.target(for: build.member, in: world)
      if case .inner(let plan, _, _) = ask {
        requestInside(plan, target, by: number)
        continue
      }
      var pod = build.view
      if ask.isCaptured, let other = self.pod(1) { pod = other }
      let beneath = target == build.member ? build.definition.id : 0
      let reply = request(target, beneath: beneath, from: pod, by: .build(number))
      if case .waiting(let awaited) = reply {
        builds[number]?.waitsFor = awaited
        return nil
      }
      take(reply, from: pod, number)
    }
    return nil
  }

  /// A builder makes an inner pod, asks it for a member that is not async, and lets the pod go.
  private mutating func requestInside(_ plan: InnerPlan, _ target: Member, by number: Int) {
    guard let view = builds[number]?.view else { return }
    let inner = plan.isOverrideScope ? makeBlock(of: view) : makeChild(of: view, owning: plan.owning, [])
    innerPods[inner] = (view, plan.isOverrideScope)
    pinned.append(inner)
    for change in plan.changes { apply(change, to: inner) }
    take(request(target, beneath: 0, from: inner, by: .build(number)), from: inner, number)
    // A block goes with its copies of the pods above.
    dispose(plan.isOverrideScope ? chain(inner).last ?? inner : inner)
    pinned.removeLast()
    collectPods()
  }

  /// A builder gets what it asked for.
  private mutating func take(_ reply: Reply, from pod: Int, _ number: Int) {
    guard var build = builds[number] else { return }
    build.asked += 1
    build.waitsFor = nil
    switch reply {
    case .waiting: break
    case .ready(let serial, let choices):
      build.parts.append(serial)
      build.choices.merge(seen(choices, from: build.view, asking: pod)) { former, _ in former }
    case .failed(let failure, let choices, let parts):
      build.parts.append(0)
      build.failedParts += parts
      build.failure = build.failure ?? failure
      build.choices.merge(seen(choices, from: build.view, asking: pod)) { former, _ in former }
    }
    builds[number] = build
  }

  /// A builder has everything it asked for.
  private mutating func end(_ number: Int) -> Reply? {
    guard var build = builds[number] else { return nil }
    let node = world.nodes[build.member.node]
    if node.kind.canFail {
      if build.recipe.fails { build.failure = build.failure ?? .planned(node: build.member.node) }
      if build.failure == nil, let planned = plannedFailures[build.member.node], planned > 0 {
        plannedFailures[build.member.node] = planned - 1
        build.failure = .planned(node: build.member.node)
      }
      if let failure = build.failure {
        events.append(.failed(build.member, definition: build.definition.original))
        let parts = build.parts.filter { $0 != 0 } + build.failedParts
        return settle(number, .failed(failure, choices(of: build), parts: parts))
      }
    }
    for handle in build.recipe.handles {
      let definition = definition(of: handle.target, beneath: 0, from: build.view)
      build.choices[Choice(pod: nil, member: handle.target, beneath: 0)] = Choice.Answer(
        definition: definition.id, owner: owner(of: definition.scope, from: build.view))
    }
    builds[number] = build
    lastSerial += 1
    let all = choices(of: build)
    let scope = build.definition.scope
    let hasHook = node.hasHook && (build.isIsolated || scope.keeps || scope == .graph)
    instances[lastSerial] = ReferenceInstance(
      serial: lastSerial, member: build.member, definition: build.definition.id, scope: scope, owner: build.owner,
      home: home(of: build), choices: build.choices, parts: build.parts.filter { $0 != 0 },
      handles: build.recipe.handles.map { .init(target: $0.target, isLazy: $0.isLazy) }, hasHook: hasHook,
      failedParts: build.failedParts)
    events.append(
      .built(serial: lastSerial, build.member, definition: build.definition.original, parts: build.parts))
    remembered[lastSerial] = instances[lastSerial]
    let serial = lastSerial
    guard let twin = keep(serial, of: build, number), let other = instances[twin] else {
      return settle(number, .ready(serial: serial, all))
    }
    let own = Choice(pod: nil, member: build.member, beneath: build.beneath)
    let answer = Choice.Answer(definition: build.definition.id, owner: build.owner)
    return settle(number, .ready(serial: twin, other.choices.merging([own: answer]) { _, own in own }))
  }

  /// Keeps what a builder gave; returns another instance that its callers get in its place.
  private mutating func keep(_ serial: Int, of build: ReferenceBuild, _ number: Int) -> Int? {
    guard !build.isIsolated, build.definition.scope != .alwaysCreateNew else { return nil }
    if build.isDetached {
      dispose([serial])
    } else if build.definition.scope == .graph {
      builds[outermost(number)]?.graph.append(serial)
    } else {
      if let twin = twin(of: serial) {
        // What came back meanwhile stays (rule 15); a pod further in for which it is not right keeps its own.
        if let other = instances[twin], agrees(build.view, with: other.choices) {
          dispose([serial])
          return twin
        }
        instances[serial]?.home = build.view
      }
      kept.insert(serial)
      remembered[serial]?.wasKept = true
      remembered[serial]?.home = instances[serial]?.home ?? 0
      if instances[serial]?.handles.isEmpty == false { untouched.append(serial) }
    }
    return nil
  }

  /// Another instance that was made the same way and is right, if its pod keeps one.
  private func twin(of serial: Int) -> Int? {
    guard let new = instances[serial] else { return nil }
    let twins = kept.filter { other in
      guard let other = instances[other], other.serial != serial else { return false }
      return other.member == new.member && other.definition == new.definition && other.owner == new.owner
        && other.home == new.home && agrees(new.home, with: other.choices)
    }
    return (new.scope == .weak && !twins.isEmpty ? twins.intersection(alive()) : twins).max()
  }

  /// A build is over: those who wait get what it gave.
  private mutating func settle(_ number: Int, _ reply: Reply) -> Reply {
    guard let graph = builds[number]?.graph, let waiters = builds[number]?.waiters else { return reply }
    let pod = builds[number]?.view ?? 0
    let isIsolated = builds[number]?.isIsolated == true
    builds[number] = nil
    for case .build(let waiter) in waiters { take(reply, from: pod, waiter) }
    // The resolve ends here; the use of a fresh instance follows.
    dispose(graph)
    // Each comes to its gate at once, so its own end is not yet due.
    for case .build(let waiter) in waiters { _ = advance(waiter) }
    for case .caller(let caller) in waiters {
      switch reply {
      case .ready(let serial, _):
        answers[caller] = .instance(serial: serial)
        if isIsolated { endUse(of: serial) } else if let hand = callers[caller].hand { hands[hand] = serial }
      case .failed(let failure, _, _): answers[caller] = .failure(failure)
      case .waiting: break
      }
    }
    return reply
  }

  /// The use of a fresh instance is over; a value that was given has no hook.
  mutating func endUse(of serial: Int) {
    if instances[serial]?.hasHook == true { dispose([serial]) }
  }
}

// MARK: - Tasks

extension ReferenceModel {
  /// A task asks; where the answer is there, it gets it at once.
  mutating func begin(_ member: Member, in pod: Int, hand: Int?, isIsolated: Bool = false) {
    let caller = callers.count
    callers.append((pod, hand))
    switch request(member, beneath: 0, from: pod, by: .caller(caller), isIsolated: isIsolated) {
    case .ready(let serial, _):
      answers[caller] = .instance(serial: serial)
      if let hand { hands[hand] = serial }
    case .failed(let failure, _, _): answers[caller] = .failure(failure)
    case .waiting: break
    }
  }

  /// Opens a gate: the builder goes on to the next one, or to its end.
  mutating func open(_ path: String) {
    guard let number = gated.first(where: { $0.path == path })?.build, let asked = builds[number]?.asked else { return }
    builds[number]?.isAtGate = false
    builds[number]?.passed = asked
    _ = advance(number)
  }

  /// A task is cancelled: it goes at once, and what no one waits for any longer is cancelled too (rule 14).
  mutating func cancel(_ caller: Int) {
    answers[caller] = .failure(.cancelled)
    if let awaited = builds.first(where: { $0.value.waiters.contains(.caller(caller)) })?.key {
      leave(awaited, .caller(caller))
    }
  }

  private mutating func leave(_ number: Int, _ waiter: ReferenceBuild.Requester) {
    builds[number]?.waiters.removeAll { $0 == waiter }
    guard let build = builds[number], build.waiters.isEmpty else { return }
    builds[number] = nil
    if let awaited = build.waitsFor { leave(awaited, .build(number)) }
    dispose(build.graph)
  }
}

extension World {
  /// Whether an async builder passes its gate before a request, or before its end: at first, and after each await.
  ///
  /// What an override asks of itself comes even before the first gate.
  func mustPass(_ recipe: Recipe, of member: Member, before asked: Int) -> Bool {
    guard nodes[member.node].kind == .async else { return false }
    var first = 0
    if case .itself? = recipe.asks.first { first = 1 }
    if asked <= first { return asked == first }
    return nodes[recipe.asks[asked - 1].target(for: member, in: self).node].kind == .async
  }
}
