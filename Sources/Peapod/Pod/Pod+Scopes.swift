extension Pod {
  // MARK: - Ending lifetimes

  /// Disposes the instances of a scope and of its direct and indirect children.
  ///
  /// The clear starts at the nearest pod that owns the scope: this pod or an ancestor, or else the root pod. The clear includes
  /// the descendants of that pod, except descendants that own the scope themselves. If such an instance is being built during
  /// the clear, the waiting callers receive the instance, and the pod does not cache it.
  ///
  /// - Complexity: O(instances of the pods concerned).
  /// - Parameter scope: The scope to clear. Its `children` are read at each clear.
  public func clearCachedInstances(forScope scope: some ProviderScope) {
    clear(scope, awaitedBy: nil)
  }

  /// Disposes the cached instance of one provider, also of a singleton, in its pod and in the pod's descendants.
  ///
  /// Instances that depend on it stay cached, and still refer to the old instance. ``refresh(_:)-(ProviderProtocol)`` disposes them too.
  ///
  /// - Complexity: O(instances of the pod that has the instance, and of its descendants).
  /// - Parameter provider: The provider of the instance.
  public func clearCachedInstance(of provider: some ProviderProtocol) {
    if let declaration = provider.id.declaration { end([declaration]) }
  }

  /// Disposes the instances of all members of a family.
  ///
  /// - Complexity: O(members + instances of the pods that have their instances, and of the descendants).
  /// - Parameter family: The family of the instances.
  public func clearCachedInstances<Member, each Argument>(of family: ProviderFamily<Member, repeat each Argument>) {
    end(family.family.members.all)
  }

  /// Disposes the cached instance of a provider, and every cached instance that depends on the instance, directly or not.
  ///
  /// The next resolve builds a new instance. Other instances, overrides and hidden originals stay. Singletons are
  /// disposed too.
  ///
  /// - Complexity: O(instances of the pod that has the instance, and of its descendants).
  /// - Parameter provider: The provider to refresh.
  public func refresh(_ provider: some ProviderProtocol) {
    if let declaration = provider.id.declaration { end([declaration], isRefreshed: true) }
  }

  /// Disposes the cached instances of all members of a family, and every cached instance that depends on a member.
  ///
  /// - Complexity: O(members + instances of the pods that have their instances, and of the descendants).
  /// - Parameter family: The family to refresh.
  public func refresh<Member, each Argument>(_ family: ProviderFamily<Member, repeat each Argument>) {
    end(family.family.members.all + [family.family], isRefreshed: true)
  }

  private func end(_ declarations: [Declaration], isRefreshed: Bool = false) {
    let state = actingState
    state.dispose { state.removeInstances(of: declarations, isRefreshed: isRefreshed, $0) }
  }

  /// Disposes every instance that this pod and its descendants cache.
  ///
  /// The pod stays usable, with an empty cache and its overrides. The call starts async disposal closures and does not await them. Off the
  /// main actor, the same holds for the disposal closures of main-actor instances.
  ///
  /// - Complexity: O(instances of the pod and its descendants).
  public func dispose() {
    let state = actingState
    state.dispose(isLocal: true) { state.endSubtree($0) }
  }

  /// Disposes every instance that this pod and its descendants cache, and waits until all disposal closures have finished.
  ///
  /// The wait includes closures that were started before and run in a task: async closures, and closures of main-actor instances. The
  /// closures of independent instances run at the same time. The pod stays usable, with an empty cache and its overrides. The call does not
  /// wait for builders. Within a builder or a disposal closure, the call does not wait for closures that may wait for the caller.
  ///
  /// The call waits even if its task is canceled. A disposal closure that never ends blocks it, so limit the time inside the closure.
  ///
  /// Main-actor instances have been released on the main actor when the call returns, so the main thread must not block until then.
  ///
  /// - Complexity: O(instances of the pod and its descendants), besides the closures.
  nonisolated(nonsending)
    public func shutdown() async
  {
    let state = actingState
    let group = DisposalGroup()
    state.dispose(isLocal: true, awaitedBy: group) { retained in
      let ended = state.endSubtree(retained)
      // A child that ends meanwhile lists its closures before it leaves the tree.
      RunningDisposals.join(group, in: state, retained) { _ in true }
      return ended
    }
    await group.wait()
  }

  /// Disposes the instances of a scope and of its children, and waits until their disposal closures have finished.
  ///
  /// The call disposes the same instances as ``clearCachedInstances(forScope:)``, and waits even if its task is canceled.
  ///
  /// - Complexity: O(instances of the pods concerned), besides the closures.
  /// - Parameter scope: The scope to clear.
  nonisolated(nonsending)
    public func shutdown(scope: some ProviderScope) async
  {
    let group = DisposalGroup()
    clear(scope, awaitedBy: group)
    await group.wait()
  }

  private func clear(_ scope: some ProviderScope, awaitedBy group: DisposalGroup?) {
    let scopes = ScopeIdentity.tree(below: [scope])
    let cleared = ScopeIdentity.of(scope)
    let state = actingState
    let ended = state.dispose(awaitedBy: group) { retained in
      let ended = state.removeInstances(of: scopes, retained)
      if let group {
        RunningDisposals.join(group, in: state.root, retained) {
          let scope = $0.scope.identity
          return scopes.contains(scope) && $0.home.owner(of: scope) === state.owner(of: scope)
        }
      }
      return ended
    }
    let count = ended.count { !$0.isConstant }
    state.emit({ [.clear(scope: cleared.name, count: count)] })
  }
}

