/// A request whose async builder is held on its way, and what happens meanwhile.
struct AnswerRace: Sendable {
  struct Request: Sendable {
    let node: Int
    let pod: Int
  }

  /// Whether the roots are disposed before, so that all is built.
  var isFresh: Bool
  let first: Request
  /// How many times its builders pass the gate before one of them is held.
  var passes: Int
  /// The requests that begin before the change.
  var earlier: [Request]
  /// Whether the first request is canceled before the change.
  var isCanceled: Bool
  var change: AnswerStep?
  /// The requests that begin after the change.
  var later: [Request]

  init(_ number: Int, in program: AnswerProgram, _ generator: inout SplitMix64) {
    func request() -> Request {
      // Mostly the nodes that depend on many others.
      let node = max(generator.below(program.nodes.count), generator.below(program.nodes.count))
      return Request(node: node, pod: generator.below(AnswerForest.podCount))
    }
    func request(like first: Request) -> Request {
      let other = request()
      let isSame = generator.chance(50)
      return Request(node: isSame ? first.node : other.node, pod: generator.chance(40) ? first.pod : other.pod)
    }
    isFresh = generator.chance(70)
    let first = request()
    self.first = first
    passes = generator.below(7)
    earlier = (0..<generator.below(3)).map { _ in request(like: first) }
    isCanceled = generator.chance(25)
    // Mostly an override of what the first request depends on.
    let steps = (0..<20).map { _ in AnswerStep.random(number, in: program, depth: 2, &generator) }
    let override = steps.first { $0.isOverride(below: first.node) }
    change = (generator.chance(75) ? override : nil) ?? steps.first(where: \.isChange)
    later = (0..<generator.below(3)).map { _ in request(like: first) }
  }

  var simpler: [AnswerRace] {
    func with(_ change: (inout AnswerRace) -> Void) -> AnswerRace {
      var copy = self
      change(&copy)
      return copy
    }
    return earlier.indices.map { index in with { $0.earlier.remove(at: index) } }
      + later.indices.map { index in with { $0.later.remove(at: index) } }
      + (change == nil ? [] : [with { $0.change = nil }])
      + (change?.simpler ?? []).map { step in with { $0.change = step } }
      + (isCanceled ? [with { $0.isCanceled = false }] : [])
      + (isFresh ? [with { $0.isFresh = false }] : [])
      + (passes > 0 ? [with { $0.passes -= 1 }] : [])
  }
}
