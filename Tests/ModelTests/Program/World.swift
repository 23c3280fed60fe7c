/// The declarations that one run of the model-based test works with: an acyclic graph of providers and families.
struct World: Sendable {
  /// How many arguments each family is asked with.
  static let argumentCount = 3

  /// What the programs of a world contain.
  ///
  /// One program does not contain everything, so that each part of the rules meets the others often, and yet is not drowned
  /// by them.
  struct Flavour: Sendable {
    /// Overrides and blocks.
    var hasOverrides = true
    var hasChildren = true
    /// Builders that ask a captured pod, the other root.
    var hasCaptured = true
    /// Builders that make inner pods.
    var hasInnerPods = true
    /// Builders that throw.
    var hasFailures = true
    var hasAsync = true
    /// Handles made by builders.
    var hasHandles = true
    /// Instances that hold what they were built from.
    var holdsParts = true
  }

  var flavour = Flavour()
  var nodes: [Node] = []
}

// MARK: - Making one at random

extension World {
  init(using generator: inout SplitMix64) {
    flavour = Flavour(
      hasOverrides: generator.chance(80), hasChildren: generator.chance(50),
      hasCaptured: Coverage.hasCrossPodRequests && generator.chance(20),
      hasInnerPods: Coverage.hasInnerPods && generator.chance(60), hasFailures: generator.chance(30),
      hasAsync: generator.chance(40),
      hasHandles: generator.chance(50),
      holdsParts: generator.chance(75))
    for _ in 0..<(4 + generator.below(18)) { nodes.append(randomNode(using: &generator)) }
    guard flavour.hasHandles, !flavour.hasOverrides, !flavour.hasChildren else { return }
    for index in nodes.indices where nodes[index].mayMakeHandles && generator.chance(40) { addLoop(index, &generator) }
  }

  private func randomNode(using generator: inout SplitMix64) -> Node {
    let index = nodes.count
    var kind: NodeKind = generator.chance(60) ? .plain : generator.chance(50) ? .throwing : .mainActor
    if flavour.hasAsync, generator.chance(40) { kind = .async }
    let scope = scopes[generator.below(scopes.count)]
    let mayHaveHook = scope != .alwaysCreateNew && scope != .weak
    var node = Node(
      kind: kind, scope: scope, isFamily: generator.chance(25), hasHook: mayHaveHook && generator.chance(75),
      recipe: Recipe())
    node.recipe = randomRecipe(for: node, at: index, using: &generator)
    return node
  }

  /// The scopes of nodes and overrides.
  ///
  /// When an instance of `GraphScope` that lives in an inner pod is disposed is left open: with that pod, or with the
  /// resolve.
  var scopes: [ScopeChoice] { ScopeChoice.allCases.filter { $0 != .graph || !flavour.hasInnerPods } }

  /// Makes a recipe that asks for nodes before a given one, so that no cycle can arise.
  func randomRecipe(
    for node: Node, at limit: Int, isOverride: Bool = false, mayMakeInnerPods: Bool = true,
    using generator: inout SplitMix64
  ) -> Recipe {
    var recipe = Recipe()
    let candidates = nodes.indices.prefix(limit).filter { node.kind == .async || nodes[$0].kind != .async }
    if !candidates.isEmpty, !(isOverride && isLeaf(limit)) {
      for _ in 0..<generator.below(4) {
        // Near nodes make the graph deep.
        let near = candidates.suffix(3)
        let target =
          generator.chance(50) ? near.randomElement(using: &generator) : candidates.randomElement(using: &generator)
        guard let target else { continue }
        let argument = generator.chance(50) ? generator.below(World.argumentCount) : nil
        if flavour.hasInnerPods, mayMakeInnerPods, nodes[target].kind != .async, generator.chance(35) {
          let plan = randomInnerPlan(using: &generator)
          recipe.asks.append(.inner(plan, node: target, argument: argument))
          continue
        }
        var way = Ask.Way.resolve
        if nodes[target].kind == .plain, generator.chance(20) { way = generator.chance(50) ? .injected : .withResolved }
        if flavour.hasCaptured, generator.chance(25) { way = .captured }
        recipe.asks.append(.node(target, argument: argument, way: way))
      }
    }
    if isOverride, !isLeaf(limit) {
      // In an async builder it comes first: later, the override may have been removed.
      let place = node.kind == .async ? 0 : generator.below(recipe.asks.count + 1)
      if generator.chance(30) { recipe.asks.insert(.itself, at: place) }
    }
    if isOverride, flavour.hasFailures, node.kind.canFail, generator.chance(15) { recipe.fails = true }
    if flavour.hasHandles, node.mayMakeHandles, !(isOverride && isLeaf(limit)) {
      let leaves = nodes.indices.prefix(limit).filter { isLeaf($0) && nodes[$0].mayBeHandled }
      while generator.chance(25), let leaf = leaves.randomElement(using: &generator) {
        recipe.handles.append(handle(of: leaf, isLazy: generator.chance(50), using: &generator))
      }
    }
    return recipe
  }

  /// Whether a node's builders never ask for anything.
  ///
  /// While overrides or children may come, handles lead to such nodes alone: what a handle leads to is only known once it
  /// was used, and what an instance was built from decides where it lives.
  func isLeaf(_ node: Int) -> Bool {
    nodes.indices.contains(node) && node.isMultiple(of: 3) && nodes[node].recipe.asks.isEmpty
      && nodes[node].recipe.handles.isEmpty
  }

  private func handle(of node: Int, isLazy: Bool, using generator: inout SplitMix64) -> Handle {
    let argument = nodes[node].isFamily ? generator.below(World.argumentCount) : 0
    return Handle(target: Member(node: node, argument: argument), isLazy: isLazy)
  }

  /// Adds a factory of any plain node, later ones too: a loop that is legal, since it is used after construction.
  private mutating func addLoop(_ index: Int, _ generator: inout SplitMix64) {
    let plain = nodes.indices.filter { nodes[$0].mayBeHandled }
    guard let target = plain.randomElement(using: &generator), target != index, !isLeaf(index) else { return }
    nodes[index].recipe.handles.append(handle(of: target, isLazy: false, using: &generator))
  }
}

extension World {
  private func randomInnerPlan(using generator: inout SplitMix64) -> InnerPlan {
    let isOverrideScope = generator.chance(40)
    let owning = isOverrideScope ? [] : ScopeChoice.ownable.filter { _ in generator.chance(25) }
    let count = nodes.isEmpty ? 0 : generator.below(3)
    let changes = (0..<count).map { _ in randomChange(mayMakeInnerPods: false, using: &generator) }
    return InnerPlan(isOverrideScope: isOverrideScope, owning: owning, changes: changes)
  }
}

extension Node {
  /// Whether handles may lead to it: nothing is cached of transients, so where such a handle leads is left open.
  var mayBeHandled: Bool { kind == .plain && scope.keeps }

  /// Handles are made by synchronous builders, for instances that a pod keeps.
  var mayMakeHandles: Bool { kind != .async && scope.keeps }
}
