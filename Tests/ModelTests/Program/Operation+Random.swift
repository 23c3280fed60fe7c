extension Operation {
  /// Makes a step at random; `depth` tells how many blocks it is in.
  init(in world: World, depth: Int = 0, isAsync: Bool = true, using generator: inout SplitMix64) {
    let pods = world.flavour.hasChildren ? Operation.children.upperBound : Operation.roots.upperBound
    // The first root is where things meet.
    pod = generator.chance(40) ? 0 : generator.below(pods)
    action = .look(Member(node: 0, argument: 0))
    let member = world.randomMember(using: &generator)
    let isAsyncNode = world.nodes[member.node].kind == .async
    if !isAsync, isAsyncNode { return }
    let percent = generator.below(100)
    switch percent {
    case 0..<38: action = resolve(member, in: world, &generator)
    case 38..<42: action = .useHandles(member)
    case 42..<49: action = .look(member)
    case 49..<52:
      let mayBe = world.nodes[member.node].kind == .plain || isAsyncNode
      action = mayBe ? .withFreshInstance(member, throwing: generator.chance(30)) : .look(member)
    case 52..<60:
      if isAsyncNode, isAsync { action = .begin(member) } else { action = .resolve(member, way: .resolve, hand: nil) }
    case 60..<66: if isAsync, world.flavour.hasAsync { action = .step(generator.below(4)) }
    case 66..<68: if isAsync, world.flavour.hasAsync { action = .cancel(generator.below(4)) }
    case 68..<76: if world.flavour.hasOverrides { action = .change(world.randomChange(using: &generator)) }
    case 76..<81:
      guard world.flavour.hasOverrides else { break }
      let isWhole = world.nodes[member.node].isFamily && generator.chance(50)
      action = isWhole ? .removeFamilyOverride(node: member.node) : .removeOverride(member)
    case 81: action = .removeAllOverrides
    case 82..<86:
      let scope = ScopeChoice.clearable[generator.below(ScopeChoice.clearable.count)]
      action = .clearScope(scope, isAwaited: isAsync && generator.chance(40))
    case 86..<89:
      let isWhole = world.nodes[member.node].isFamily && generator.chance(40)
      action = isWhole ? .clearFamily(node: member.node) : .clearInstance(member)
    case 89: action = .dispose(isAwaited: isAsync && generator.chance(50))
    case 90..<93: action = .forgetInstance(hand: generator.below(Operation.hands))
    case 93..<95:
      if world.flavour.hasFailures, world.nodes[member.node].kind.canFail { action = .failNextBuild(node: member.node) }
    case 95..<97: if world.flavour.hasOverrides { addBlock(in: world, depth, isAsync, &generator) }
    default: if world.flavour.hasChildren { addChild(in: world, depth, isAsync, &generator) }
    }
  }

  private var children: Range<Int> { Operation.children }

  private func resolve(_ member: Member, in world: World, _ generator: inout SplitMix64) -> Action {
    var way = Action.Way.resolve
    let ways: [Action.Way] = [.withResolved, .lazy, .factory, .injected, .perUse]
    switch world.nodes[member.node].kind {
    case .plain where generator.chance(40): way = ways[generator.below(ways.count)]
    case .throwing where generator.chance(20), .async where generator.chance(20): way = .factory
    case .mainActor where generator.chance(30): way = generator.chance(50) ? .factory : .injected
    default: break
    }
    let mayHold = way != .perUse && way != .withResolved
    return .resolve(member, way: way, hand: mayHold && generator.chance(25) ? generator.below(Operation.hands) : nil)
  }

  private mutating func addBlock(in world: World, _ depth: Int, _ isAsync: Bool, _ generator: inout SplitMix64) {
    guard depth < 2 else { return }
    // The other root may be captured by builders: what they build outside a block would be built from what is inside.
    if world.flavour.hasCaptured, pod == 1 { pod = 0 }
    let isAsync = isAsync && generator.chance(60)
    let changes = (0..<generator.below(4)).map { _ in world.randomChange(using: &generator) }
    let body = (0..<generator.below(12)).map { _ in
      Operation(in: world, depth: depth + 1, isAsync: isAsync, using: &generator)
    }
    action = .withOverrides(changes, isAsync: isAsync, body)
  }

  private mutating func addChild(in world: World, _ depth: Int, _ isAsync: Bool, _ generator: inout SplitMix64) {
    if generator.chance(25) {
      pod = children.lowerBound + generator.below(children.count)
      action = .forgetPod
      return
    }
    if pod == 1 { pod = 0 }
    let owning = ScopeChoice.ownable.filter { _ in generator.chance(20) }
    let count = world.flavour.hasOverrides ? generator.below(3) : 0
    let changes = (0..<count).map { _ in world.randomChange(using: &generator) }
    let variable = children.lowerBound + generator.below(children.count)
    guard depth < 2, generator.chance(20) else {
      action = .makeChild(variable: variable, owning: owning, changes)
      return
    }
    let isAsync = isAsync && generator.chance(60)
    let body = (0..<generator.below(12)).map { _ in
      Operation(in: world, depth: depth + 1, isAsync: isAsync, using: &generator)
    }
    action = .withChild(variable: variable, owning: owning, changes, isAsync: isAsync, body)
  }
}

extension World {
  fileprivate func randomMember(using generator: inout SplitMix64) -> Member {
    let node = generator.below(nodes.count)
    return Member(node: node, argument: nodes[node].isFamily ? generator.below(World.argumentCount) : 0)
  }

  func randomChange(mayMakeInnerPods: Bool = true, using generator: inout SplitMix64) -> Change {
    let member = randomMember(using: &generator)
    var node = nodes[member.node]
    func recipe(for node: Node, using generator: inout SplitMix64) -> Recipe {
      randomRecipe(
        for: node, at: member.node, isOverride: true, mayMakeInnerPods: mayMakeInnerPods, using: &generator)
    }
    if generator.chance(25) { return .value(member) }
    if node.isFamily, generator.chance(50) {
      return .family(node: member.node, recipe(for: node, using: &generator))
    }
    var scope: ScopeChoice?
    if generator.chance(25) {
      // Nobody would call the hook of a weak instance.
      let choices = scopes.filter { $0 != .weak || !node.hasHook }
      scope = choices[generator.below(choices.count)]
      node.scope = scope ?? node.scope
    }
    return .builder(member, recipe(for: node, using: &generator), scope: scope)
  }
}
