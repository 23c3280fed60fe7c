/// Making a failing run short: steps are left out for as long as it goes on failing, then what is declared.
extension Run {
  @MainActor
  func shrunk() async -> Run {
    // What fails now and then is played three times as often as it took to fail again.
    var plays = 1
    while plays < 300, await !fails(within: 1) { plays += 1 }
    plays = plays == 1 ? 1 : plays * 3
    var best = self
    var size = operations.count / 2
    while size > 0 {
      var start = 0
      while start < best.operations.count {
        var attempt = best
        attempt.operations.removeSubrange(start..<min(start + size, best.operations.count))
        if await attempt.fails(within: plays) { best = attempt } else { start += size }
      }
      size /= 2
    }
    while let simpler = await best.firstFailing(of: best.simplerRuns, within: plays) { best = simpler }
    return best
  }

  @MainActor
  private func firstFailing(of runs: [Run], within plays: Int) async -> Run? {
    for run in runs where await run.fails(within: plays) { return run }
    return nil
  }

  @MainActor
  private func fails(within plays: Int) async -> Bool {
    for _ in 0..<plays where await firstMismatch(patience: .milliseconds(300)) != nil { return true }
    return false
  }

  /// The runs that are one small step simpler.
  private var simplerRuns: [Run] {
    let programs = operations.simpler.map { Run(world: world, operations: $0) }
    let worlds = world.simpler.map { Run(world: $0, operations: operations) }
    return programs + worlds
  }

  private init(world: World, operations: [Operation]) {
    self.world = world
    self.operations = operations
  }
}

extension [Operation] {
  /// The programs with one step less, or with a step that is simpler.
  fileprivate var simpler: [[Operation]] {
    indices.flatMap { index -> [[Operation]] in
      let operation = self[index]
      var programs = [replacing(index, with: [])]
      if let body = operation.action.body { programs.append(replacing(index, with: body)) }
      programs += operation.action.simpler.map { action in
        replacing(index, with: [Operation(pod: operation.pod, action: action)])
      }
      return programs
    }
  }

  private func replacing(_ index: Int, with operations: [Operation]) -> [Operation] {
    Array(self[..<index]) + operations + Array(self[(index + 1)...])
  }
}

extension Action {
  fileprivate var simpler: [Action] {
    switch self {
    case .resolve(let member, let way, let hand):
      (way == .resolve ? [] : [.resolve(member, way: .resolve, hand: hand)])
        + (hand == nil ? [] : [.resolve(member, way: way, hand: nil)])
    case .useHandles(let member): [.resolve(member, way: .resolve, hand: nil)]
    case .withFreshInstance(let member, true): [.withFreshInstance(member, throwing: false)]
    case .change(let change): change.simpler.map { .change($0) }
    case .makeChild(let variable, let owning, let changes):
      owning.simpler.map { .makeChild(variable: variable, owning: $0, changes) }
        + changes.simpler.map { .makeChild(variable: variable, owning: owning, $0) }
    case .withChild(let variable, let owning, let changes, let isAsync, let body):
      body.simpler.map { with(body: $0) }
        + changes.simpler.map { .withChild(variable: variable, owning: owning, $0, isAsync: isAsync, body) }
        + owning.simpler.map { .withChild(variable: variable, owning: $0, changes, isAsync: isAsync, body) }
    case .withOverrides(let changes, let isAsync, let body):
      body.simpler.map { with(body: $0) }
        + changes.simpler.map { .withOverrides($0, isAsync: isAsync, body) }
    default: []
    }
  }
}

extension [ScopeChoice] {
  fileprivate var simpler: [[ScopeChoice]] { map { left in filter { $0 != left } } }
}

extension [Change] {
  fileprivate var simpler: [[Change]] {
    indices.flatMap { index -> [[Change]] in
      let rest = Array(self[..<index]) + Array(self[(index + 1)...])
      return [rest] + self[index].simpler.map { Array(self[..<index]) + [$0] + Array(self[(index + 1)...]) }
    }
  }
}

extension Change {
  fileprivate var simpler: [Change] {
    switch self {
    case .value: []
    case .builder(let member, let recipe, let scope):
      (scope == nil ? [] : [.builder(member, recipe, scope: nil)])
        + recipe.simpler.map { .builder(member, $0, scope: scope) }
    case .family(let node, let recipe): recipe.simpler.map { .family(node: node, $0) }
    }
  }
}

extension Recipe {
  fileprivate var simpler: [Recipe] {
    let withoutAsk = asks.indices.map { index in
      var recipe = self
      recipe.asks.remove(at: index)
      return recipe
    }
    let withoutHandle = handles.indices.map { index in
      var recipe = self
      recipe.handles.remove(at: index)
      return recipe
    }
    let withSimplerAsk = asks.indices.flatMap { index in
      asks[index].simpler.map { ask in
        var recipe = self
        recipe.asks[index] = ask
        return recipe
      }
    }
    return withoutAsk + withoutHandle + withSimplerAsk
  }
}

extension Ask {
  fileprivate var simpler: [Ask] {
    guard case .inner(let plan, let node, let argument) = self else { return [] }
    let changes = plan.changes.simpler.map {
      InnerPlan(isOverrideScope: plan.isOverrideScope, owning: plan.owning, changes: $0)
    }
    let owning = plan.owning.simpler.map { InnerPlan(isOverrideScope: false, owning: $0, changes: plan.changes) }
    return [.node(node, argument: argument, way: .resolve)]
      + (changes + owning).map { .inner($0, node: node, argument: argument) }
  }
}

extension World {
  /// The worlds with a simpler node.
  fileprivate var simpler: [World] {
    nodes.indices.flatMap { index -> [World] in
      let node = nodes[index]
      var simpler = node.recipe.simpler.map { recipe in
        var node = node
        node.recipe = recipe
        return node
      }
      if node.hasHook {
        var node = node
        node.hasHook = false
        simpler.append(node)
      }
      if node.scope != .singleton, node.recipe.handles.isEmpty {
        var node = node
        node.scope = .singleton
        simpler.append(node)
      }
      return simpler.map { node in
        var world = self
        world.nodes[index] = node
        return world
      }
    }
  }
}
