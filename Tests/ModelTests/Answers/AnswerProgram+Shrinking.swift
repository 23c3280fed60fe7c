/// The programs that are one small step simpler, for a short program that fails.
extension AnswerProgram {
  var simpler: [AnswerProgram] {
    let programs = AnswerStep.simpler(steps).map { steps in
      var copy = self
      copy.steps = steps
      return copy
    }
    return programs
      + nodes.indices.flatMap { node in
        nodes[node].definition.simpler.map { definition in
          var copy = self
          copy.nodes[node].definition = definition
          return copy
        }
      }
  }
}

extension AnswerStep {
  /// The step with an override that is simpler.
  var simpler: [AnswerStep] {
    switch self {
    case .override(let node, let definition, let pod): definition.simpler.map { .override(node, $0, pod: pod) }
    case .overrideFamily(let family, let definitions, let pod):
      definitions.simpler.map { .overrideFamily(family, $0, pod: pod) }
    default: []
    }
  }

  /// The programs with some steps less, or with a step that is simpler.
  fileprivate static func simpler(_ steps: [AnswerStep]) -> [[AnswerStep]] {
    let halves = [steps.count / 2, steps.count / 4, steps.count / 8].filter { $0 > 1 }.flatMap { size in
      stride(from: 0, to: steps.count, by: size).map { Array(steps[..<$0] + steps.dropFirst($0 + size)) }
    }
    return halves
      + steps.indices.flatMap { index -> [[AnswerStep]] in
        let simpler: [[AnswerStep]] =
          switch steps[index] {
          case .inScope(let pod, let inner): [inner] + AnswerStep.simpler(inner).map { [.inScope(pod: pod, $0)] }
          case .race(let race): [[race.change].compactMap { $0 }] + race.simpler.map { [.race($0)] }
          default: steps[index].simpler.map { [$0] }
          }
        return ([[]] + simpler).map { Array(steps[..<index] + $0 + steps[(index + 1)...]) }
      }
  }
}

extension AnswerDefinition {
  fileprivate var simpler: [AnswerDefinition] {
    guard case .builder(let label, let asks, let deferred) = self else { return [] }
    let fewer = deferred.indices.map { index -> AnswerDefinition in
      .builder(label: label, asks, deferred: Array(deferred[..<index] + deferred[(index + 1)...]))
    }
    return fewer
      + asks.indices.flatMap { index in
        ([[]] + asks[index].simpler.map { [$0] }).map { (simpler: [AnswerAsk]) -> AnswerDefinition in
          .builder(label: label, asks[..<index] + simpler + asks[(index + 1)...], deferred: deferred)
        }
      }
  }
}

extension AnswerAsk {
  fileprivate var simpler: [AnswerAsk] {
    guard case .inner(let isOverrideScope, let isOwner, let isKept, let changes, let next) = self else { return [] }
    func inner(isOwner: Bool = isOwner, isKept: Bool = isKept, _ changes: [Int: AnswerDefinition], _ next: AnswerAsk)
      -> AnswerAsk
    {
      .inner(isOverrideScope: isOverrideScope, isOwner: isOwner, isKept: isKept, changes, next)
    }
    var all = [next] + next.simpler.map { inner(changes, $0) } + changes.simpler.map { inner($0, next) }
    all += changes.keys.map { node in inner(changes.filter { $0.key != node }, next) }
    if isOwner { all.append(inner(isOwner: false, changes, next)) }
    if isKept { all.append(inner(isKept: false, changes, next)) }
    return all
  }
}

extension [Int: AnswerDefinition] {
  /// The same overrides, one of them simpler.
  fileprivate var simpler: [[Int: AnswerDefinition]] {
    flatMap { node, definition in definition.simpler.map { merging([node: $0]) { $1 } } }
  }
}
