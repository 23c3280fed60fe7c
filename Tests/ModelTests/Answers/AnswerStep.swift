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
  case race(AnswerRace)
}

extension AnswerStep {
  /// Whether the step, if it ends an instance, ends all that was built from the instance.
  var endsWholes: Bool {
    switch self {
    case .clearScope, .clear, .dispose: false
    case .inScope(_, let steps): steps.allSatisfy(\.endsWholes)
    case .race(let race): race.change?.endsWholes ?? true
    default: true
    }
  }

  /// Whether the step overrides a node up to a limit, or removes such an override.
  func isOverride(below limit: Int) -> Bool {
    switch self {
    case .override(let node, _, _), .overrideFamily(let node, _, _), .removeOverride(let node, _),
      .removeFamilyOverride(let node, _):
      node <= limit
    default: false
    }
  }

  /// Whether the step asks for nothing.
  var isChange: Bool {
    switch self {
    case .resolve, .inScope, .race: false
    default: true
    }
  }

  static func random(_ number: Int, in program: AnswerProgram, depth: Int, _ generator: inout SplitMix64) -> AnswerStep
  {
    let (pod, node) = (generator.below(AnswerForest.podCount), generator.below(program.nodes.count))
    let family = generator.chance(50) ? program.family(of: node) : nil
    switch generator.below(24) {
    case 0..<4:
      func definition(_ node: Int) -> AnswerDefinition {
        .random(node, label: "o\(number)", isOverride: true, depth: 1, program.contents, &generator)
      }
      guard let family else { return .override(node, definition(node), pod: pod) }
      return .overrideFamily(family, [family: definition(family), family + 1: definition(family + 1)], pod: pod)
    case 4..<6: return family.map { .removeFamilyOverride($0, pod: pod) } ?? .removeOverride(node, pod: pod)
    case 6 where program.contents.hasClears: return .clearScope(pod: pod)
    case 7 where program.contents.hasClears: return .clear(node, pod: pod)
    case 8: return family.map { .refreshFamily($0, pod: pod) } ?? .refresh(node, pod: pod)
    case 9 where program.contents.hasClears && generator.chance(30): return .dispose(pod: pod)
    case 10 where depth < 2:
      let steps = (0..<generator.below(10)).map { random(number * 10 + $0, in: program, depth: depth + 1, &generator) }
      return .inScope(pod: AnswerForest.roots[generator.below(2)], steps)
    case 11..<15 where depth == 0 && program.nodes.contains(where: \.isAsync):
      return .race(AnswerRace(number, in: program, &generator))
    default: return .resolve(node, pod: pod)
    }
  }
}
