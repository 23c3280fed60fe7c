/// One step of a program; pods and nodes by their numbers.
indirect enum AnswerStep: Sendable {
  case resolve(Int, pod: Int)
  case override(Int, AnswerDefinition, pod: Int)
  case overrideFamily(Int, [Int: AnswerDefinition], pod: Int)
  case removeOverride(Int, pod: Int)
  case removeFamilyOverride(Int, pod: Int)
  case clearScope(pod: Int)
  case clear(Int, pod: Int)
  case refresh(Int, pod: Int)
  case refreshFamily(Int, pod: Int)
  case dispose(pod: Int)
  /// Some steps in an override scope of a root.
  case inScope(pod: Int, [AnswerStep])
}

extension AnswerStep {
  static func random(_ number: Int, in program: AnswerProgram, depth: Int, _ generator: inout SplitMix64) -> AnswerStep
  {
    let (pod, node) = (generator.below(AnswerForest.podCount), generator.below(program.nodes.count))
    let family = generator.chance(50) ? program.family(of: node) : nil
    switch generator.below(24) {
    case 0..<4:
      func definition(_ node: Int) -> AnswerDefinition {
        .random(node, label: "o\(number)", isOverride: true, depth: 1, hasScopes: program.hasScopes, &generator)
      }
      guard let family else { return .override(node, definition(node), pod: pod) }
      return .overrideFamily(family, [family: definition(family), family + 1: definition(family + 1)], pod: pod)
    case 4..<6: return family.map { .removeFamilyOverride($0, pod: pod) } ?? .removeOverride(node, pod: pod)
    case 6: return .clearScope(pod: pod)
    case 7: return .clear(node, pod: pod)
    case 8: return family.map { .refreshFamily($0, pod: pod) } ?? .refresh(node, pod: pod)
    case 9 where generator.chance(30): return .dispose(pod: pod)
    case 10 where depth < 2:
      let steps = (0..<generator.below(10)).map { random(number * 10 + $0, in: program, depth: depth + 1, &generator) }
      return .inScope(pod: AnswerForest.roots[generator.below(2)], steps)
    default: return .resolve(node, pod: pod)
    }
  }
}
