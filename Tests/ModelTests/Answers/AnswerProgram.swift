import Peapod

/// Declared nodes, and the steps that two trees of pods take with them.
struct AnswerProgram: Sendable {
  struct Node: Sendable {
    var definition: AnswerDefinition
    let scope: any ProviderScope
    /// Whether the node and the next node are the members of a family.
    let beginsFamily: Bool
    let isAsync: Bool
  }

  let contents: AnswerContents
  var nodes: [Node] = []
  var steps: [AnswerStep] = []

  init(seed: UInt64, length: Int) {
    var generator = SplitMix64(seed: seed)
    contents = AnswerContents(
      hasScopes: generator.chance(50), hasCurrent: generator.chance(40), hasGraphScope: generator.chance(50),
      hasClears: generator.chance(50), hasHandles: generator.chance(60),
      syncCount: generator.chance(50) ? .max : generator.below(4))
    let count = 4 + generator.below(8)
    while nodes.count < count {
      let isFamily = nodes.count + 1 < count && generator.chance(30)
      let scope: any ProviderScope =
        switch generator.below(7) {
        case 0: .alwaysCreateNew
        case 1 where contents.hasGraphScope: .graph
        case 2: AnswerWorld.OwnedScope()
        case 3: .weak
        default: .singleton
        }
      let isAsync = nodes.count >= contents.syncCount
      for member in isFamily ? [true, false] : [false] {
        let definition = AnswerDefinition.random(
          nodes.count, label: "", isOverride: false, depth: 0, contents, &generator)
        nodes.append(Node(definition: definition, scope: scope, beginsFamily: member, isAsync: isAsync))
      }
    }
    steps = (0..<length).map { AnswerStep.random($0, in: self, depth: 0, &generator) }
  }

  /// The first member of a node's family, if the node is a member.
  func family(of node: Int) -> Int? { [node, node - 1].first { nodes.indices.contains($0) && nodes[$0].beginsFamily } }

  var hasGraphScope: Bool { nodes.contains { $0.scope is GraphScope } }

  /// Whether a pod caches the instances of a node.
  func isCached(_ node: Int) -> Bool {
    !(nodes[node].scope is AlwaysCreateNewScope) && !(nodes[node].scope is GraphScope)
  }

  /// Whether the place of an instance is known when it is built.
  var hasOneHome: Bool { !contents.hasCaptured && !contents.hasHandles && !hasGraphScope }

  /// Whether an instance stays cached together with all that it was built from.
  var endsWholes: Bool { hasOneHome && steps.allSatisfy(\.endsWholes) }
}

/// What the builders of a program contain that do not go together.
struct AnswerContents {
  /// Whether builders open override scopes.
  let hasScopes: Bool
  /// Whether builders resolve from `Pod.current`, which then always is the pod that they are built for.
  let hasCurrent: Bool
  let hasGraphScope: Bool
  /// Whether instances end while what was built from them stays.
  let hasClears: Bool
  /// Whether builders make deferred dependencies, by which their instances are judged anew when the answers change.
  let hasHandles: Bool
  /// How many nodes are synchronous before the first that is async.
  let syncCount: Int

  /// Whether builders resolve from a captured root, which acts otherwise within an override scope.
  var hasCaptured: Bool { !hasScopes && !hasCurrent }
}

extension AnswerProgram: CustomStringConvertible {
  var description: String {
    let declared = nodes.enumerated().map { number, node in
      let marks = (node.beginsFamily ? ", family" : "") + (node.isAsync ? ", async" : "")
      return "\(number): \(node.scope)\(marks): \(node.definition)"
    }
    return (declared + steps.map { "\($0)" }).joined(separator: "\n")
      .replacing("ModelTests.", with: "").replacing("Answer", with: "").replacing("Definition.", with: ".")
      .replacing("Ask.", with: ".").replacing("isOverrideScope: ", with: "scope: ")
  }
}
