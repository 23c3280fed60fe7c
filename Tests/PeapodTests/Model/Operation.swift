/// One step of a run: something that is done to one of the pods.
struct Operation: Sendable, CustomStringConvertible {
  var pod: Int
  var action: Action

  var description: String { "pod \(pod): \(action)" }
}

/// What can be done to a pod.
enum Action: Sendable {
  case resolve(Member)
  case withResolved(Member)
  case isCached(Member)
  case override(Member, with: Recipe, scope: ScopeChoice?)
  case overrideWithValue(Member)
  case overrideFamily(node: Int, with: Recipe)
  case removeOverride(Member)
  case removeFamilyOverride(node: Int)
  case removeAllOverrides
  case clearScope(ScopeChoice)
  case clearInstance(Member)
  case clearFamily(node: Int)
  case dispose
  /// The next attempt to build an instance of a throwing node fails, in whichever pod.
  case failNextBuild(node: Int)
}

/// What a step came to.
struct Outcome: Equatable, Sendable {
  enum Answer: Equatable, Sendable {
    case none
    case instance(serial: Int)
    case failure(node: Int)
    case cached(Bool)
    /// The rules leave open what is answered.
    case unspecified
  }

  /// What user code was called for, in order.
  enum Event: Equatable, Sendable {
    case built(serial: Int, Member, parts: [Int])
    case failed(Member)
    case disposed(serial: Int)
  }

  var answer = Answer.none
  var events: [Event] = []
  /// How many instances are alive after the step.
  var liveCount = 0
}

// MARK: - Choosing one at random

extension Operation {
  init(in world: World, using generator: inout SplitMix64) {
    pod = generator.below(world.podCount)
    action = Action(in: world, using: &generator)
  }
}

extension Action {
  init(in world: World, using generator: inout SplitMix64) {
    let node = generator.below(world.nodes.count)
    let isFamily = world.nodes[node].isFamily
    let member = Member(node: node, argument: isFamily ? generator.below(World.argumentCount) : 0)
    switch generator.below(100) {
    case 0..<50: self = .resolve(member)
    case 50..<54: self = .withResolved(member)
    case 54..<62: self = .isCached(member)
    case 62..<72:
      let scope = generator.chance(25) ? ScopeChoice.allCases.randomElement(using: &generator) : nil
      let recipe = Recipe(belowNode: node, mayAskForItself: true, using: &generator)
      self =
        isFamily && generator.chance(50)
        ? .overrideFamily(node: node, with: recipe) : .override(member, with: recipe, scope: scope)
    case 72..<76: self = .overrideWithValue(member)
    case 76..<84: self = isFamily && generator.chance(50) ? .removeFamilyOverride(node: node) : .removeOverride(member)
    case 84: self = .removeAllOverrides
    case 85..<90: self = .clearScope(ScopeChoice.allCases[generator.below(ScopeChoice.allCases.count)])
    case 90..<95: self = isFamily && generator.chance(30) ? .clearFamily(node: node) : .clearInstance(member)
    case 95: self = .dispose
    default:
      let mayFail = world.hasFailures && world.nodes[node].kind == .throwing
      self = mayFail ? .failNextBuild(node: node) : .resolve(member)
    }
  }
}
