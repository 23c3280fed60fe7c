/// One declaration of a world: a provider, or a family of them.
struct Node: Sendable {
  var kind: NodeKind
  var scope: ScopeChoice
  var isFamily: Bool
  var hasHook: Bool
  var recipe: Recipe
}
