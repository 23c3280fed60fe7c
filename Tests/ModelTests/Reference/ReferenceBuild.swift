/// A build under way.
struct ReferenceBuild {
  enum Requester: Hashable {
    case caller(Int)
    case build(Int)
  }

  var member: Member
  var beneath: Int
  var definition: Definition
  var recipe: Recipe
  var owner: Int
  /// The pod for which it runs.
  var view: Int
  var parent: Int?
  /// Names the gate of an async builder: the way from the first caller to it.
  var path: String
  var isIsolated: Bool
  /// How many of its requests were answered.
  var asked = 0
  /// How many requests it may make before it has to pass its gate again.
  var passed = -1
  var parts: [Int] = []
  /// What the attempts were built from that failed for it.
  var failedParts: [Int] = []
  var choices: Choices = [:]
  var failure: Outcome.Failure?
  /// Those who wait for it beside the one that runs it.
  var waiters: [Requester] = []
  var waitsFor: Int?
  var isAtGate = false
  /// Whether it is found no longer: what it gives goes to those who wait, and is not kept.
  var isDetached = false
  /// The graph-scoped instances of this outermost build.
  var graph: [Int] = []
}
