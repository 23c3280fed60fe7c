/// What one pod overrides; in an override scope, also what the scope has from the pod for which it acts.
struct AnswerPod {
  /// The overrides of one pod, by node: those of single nodes, and those of whole families.
  private struct Layer {
    var nodes: [Int: AnswerDefinition] = [:]
    var families: [Int: AnswerDefinition] = [:]
  }

  /// The pod's own overrides, and then those that an override scope has from the pod outside, from there outward.
  private var layers: [Layer]

  init(_ nodes: [Int: AnswerDefinition] = [:]) { layers = [Layer(nodes: nodes)] }

  /// The pod that acts for this pod in an override scope.
  func substitute(_ nodes: [Int: AnswerDefinition] = [:]) -> AnswerPod {
    var copy = self
    copy.layers.insert(Layer(nodes: nodes), at: 0)
    return copy
  }

  mutating func override(_ node: Int, by definition: AnswerDefinition) { layers[0].nodes[node] = definition }

  mutating func override(familyBy members: [Int: AnswerDefinition]) { layers[0].families.merge(members) { $1 } }

  mutating func removeOverride(_ node: Int) {
    if let layer = layers.firstIndex(where: { $0.nodes[node] != nil }) { layers[layer].nodes[node] = nil }
  }

  mutating func removeOverride(family first: Int) {
    guard let layer = layers.firstIndex(where: { $0.families[first] != nil }) else { return }
    for member in [first, first + 1] { layers[layer].families[member] = nil }
  }

  var isEmpty: Bool { layers.allSatisfy { $0.nodes.isEmpty && $0.families.isEmpty } }

  var layerCount: Int { layers.count }

  /// The overrides by precedence: a member's before a family's.
  var byPrecedence: [[Int: AnswerDefinition]] { layers.map(\.nodes) + layers.map(\.families) }
}

/// One of the two trees of pods.
enum AnswerTree: Sendable { case main, other }

/// What a pod sees: its own overrides and those of its ancestors.
struct AnswerView {
  /// The nearest pod first.
  var pods: [AnswerPod]
  let tree: AnswerTree
  /// The number of the override scope to which the pod belongs, the outermost first; `nil` outside of scopes.
  let scope: Int?
  /// The number of the pod whose overrides, and those of its ancestors, are the last of these; `nil` in a scope, which has copies.
  private(set) var base: Int?

  /// All overrides by precedence.
  var layers: [[Int: AnswerDefinition]] { pods.flatMap(\.byPrecedence) }

  /// An inner pod of a builder.
  func inner(_ changes: [Int: AnswerDefinition], isOverrideScope: Bool) -> AnswerView {
    var inner = self
    if isOverrideScope {
      inner.pods[0] = inner.pods[0].substitute(changes)
      inner.base = nil
    } else {
      inner.pods.insert(AnswerPod(changes), at: 0)
    }
    return inner
  }

  /// The same pod after a change of the pods of the program.
  func renewed(by forest: AnswerForest) -> AnswerView {
    guard let base else { return self }
    let outer = forest.outside(base).pods
    var renewed = self
    renewed.pods = pods.dropLast(outer.count) + outer
    return renewed
  }
}
