extension Pod {
  // MARK: - Override scopes

  /// Runs an operation in which this pod acts as a new, empty pod that has this pod's overrides and the given overrides.
  ///
  /// The override scope holds for the current task and its child tasks. Code outside the scope does not receive instances that
  /// were built inside, and code inside does not receive instances that were built outside. The pod disposes the instances of
  /// the scope when the operation ends. Any number of override scopes may be open on one pod at once. A `Task` that outlives
  /// the scope continues with a pod that has an empty cache. The scope does not apply to child pods that were made outside.
  ///
  /// Async disposal closures are started at the end, and the call does not wait for them.
  ///
  /// - Parameters:
  ///   - configure: A closure that sets the overrides.
  ///   - operation: The operation to run.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation.
  @discardableResult
  public func withOverrides<Result, Failure: Error>(
    _ configure: (Pod) -> Void, operation: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (substitute, scope) = openOverrideScope()
    let result: Swift.Result<Result, Failure> = TaskContext.$overrideScope.withValue(scope) {
      defer {
        substitute.outermost.dispose()
        scope.close()
      }
      configure(substitute)
      do throws(Failure) { return .success(try operation()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Runs an async operation in which this pod acts as a new, empty pod that has this pod's overrides and the given overrides.
  ///
  /// The operation runs in the caller's isolation. At the end, the call waits for disposal closures as ``shutdown()`` does.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - configure: A closure that sets the overrides.
  ///   - operation: The operation to run.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation.
  @discardableResult
  public func withOverrides<Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ configure: (Pod) -> Void,
    operation: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let (substitute, scope) = openOverrideScope()
    let result: Swift.Result<Result, Failure> = await TaskContext.$overrideScope.withValue(
      scope,
      operation: {
        // The closure has the isolation only if it captures `isolation`.
        _ = isolation
        configure(substitute)
        let result: Swift.Result<Result, Failure>
        do throws(Failure) { result = .success(try await operation()) } catch { result = .failure(error) }
        await substitute.outermost.shutdown()
        scope.close()
        return result
      }, isolation: isolation)
    return try result.get()
  }

  /// Unavailable: an override scope needs an operation.
  @available(*, unavailable, message: "pass the operation too: `pod.withOverrides { … } operation: { … }`")
  public func withOverrides(_ configure: (Pod) -> Void) { fatalError() }

  /// The root pod: this pod, or its highest ancestor.
  private var outermost: Pod {
    var pod = self
    while let parent = pod.state.parentPod { pod = parent }
    return pod
  }

  /// Makes an empty pod with the configuration of this pod and its ancestors, to act for this pod.
  private func openOverrideScope() -> (Pod, OverrideScope) {
    let substitute = Pod(owning: actingState.substitute())
    // Within an outer scope of this pod, the new scope is a scope of the pod that acts there.
    let original = TaskContext.substitute(for: state)?.state ?? state
    return (substitute, OverrideScope(substitute, for: original, outer: TaskContext.overrideScope))
  }
}

extension PodState {
  /// Returns a new, empty state with the configuration of this state.
  ///
  /// The ancestors of the new state are new, empty states with the configurations of the ancestors of this state.
  fileprivate func substitute() -> PodState {
    let parentPod = parent.map { Pod(owning: $0.substitute()) }
    return emptySubstitute(below: parentPod, observers: events?.all ?? [])
  }
}
