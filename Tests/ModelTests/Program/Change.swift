/// An override.
enum Change: Sendable {
  case builder(Member, Recipe, scope: ScopeChoice?)
  case value(Member)
  case family(node: Int, Recipe)
}
