extension Pod {
  // MARK: - Child pods

  /// Makes a pod below this one.
  ///
  /// A child shares everything with its parent except what it overrides, what belongs to a scope that it owns, and
  /// whatever is built from those. An instance lives in the outermost pod that would build it in the same way. When the
  /// last reference to the child goes, what it kept is disposed; the child keeps its parent alive.
  ///
  /// - Complexity: O(1), with a small constant number of allocations.
  /// - Parameters:
  ///   - name: A name for messages and drawings; the parent's if there is none.
  ///   - scopes: The scopes whose instances live in this child, with their `children`.
  ///   - observers: Told of what happens in the child and in pods below it.
  ///   - configure: Sets the child up before anyone else sees it.
  /// - Returns: The child.
  public func makeChild(
    _ name: String? = nil, owning scopes: [any ProviderScope] = [], observers: [any PodObserver] = [],
    configure: (Pod) -> Void = { _ in }
  ) -> Pod {
    let owned = scopes.isEmpty ? ScopeSet() : ScopeIdentity.tree(below: scopes)
    let child =
      makePlainChild(name, owning: owned, observers: observers)
      ?? Engine.locked { aftermath in
        let above = actingLayer(&aftermath)
        // Where a pod stands in for this one, the child is below that.
        let parentPod = TaskContext.substitute(for: ownLayer) ?? self
        return Pod.makeChild(name, of: parentPod, below: above, owning: owned, observers: observers)
      }
    configure(child)
    return child
  }

  /// Makes a child of a pod that is there itself and that no block stands in for.
  @inline(__always)
  private func makePlainChild(_ name: String?, owning owned: ScopeSet, observers: [any PodObserver]) -> Pod? {
    guard isOwner, !TaskContext.isActive, let layer else { return nil }
    return Engine.lockedBriefly {
      layer.isInPlace ? Pod.makeChild(name, of: self, below: layer, owning: owned, observers: observers) : nil
    }
  }

  /// Makes a child; called with the lock held.
  @inline(never)
  private static func makeChild(
    _ name: String?, of parent: Pod, below above: Layer, owning owned: ScopeSet, observers: [any PodObserver]
  ) -> Pod {
    let layer = Layer.make(name ?? above.name, parentPod: parent, parent: above, owned: owned, observers: observers)
    layer.attach()
    let child = Pod(owning: layer)
    if layer.changes == 0 { child.refreshDirectory(from: layer.effective) }
    return child
  }

  /// Runs an operation with a child pod, and disposes the child.
  ///
  /// Within the operation ``current`` is the child.
  ///
  /// - Parameters:
  ///   - name: A name for messages and drawings.
  ///   - scopes: The scopes whose instances live in this child, with their `children`.
  ///   - configure: Sets the child up.
  ///   - operation: Uses the child.
  /// - Returns: What the operation returns.
  /// - Throws: What the operation throws.
  public func withChild<Result, Failure: Error>(
    _ name: String? = nil, owning scopes: [any ProviderScope] = [], configure: (Pod) -> Void = { _ in },
    operation: (Pod) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let child = makeChild(name, owning: scopes, configure: configure)
    defer { child.dispose() }
    let result: Swift.Result<Result, Failure> = Pod.$current.withValue(child) {
      do throws(Failure) { return .success(try operation(child)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Runs an operation with a child pod, and shuts the child down.
  ///
  /// Within the operation ``current`` is the child. The operation runs in the caller's isolation. A builder that it leaves behind is
  /// not waited for.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - name: A name for messages and drawings.
  ///   - scopes: The scopes whose instances live in this child, with their `children`.
  ///   - configure: Sets the child up.
  ///   - operation: Uses the child.
  /// - Returns: What the operation returns.
  /// - Throws: What the operation throws.
  public func withChild<Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ name: String? = nil, owning scopes: [any ProviderScope] = [],
    configure: (Pod) -> Void = { _ in }, operation: (Pod) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let child = makeChild(name, owning: scopes, configure: configure)
    let result: Swift.Result<Result, Failure> = await Pod.$current.withValue(
      child,
      operation: {
        // Only what captures the isolation has it.
        _ = isolation
        do throws(Failure) { return .success(try await operation(child)) } catch { return .failure(error) }
      }, isolation: isolation)
    await child.shutdown(waitsForBuilders: false)
    return try result.get()
  }
}
