/// The course of one request: what it is answered in the end, where the overrides may change once on the way.
struct AnswerCourse {
  enum Change {
    case never
    /// When a builder comes to one of its requests: the numbers of the requests that lead to the builder, and then its own.
    case at([Int])
    /// After a number of requests by all builders.
    case after(Int)
  }

  private var forest: AnswerForest
  /// What the pods override after the change.
  private let later: AnswerForest
  private let change: Change
  /// The numbers of the requests that are being answered.
  private var place: [Int] = []
  /// How many requests builders have made.
  private(set) var count = 0
  private var hasChanged = false

  init(_ forest: AnswerForest, _ change: Change = .never, to later: AnswerForest? = nil) {
    self.forest = forest
    self.change = change
    self.later = later ?? forest
  }

  /// Notices the change, if it comes before a request of the builder that runs.
  private mutating func arrive(_ number: Int) {
    let isDue =
      switch change {
      case .never: false
      case .at(let place): place == self.place + [number]
      case .after(let limit): count == limit
      }
    guard isDue, !hasChanged else { return }
    hasChanged = true
    forest = later
  }

  /// The text of a node's answer in a view; `start`: how many overrides are passed by, those with precedence first.
  mutating func text(_ node: Int, _ view: AnswerView, from start: Int = 0) -> String {
    let layers = view.layers
    let found = layers.indices.first { $0 >= start && layers[$0][node] != nil }
    let definition = found.flatMap { layers[$0][node] } ?? forest.declared[node]
    guard case .builder(_, let asks, _) = definition else { return definition.text(node, []) }
    var parts: [String] = []
    for (number, ask) in asks.enumerated() {
      arrive(number)
      count += 1
      place.append(number)
      let view = hasChanged ? view.renewed(by: later) : view
      parts.append(text(ask, node, view, given: view, beneath: found ?? layers.count))
      place.removeLast()
    }
    arrive(asks.count)
    return definition.text(node, parts)
  }

  /// `given`: the pod that the builder was given, as the builder sees it now.
  private mutating func text(
    _ ask: AnswerAsk, _ node: Int, _ view: AnswerView, given: AnswerView, beneath: Int
  ) -> String {
    switch ask {
    case .direct(let next), .lazy(let next), .factory(let next), .perUse(let next), .fresh(let next), .cached(let next),
      .current(let next):
      return text(next, view)
    case .injected(let next): return text(next, given)
    case .itself: return text(node, view, from: beneath + 1)
    case .captured(let next, let tree): return text(next, forest.captured(tree, by: view))
    case .inner(let isOverrideScope, _, _, let changes, let next):
      let inner = view.inner(changes, isOverrideScope: isOverrideScope)
      // An inner pod has two layers more. Those of a scope are not together: the one for families follows all others of nodes.
      let added = isOverrideScope && beneath < view.pods[0].layerCount ? 1 : 2
      let isScopeOfGiven = isOverrideScope && view.pods.count == given.pods.count
      return text(next, node, inner, given: isScopeOfGiven ? inner : given, beneath: beneath + added)
    }
  }
}
