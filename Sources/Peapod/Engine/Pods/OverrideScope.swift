import Synchronization

/// One open override scope: the pod that acts for another pod in a task and its child tasks.
final class OverrideScope: @unchecked Sendable {
  // Safe: constants, but for `lazyPods`, which is guarded by `lock`.

  /// The state for which the substitute acts.
  ///
  /// Retained, so that no other state gets its address.
  private let original: PodState
  let substitute: Pod
  /// Distinguishes this scope from all others.
  fileprivate let number = count.wrappingAdd(1, ordering: .relaxed).newValue
  private static let count = Atomic<Int>(0)
  fileprivate let outer: OverrideScope?
  /// The pods that cache, within the scope, the value of each `Lazy` made outside, by the number of the provider of the `Lazy`.
  private var lazyPods: [UInt64: Pod] = [:]
  private let lock = Lock()

  init(_ substitute: Pod, for original: PodState, outer: OverrideScope?) {
    self.original = original
    self.substitute = substitute
    self.outer = outer
    original.conditions.wrappingAdd(PodState.Condition.overrideScope, ordering: .relaxed)
  }

  deinit { original.conditions.wrappingSubtract(PodState.Condition.overrideScope, ordering: .relaxed) }

  /// The innermost scope of a pod, from this scope outward.
  fileprivate func scope(of state: PodState) -> OverrideScope? {
    sequence(first: self, next: \.outer).first { $0.original === state }
  }

  /// The same, or the scope that a builder within that scope opened, and so on, as far as instances with this home use it.
  fileprivate func innermost(of state: PodState, for home: PodState) -> OverrideScope? {
    guard let found = scope(of: state) else { return nil }
    guard let inner = innermost(of: found.substitute.state, for: home),
      home.root !== inner.original.root || home.isBelow(orSame: inner.substitute.state)
    else { return found }
    return inner
  }

  /// Closes the scope: releases the values that `Lazy`s cached within it.
  func close() {
    let pods = lock.withLock {
      defer { lazyPods = [:] }
      return lazyPods
    }
    withExtendedLifetime(pods) {}
  }

  fileprivate func podOfLazy(_ number: UInt64) -> Pod {
    lock.withLock {
      if let known = lazyPods[number] { return known }
      let made = Pod(ofLazyFrom: nil)
      lazyPods[number] = made
      return made
    }
  }
}

extension TaskContext {
  /// The pod that acts, in this task, for the pod with a state.
  ///
  /// A builder that runs for a pod outside the scope, such as an earlier child, does not use the scope, since its instances are cached
  /// outside. A builder does use a scope that it opens itself.
  static func substitute(for state: PodState) -> Pod? { scope(of: state)?.substitute }

  /// The state that acts, in this task, for a pod of another tree than the builder's; `nil` outside of the scope of a substitute.
  ///
  /// `home`: the home of the instance whose builder used the pod.
  static func state(actingElsewhereFor state: PodState, inBuilderFor home: PodState) -> PodState? {
    guard state.isSubstitute || state.hasOverrideScope else { return state }
    guard state.isSubstitute else {
      return overrideScope?.innermost(of: state, for: home)?.substitute.currentState ?? state
    }
    let isWithin = sequence(first: overrideScope, next: { $0?.outer }).contains {
      $0?.substitute.state.isBelow(orSame: state) ?? false
    }
    return isWithin && !state.isEnded ? state : nil
  }

  /// The innermost scope that acts for a pod: a builder within one scope may have opened another.
  private static func scope(of state: PodState) -> OverrideScope? {
    guard let scope = overrideScope?.scope(of: state), isUsed(scope, for: state) else { return nil }
    guard scope.substitute.state.hasOverrideScope else { return scope }
    return self.scope(of: scope.substitute.state) ?? scope
  }

  private static func isUsed(_ scope: OverrideScope, for state: PodState) -> Bool {
    var build = Caller.currentBuild
    // A `Lazy` resolves for the code that reads its value.
    while let lazy = build, lazy.view.isCompact { build = lazy.parent }
    guard let build, !build.isInner(scope.substitute.state) else { return true }
    return build.view.root !== state.root || build.view.isBelow(orSame: scope.substitute.state)
  }

  /// The number of the override scope in which this task uses a pod; zero outside of one.
  static func numberOfScope(of pod: Pod) -> Int {
    let state = pod.state
    return state.hasOverrideScope ? scope(of: state)?.number ?? 0 : 0
  }

  /// The pod that caches the value of a `Lazy` within the override scope in which this task uses the source pod.
  ///
  /// `nil` outside of override scopes, and within the scope that made the `Lazy`. `number`: the number of the provider of the `Lazy`
  /// itself.
  static func podOfLazy(_ number: UInt64, madeIn birth: Int, of source: Pod) -> Pod? {
    let state = source.state
    guard state.hasOverrideScope, let scope = scope(of: state), scope.number != birth else {
      return nil
    }
    return scope.podOfLazy(number)
  }
}
