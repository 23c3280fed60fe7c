/// The declarations that one run of the model-based test works with: an acyclic graph of providers and families.
struct World: Sendable {
  /// How many arguments each family is asked with.
  static let argumentCount = 3

  var nodes: [Node]
  var podCount: Int
  /// Whether builds fail now and then.
  var hasFailures: Bool
}

/// One declaration: a provider, or a family of them.
struct Node: Sendable {
  var kind: SynchronousKind
  var scope: ScopeChoice
  var isFamily: Bool
  var recipe: Recipe

  /// Instances of a scope that keeps nothing have no hook.
  var hasHook: Bool { scope != .alwaysCreateNew }
}

/// A provider, or the member of a family that an argument names; a provider's argument is 0.
struct Member: Hashable, Sendable, CustomStringConvertible {
  var node: Int
  var argument: Int

  var description: String { "\(node)(\(argument))" }
}

/// What a builder does: it asks for other members in a row, and makes an instance.
struct Recipe: Sendable, CustomStringConvertible {
  var asks: [Ask]

  var description: String { "asks \(asks)" }
}

/// One request by a builder.
enum Ask: Sendable, CustomStringConvertible {
  /// For a node, with an argument; without one, with the argument that the builder itself was given.
  case node(Int, argument: Int?)
  /// For the very member that is being built, as an override's builder may.
  case itself

  var description: String {
    switch self {
    case .node(let node, let argument): "\(node)(\(argument.map(String.init) ?? "own"))"
    case .itself: "itself"
    }
  }

  /// Returns the member that is asked for by the builder of another.
  func target(for member: Member, in world: World) -> Member {
    switch self {
    case .itself: member
    case .node(let node, let argument):
      Member(node: node, argument: world.nodes[node].isFamily ? argument ?? member.argument : 0)
    }
  }
}

extension World: CustomStringConvertible {
  var description: String {
    let lines = nodes.enumerated().map { index, node in
      "  \(index): \(node.kind.rawValue)\(node.isFamily ? " family" : ""), \(node.scope), \(node.recipe)"
    }
    return "\(podCount) pods, \(hasFailures ? "with" : "without") failures\n" + lines.joined(separator: "\n")
  }
}

// MARK: - Making one at random

extension World {
  init(using generator: inout SplitMix64) {
    nodes = []
    for index in 0..<(5 + generator.below(21)) {
      let node = Node(
        kind: generator.chance(60) ? .plain : generator.chance(50) ? .throwing : .mainActor,
        scope: ScopeChoice.allCases[generator.below(ScopeChoice.allCases.count)],
        isFamily: generator.chance(30), recipe: Recipe(belowNode: index, using: &generator))
      nodes.append(node)
    }
    podCount = 1 + generator.below(2)
    hasFailures = generator.chance(30)
  }
}

extension Recipe {
  /// Makes a recipe that asks for nodes below a given one, so that no cycle can arise.
  init(belowNode limit: Int, mayAskForItself: Bool = false, using generator: inout SplitMix64) {
    asks = []
    if limit > 0 {
      for _ in 0..<generator.below(4) {
        let argument = generator.chance(50) ? generator.below(World.argumentCount) : nil
        // Near nodes make the graph deep.
        let distance = 1 + (generator.chance(50) ? generator.below(min(3, limit)) : generator.below(limit))
        asks.append(.node(limit - distance, argument: argument))
      }
    }
    if mayAskForItself, generator.chance(30) { asks.insert(.itself, at: generator.below(asks.count + 1)) }
  }
}
