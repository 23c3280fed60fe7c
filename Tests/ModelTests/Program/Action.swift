/// What can be done to a pod.
enum Action: Sendable {
  /// Resolves; a variable may keep the instance.
  case resolve(Member, way: Way, hand: Int?)
  /// Resolves a member and uses the handles that it has.
  case useHandles(Member)
  case look(Member)
  case withFreshInstance(Member, throwing: Bool)

  /// Starts a task that resolves an async provider, and goes on.
  case begin(Member)
  /// Lets one of the builders that wait at their gates go on.
  case step(Int)
  /// Cancels one of the tasks.
  case cancel(Int)

  case change(Change)
  case removeOverride(Member)
  case removeFamilyOverride(node: Int)
  case removeAllOverrides

  case clearScope(ScopeChoice, isAwaited: Bool)
  case clearInstance(Member)
  case clearFamily(node: Int)
  case dispose(isAwaited: Bool)

  case makeChild(variable: Int, owning: [ScopeChoice], [Change])
  case forgetPod
  case forgetInstance(hand: Int)
  case withChild(variable: Int, owning: [ScopeChoice], [Change], isAsync: Bool, [Operation])
  case withOverrides([Change], isAsync: Bool, [Operation])

  /// The next attempt to build an instance of a node fails, in whichever pod.
  case failNextBuild(node: Int)

  enum Way: String, Sendable {
    case resolve, withResolved, lazy, factory, injected, perUse
  }
}

extension Action {
  var body: [Operation]? {
    switch self {
    case .withChild(_, _, _, _, let body), .withOverrides(_, _, let body): body
    default: nil
    }
  }

  func with(body: [Operation]) -> Action {
    switch self {
    case .withChild(let variable, let owning, let changes, let isAsync, _):
      .withChild(variable: variable, owning: owning, changes, isAsync: isAsync, body)
    case .withOverrides(let changes, let isAsync, _): .withOverrides(changes, isAsync: isAsync, body)
    default: self
    }
  }
}
