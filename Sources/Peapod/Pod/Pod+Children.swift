extension Pod {
  // MARK: - Child pods

  /// Returns a new child pod.
  ///
  /// The child has its own instances of the providers that it overrides, of the scopes that it owns, and of all their dependents. It shares
  /// all other instances with its parent. Releasing the last reference to the child disposes its cached instances. The child retains its
  /// parent.
  ///
  /// - Complexity: O(1), with a small constant number of allocations and without a lock that other children take.
  /// - Parameters:
  ///   - name: The name of the child in messages and diagrams. The default is the parent's name.
  ///   - scopes: The scopes that the child owns, with their `children`.
  ///   - observers: The observers of the child and its descendants. An observer of both the parent and the child receives each
  ///     event of the child twice.
  ///   - configure: A closure that sets up the child before other code can use it.
  /// - Returns: The child.
  public func makeChild(
    _ name: String? = nil, owning scopes: [any ProviderScope] = [], observers: [any PodObserver] = [],
    configure: (Pod) -> Void = { _ in }
  ) -> Pod {
    let owned = scopes.isEmpty ? SmallTable() : ScopeIdentity.tree(below: scopes)
    let maker = Caller.currentBuild?.token
    let child = Pod(
      owning: PodState(
        name, parentPod: parentOfChildren, owned: owned, observers: observers.map { ($0, nil) }, maker: maker))
    noteChild(child.state)
    configure(child)
    return child
  }

  /// This pod, or in an override scope the pod of the scope.
  private var parentOfChildren: Pod {
    // The state is not retained, since many threads may use one pod.
    let mayHaveScope = unretainedState?._withUnsafeGuaranteedRef { $0.hasOverrideScope } ?? true
    return mayHaveScope ? TaskContext.substitute(for: state) ?? self : self
  }

  /// Runs an operation with a child pod, and disposes the child.
  ///
  /// ``current`` is the child in the operation. Async disposal closures are started, and the call does not wait for them.
  ///
  /// - Parameters:
  ///   - name: The name of the child in messages and diagrams.
  ///   - scopes: The scopes that the child owns, with their `children`.
  ///   - observers: The observers of the child.
  ///   - configure: A closure that sets up the child.
  ///   - operation: The operation to run with the child.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation.
  @discardableResult
  public func withChild<Result, Failure: Error>(
    _ name: String? = nil, owning scopes: [any ProviderScope] = [], observers: [any PodObserver] = [],
    configure: (Pod) -> Void = { _ in }, operation: (Pod) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let child = makeChild(name, owning: scopes, observers: observers, configure: configure)
    defer { child.dispose() }
    let result: Swift.Result<Result, Failure> = Pod.$current.withValue(child) {
      do throws(Failure) { return .success(try operation(child)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Runs an async operation with a child pod, and shuts the child down.
  ///
  /// ``current`` is the child in the operation, which runs in the caller's isolation.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - name: The name of the child in messages and diagrams.
  ///   - scopes: The scopes that the child owns, with their `children`.
  ///   - observers: The observers of the child.
  ///   - configure: A closure that sets up the child.
  ///   - operation: The operation to run with the child.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation.
  @discardableResult
  public func withChild<Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ name: String? = nil, owning scopes: [any ProviderScope] = [],
    observers: [any PodObserver] = [], configure: (Pod) -> Void = { _ in },
    operation: (Pod) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let child = makeChild(name, owning: scopes, observers: observers, configure: configure)
    let result: Swift.Result<Result, Failure> = await Pod.$current.withValue(
      child,
      operation: {
        // The closure has the isolation only if it captures `isolation`.
        _ = isolation
        do throws(Failure) { return .success(try await operation(child)) } catch { return .failure(error) }
      }, isolation: isolation)
    await child.shutdown()
    return try result.get()
  }
}