extension PodState {
  /// Disposes and returns the instances that a body removes from their pods, and notifies the watchers of the pods.
  ///
  /// `isLocal`: whether the instances belong to this pod and its descendants.
  @discardableResult
  fileprivate func dispose(
    isLocal: Bool = false, awaitedBy group: DisposalGroup? = nil, _ body: (RetainedObjects) -> [Instance]
  ) -> [Instance] {
    let root = root
    let (ended, disposal) = root.changing { retained -> ([Instance], (() -> Void)?) in
      let ended = body(retained)
      return (ended, ended.isEmpty ? nil : Teardown.prepare(ended, awaitedBy: group, retained))
    }
    disposal?()
    // Watchers are notified even without disposed instances, because a build may have been detached.
    (isLocal ? self : root).notifyWatchers()
    return ended
  }
}

extension Pod {
  // MARK: - Looking without building

  /// Returns whether a resolve would return a cached instance.
  ///
  /// The call never waits for a build. An override, also with a value, counts as cached after its first resolve.
  ///
  /// - Complexity: As a resolve of a cached instance.
  /// - Parameter provider: The provider to look for.
  /// - Returns: `true` if the instance is cached.
  public func isCached(_ provider: some ProviderProtocol) -> Bool {
    provider.id.declaration.map { Engine.isCached($0, in: self) } ?? false
  }

  /// Returns the cached instance of a provider, or `nil`, without a build and without a wait for one.
  ///
  /// In a builder, a cached instance counts as a dependency. A missing instance counts as a deferred dependency. An override, also
  /// with a value, counts as cached after its first resolve.
  ///
  /// - Complexity: As a resolve of a cached instance.
  /// - Parameter provider: The provider to look for.
  /// - Returns: The instance, or `nil`.
  public func cachedInstance<Value: Sendable>(of provider: Provider<Value>) -> Value? {
    Engine.cachedValue(provider.declaration, in: self)
  }

  /// Returns the cached instance of an async provider, or `nil`, without a build or a suspension.
  ///
  /// In a builder, a cached instance counts as a dependency. A missing instance counts as a deferred dependency. An override, also
  /// with a value, counts as cached after its first resolve.
  ///
  /// - Complexity: As a resolve of a cached instance.
  /// - Parameter provider: The provider to look for.
  /// - Returns: The instance, or `nil`.
  public func cachedInstance<Value>(of provider: AsyncProvider<Value>) -> Value? {
    Engine.cachedValue(provider.declaration, in: self)
  }
}

// MARK: - Observing

extension Pod {
  /// Adds an observer of this pod and its descendants.
  ///
  /// Each event costs about a microsecond, besides the time that the observer takes.
  ///
  /// - Parameter observer: The observer, which receives the events from now on. An observer of both a parent and a child receives each event
  ///   of the child twice.
  /// - Returns: The observation, which can be canceled. Ignore it to observe as long as the pod exists.
  @discardableResult
  public func addObserver(_ observer: any PodObserver) -> PodObservation {
    let state = actingState
    let observation = PodObservation(of: state)
    state.add(observer, for: observation)
    return observation
  }
}
