/// What a builder of an answer asks for, in order; always earlier nodes, so that no cycle can arise.
indirect enum AnswerAsk: Sendable {
  case direct(Int)
  /// What an override is beneath it.
  case itself
  case lazy(Int), factory(Int), perUse(Int), fresh(Int)
  /// From a root that the builder captured.
  case captured(Int, from: AnswerTree)
  /// Through an inner pod, an override scope or a child that may own the scope of the world; the child may be kept.
  case inner(isOverrideScope: Bool, isOwner: Bool, isKept: Bool, [Int: AnswerDefinition], AnswerAsk)
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
