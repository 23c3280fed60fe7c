import Peapod

/// Declared nodes, and the steps that two trees of pods take with them.
struct AnswerProgram: Sendable {
  struct Node: Sendable {
    var definition: AnswerDefinition
    let scope: any ProviderScope
    /// Whether the node and the next node are the members of a family.
    let beginsFamily: Bool
  }

  /// Whether builders open override scopes; otherwise some of them resolve from a captured root, which acts otherwise within a scope.
  let hasScopes: Bool
  var nodes: [Node] = []
  var steps: [AnswerStep] = []

  init(seed: UInt64, length: Int) {
    var generator = SplitMix64(seed: seed)
    hasScopes = generator.chance(50)
    let count = 4 + generator.below(8)
    while nodes.count < count {
      let isFamily = nodes.count + 1 < count && generator.chance(30)
      let scope: any ProviderScope =
        switch generator.below(6) {
        case 0: .alwaysCreateNew
        case 1: .graph
        case 2: AnswerWorld.OwnedScope()
        default: .singleton
        }
      for member in isFamily ? [true, false] : [false] {
        let definition = AnswerDefinition.random(
          nodes.count, label: "", isOverride: false, depth: 0, hasScopes: hasScopes, &generator)
        nodes.append(Node(definition: definition, scope: scope, beginsFamily: member))
      }
    }
    steps = (0..<length).map { AnswerStep.random($0, in: self, depth: 0, &generator) }
  }

  /// The first member of a node's family, if the node is a member.
  func family(of node: Int) -> Int? { [node, node - 1].first { nodes.indices.contains($0) && nodes[$0].beginsFamily } }

  var hasGraphScope: Bool { nodes.contains { $0.scope is GraphScope } }

  /// Whether a pod caches the instances of a node.
  func isCached(_ node: Int) -> Bool {
    nodes[node].scope is SingletonScope || nodes[node].scope is AnswerWorld.OwnedScope
  }
}

extension AnswerProgram: CustomStringConvertible {
  var description: String {
    let declared = nodes.enumerated().map { "\($0): \($1.scope)\($1.beginsFamily ? ", family" : ""): \($1.definition)" }
    return (declared + steps.map { "\($0)" }).joined(separator: "\n")
      .replacing("ModelTests.", with: "").replacing("Answer", with: "").replacing("Definition.", with: ".")
      .replacing("Ask.", with: ".").replacing("isOverrideScope: ", with: "scope: ")
  }
}
