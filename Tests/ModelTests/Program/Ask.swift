/// One request by a builder.
enum Ask: Sendable {
  /// For a node, with an argument; without one, with the argument that the builder itself was given.
  case node(Int, argument: Int?, way: Way)
  /// For a node, through an inner pod that the builder makes for it.
  case inner(InnerPlan, node: Int, argument: Int?)
  /// For the very member that is being built, as an override's builder may.
  case itself

  enum Way: String, Sendable {
    case resolve
    case withResolved
    /// With `Injected`, and no pod named.
    case injected
    /// From the other root, which the builder captured.
    case captured
  }

  /// Returns the member that is asked for by the builder of another.
  func target(for member: Member, in world: World) -> Member {
    switch self {
    case .itself: member
    case .node(let node, let argument, _), .inner(_, let node, let argument):
      Member(node: node, argument: world.nodes[node].isFamily ? argument ?? member.argument : 0)
    }
  }

  var isCaptured: Bool {
    if case .node(_, _, .captured) = self { true } else { false }
  }
}
