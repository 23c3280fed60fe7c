/// An override.
enum Change: Sendable {
  case builder(Member, Recipe, scope: ScopeChoice?)
  case value(Member)
  case family(node: Int, Recipe)

  /// Whether it changes what counts for a member.
  func concerns(_ other: Member) -> Bool {
    switch self {
    case .builder(let member, _, _), .value(let member): member == other
    case .family(let node, _): node == other.node
    }
  }
}
