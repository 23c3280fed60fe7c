/// What a builder of an answer asks for, in order; always earlier nodes, so that no cycle can arise.
indirect enum AnswerAsk: Sendable {
  case direct(Int)
  /// What an override is beneath it.
  case itself
  case lazy(Int), factory(Int), perUse(Int), fresh(Int)
  /// The cached instance, or else a new one.
  case cached(Int)
  /// With `Injected`, from the pod that the builder was given, also within an inner child.
  case injected(Int)
  /// From `Pod.current`: the pod that the program asks, or an inner child within its operation.
  case current(Int)
  /// From a root that the builder captured.
  case captured(Int, from: AnswerTree)
  /// Through an inner pod, an override scope or a child that may own the scope of the world; the child may be kept.
  case inner(isOverrideScope: Bool, isOwner: Bool, isKept: Bool, [Int: AnswerDefinition], AnswerAsk)
}

extension AnswerAsk {
  /// The node that is asked for, if the pod of the builder answers with the instance that it has for everyone.
  var part: Int? {
    switch self {
    case .direct(let node), .lazy(let node), .factory(let node), .cached(let node), .injected(let node),
      .current(let node):
      node
    case .itself, .perUse, .fresh, .captured, .inner: nil
    }
  }
}

/// What counts for a node in a pod: a constant override, or a builder.
enum AnswerDefinition: Sendable {
  case value(label: String)
  case builder(label: String, [AnswerAsk], deferred: [AnswerDeferred])

  /// The text of an answer, from the answers to what the builder asked.
  func text(_ node: Int, _ parts: [String]) -> String {
    switch self {
    case .value(let label): "\(node)\(label)"
    case .builder(let label, _, _): "\(node)\(label)(\(parts.joined(separator: ",")))"
    }
  }
}

/// A deferred dependency that a builder stores in its answer.
struct AnswerDeferred: Sendable {
  var node: Int
  var isLazy: Bool
}
