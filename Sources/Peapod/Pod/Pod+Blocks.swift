extension Pod {
  // MARK: - Isolated overrides

  /// Runs an operation in which this pod acts as a new and empty one with its own overrides and the given ones.
  ///
  /// That holds for the current task and its child tasks. Nothing that is built inside is seen outside, or the other way
  /// round; it is disposed at the end. Any number of such blocks may run at once on one global pod. A `Task` that outlives
  /// the block goes on with a pod that starts afresh; child pods made outside do not see the block.
  ///
  /// - Parameters:
  ///   - configure: Sets the overrides.
  ///   - operation: Runs with them.
  /// - Returns: What the operation returns.
  /// - Throws: What the operation throws.
  public func withOverrides<Result, Failure: Error>(
    _ configure: (Pod) -> Void, operation: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (substitute, substitutes) = makeSubstitute()
    let result: Swift.Result<Result, Failure> = TaskContext.$substitutes.withValue(substitutes) {
      defer {
        substitute.outermost.dispose()
        substitutes.end()
      }
      configure(substitute)
      do throws(Failure) { return .success(try operation()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Runs an asynchronous operation in which this pod acts as a new and empty one with its own overrides and the given
  /// ones.
  ///
  /// As the synchronous form. The operation runs in the caller's isolation, and at the end hooks are waited for, but
  /// not those that come after the end of a builder which the operation left behind.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - configure: Sets the overrides.
  ///   - operation: Runs with them.
  /// - Returns: What the operation returns.
  /// - Throws: What the operation throws.
  public func withOverrides<Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ configure: (Pod) -> Void,
    operation: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let (substitute, substitutes) = makeSubstitute()
    let result: Swift.Result<Result, Failure> = await TaskContext.$substitutes.withValue(
      substitutes,
      operation: {
        // Only what captures the isolation has it.
        _ = isolation
        configure(substitute)
        let result: Swift.Result<Result, Failure>
        do throws(Failure) { result = .success(try await operation()) } catch { result = .failure(error) }
        await substitute.outermost.shutdown(waitsForBuilders: false)
        substitutes.end()
        return result
      }, isolation: isolation)
    return try result.get()
  }

  /// The pod at the top of the chain.
  private var outermost: Pod {
    Engine.locked { _ in
      var pod = self
      while let above = pod.ownLayer.parentPod { pod = above }
      return pod
    }
  }

  /// Makes an empty pod with the configuration of this one and of those above, to stand in for it.
  private func makeSubstitute() -> (Pod, Substitutes) {
    let (substitute, original) = Engine.locked { aftermath in
      (Pod(owning: actingLayer(&aftermath).emptyCopy()), ownLayer)
    }
    return (substitute, Substitutes(substitute, for: original, outer: TaskContext.substitutes))
  }
}

extension Layer {
  /// A new and empty layer with the configuration of this one, below new and empty ones for those above.
  ///
  /// Called with the engine's lock held. It is kept for the caller.
  fileprivate func emptyCopy() -> Layer {
    let layer = fresh(below: parent.map { Pod(owning: $0.emptyCopy()) }, observers: events?.all ?? [])
    layer.attach()
    return layer
  }
}
